"""Tasks, tools, policy and database, whatever format they were written in."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.items import Items
    from benchlint.benchmark.splits import Splits
    from benchlint.config_schema import FieldMapping
    from benchlint.text.document import Document
    from benchlint.text.slices import Fault, Slice, Sliced
    from benchlint.text.tree import Pointer

Requestor = Literal["assistant", "user"]
Effect = Literal["read", "write", "generic", "unknown"]
Part = Literal["value", "key", "opening"]
CriterionKind = Literal["actions", "communicate_info", "nl_assertions", "env_assertions"]


class Field(Struct, frozen=True):
    """A text of a task and its place; the pointer starts at the task."""

    pointer: Pointer
    text: str


class Call(Struct):
    """A call that a task names: an expected action, an assertion or an initialization.

    `arguments` is None where it is not an object. `known` is False for a
    call of which the format does not tell everything (a Python expression);
    nothing is said of the unknown parts. `keys` are those under which the
    format has the name and the arguments.
    """

    pointer: Pointer
    name: str
    arguments: Mapping[str, Any] | None
    requestor: Requestor = "assistant"
    id: str | None = None
    known: bool = True
    keys: tuple[str, str] | tuple[()] = ("name", "arguments")

    @property
    def name_pointer(self) -> Pointer:
        """Where the name stands."""
        return (*self.pointer, *self.keys[:1])

    @property
    def arguments_pointer(self) -> Pointer:
        """Where the arguments stand."""
        return (*self.pointer, *self.keys[1:])


class Task(Struct):
    """One task. Pointers start at the task's own value.

    `scenario` is what the simulated user knows and wants; `purpose` is what
    the author says the task tests; `behaviour` is expected behaviour in
    prose; `actions` is one reference trajectory. `reward_basis` is None
    where the task does not say, and the format's default counts.
    """

    id: str
    id_pointer: Pointer
    slice: Slice
    value: Mapping[str, Any]
    scenario: tuple[Field, ...] = ()
    purpose: tuple[Field, ...] = ()
    ticket: Field | None = None
    """What a solo agent reads in place of the user."""
    behaviour: tuple[Field, ...] = ()
    actions: tuple[Call, ...] = ()
    communicate_info: tuple[Field, ...] = ()
    nl_assertions: tuple[Field, ...] = ()
    read_env_assertions: Callable[[], tuple[Call, ...]] = tuple
    read_initial_calls: Callable[[], tuple[Call, ...]] = tuple
    initial_data: Any = None
    reward_basis: tuple[str, ...] | None = None
    reward_basis_pointer: Pointer | None = None
    criteria_pointers: Mapping[CriterionKind, Pointer] = field(default_factory=dict)
    """Where each kind of criterion stands, for the kinds that the task has."""
    user_tools: tuple[Field, ...] | None = None
    """The user's tools that this task lends, where it does not lend all."""
    cites: tuple[Field, ...] = ()
    """Policy texts that the task itself names (IntellAgent's `policies`)."""
    suppressions: tuple[Field, ...] = ()
    """Rules that `annotations.benchlint` turns off for this task."""
    _env_assertions: tuple[Call, ...] | None = None
    _initial_calls: tuple[Call, ...] | None = None

    @property
    def env_assertions(self) -> tuple[Call, ...]:
        """Assertions of the environment's state."""
        if self._env_assertions is None:
            self._env_assertions = self.read_env_assertions()
        return self._env_assertions

    @property
    def initial_calls(self) -> tuple[Call, ...]:
        """The calls that prepare the initial state."""
        if self._initial_calls is None:
            self._initial_calls = self.read_initial_calls()
        return self._initial_calls

    def moved(self, piece: Slice) -> Task:
        """Return the same task in another slice of the same text and value."""
        task = copy(self)
        task.slice = piece
        return task

    @property
    def text(self) -> str:
        """All that the simulated user is told, one field a line."""
        return "\n".join(item.text for item in self.scenario)


class Problem(Struct, frozen=True):
    """A field that its format does not allow. The pointer starts at the task.

    `part` tells which range is meant: the value's, its key's, or, for an
    object that lacks a field, its opening bracket's.
    """

    pointer: Pointer
    message: str
    part: Part = "value"
    replacement: str | None = None
    """The name that was probably meant, where there is one."""


class Parameter(Struct, frozen=True):
    """A parameter of a tool: its JSON schema, as far as it is known."""

    name: str
    schema: Mapping[str, Any]
    required: bool


class Tool(Struct, frozen=True):
    """A tool of the domain. `open` is True where more arguments are allowed."""

    name: str
    parameters: Mapping[str, Parameter]
    requestor: Requestor = "assistant"
    effect: Effect = "unknown"
    description: str = ""
    open: bool = False
    path: str = ""
    start: int = 0
    end: int = 0

    @property
    def changes_nothing(self) -> bool:
        """Whether it is known to leave the database as it is."""
        return self.effect in ("read", "generic")


class Tools(Struct, frozen=True):
    """The tools of a domain by requestor and name.

    `internal` are functions that assertions and initializations may call
    besides the tools, where the source shows them; `complete` says whether
    it shows all of them. `problems` are what is wrong in the files, each
    with its path. `open` is True where there may be more tools than these: a
    file does not parse, or a class inherits from one that is not shown.
    """

    by_name: Mapping[tuple[Requestor, str], Tool]
    hash: bytes = b""
    paths: tuple[str, ...] = ()
    internal: frozenset[str] = frozenset()
    complete: bool = True
    problems: tuple[tuple[str, Fault], ...] = ()
    open: bool = False

    def get(self, requestor: Requestor, name: str) -> Tool | None:
        """Return a tool of the agent's or of the user's."""
        return self.by_name.get((requestor, name))

    def names(self, requestor: Requestor) -> list[str]:
        """Return the names of the tools of one side, sorted."""
        return sorted(name for side, name in self.by_name if side == requestor)


class PolicyItem(Struct, frozen=True):
    """One rule of the policy and its place in its file, in bytes.

    The id is a slug of the text and a hash of it, so that moving the text
    keeps it. `headings` lead from the document's title to the item, and
    `context` is what opens the list in which it stands ("If the status is:").
    """

    id: str
    text: str
    path: str
    start: int
    end: int
    headings: tuple[str, ...] = ()
    kind: Literal["obligation", "prohibition", "permission", "amount", "fact"] = "fact"
    context: str = ""


class Review(NamedTuple):
    """The items of a policy as a person has reviewed them.

    `beside` are the sentences of the policy that are in none of them, `date`
    is when that was, "" where nobody wrote it down, and `notes` say what no
    longer fits the policy.
    """

    items: tuple[PolicyItem, ...]
    beside: tuple[PolicyItem, ...]
    date: str
    notes: tuple[str, ...] = ()


class Policy:
    """The rules of a domain. Its sentences are read when they are first asked for.

    `review` returns what a person has made of the sentences, or None.
    """

    def __init__(
        self,
        sentences: Callable[[], Iterable[PolicyItem]],
        text: str,
        hash: bytes = b"",  # noqa: A002
        paths: tuple[str, ...] = (),
        review: Callable[[tuple[PolicyItem, ...]], Review | None] = lambda _: None,
    ) -> None:
        self.text = text
        self.hash = hash
        self.paths = paths
        self._read = sentences
        self._review = review

    @cached_property
    def sentences(self) -> tuple[PolicyItem, ...]:
        """The rules as they are written, in the order of their files."""
        return tuple(self._read())

    @cached_property
    def review(self) -> Review | None:
        """The reviewed items, where there are some."""
        return self._review(self.sentences)

    @property
    def items(self) -> tuple[PolicyItem, ...]:
        """The rules: the reviewed items, or the sentences of the policy."""
        return self.review.items if self.review is not None else self.sentences


class Layout(Struct, frozen=True):
    """Which files make up a benchmark. Paths are as the user wrote them.

    `tasks` is one file, or the one-task files of a folder. `together` are
    other task files that one loader reads with these (`tasks.json` beside a
    folder `tasks/`). `format` is None where the content decides. `config` is
    the file that declares the benchmark, if one does, and `entry` the index
    of its declaration. `default_reward_basis` replaces the format's own.
    """

    name: str
    tasks: tuple[str, ...]
    policy: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    database: tuple[str, ...] = ()
    splits: str | None = None
    format: str | None = None
    mapping: FieldMapping | None = None
    together: tuple[str, ...] = ()
    config: str | None = None
    entry: int | None = None
    default_reward_basis: tuple[str, ...] | None = None
    items: tuple[str, ...] = ()


class Benchmark:
    """Tasks with their policy, tools and database. What is missing is None.

    Policy, tools and database are read when they are first asked for.
    `problems` are what the format does not allow: source, slice (None: the
    header) and problem.
    """

    def __init__(
        self,
        layout: Layout,
        format: str,  # noqa: A002
        sources: list[Sliced],
        tasks: list[Task],
        problems: list[tuple[Sliced, int | None, Problem]],
        default_reward_basis: tuple[str, ...] = (),
        policy: Callable[[], Policy | None] = lambda: None,
        tools: Callable[[], Tools | None] = lambda: None,
        database: Callable[[], Database | None] = lambda: None,
        splits: Callable[[], Splits | None] = lambda: None,
        items: Callable[[], Items | None] = lambda: None,
        notes: list[str] | None = None,
        faults: list[tuple[Document, Fault]] | None = None,
        unread: list[tuple[str, str]] | None = None,
        origin: Any = None,
    ) -> None:
        self.layout = layout
        self.format = format
        self.sources = sources
        self.tasks = tasks
        self.problems = problems
        self.default_reward_basis = default_reward_basis
        self.notes = notes if notes is not None else []
        """What is missing beside the tasks, as far as it has been asked for: sentences for the user."""
        self.unread = unread if unread is not None else []
        """Files of tasks that could not be read, and why."""
        self.origin = origin
        """What the loader keeps for the next time that it reads the same files."""
        self.replay: Any = None
        """What came of running the expected actions (`benchlint.replay.results.Replay`), where they were run."""
        self._faults = faults if faults is not None else []
        self._load = {"policy": policy, "tools": tools, "database": database, "splits": splits, "items": items}
        self._sources = {source.document: source for source in sources}

    @property
    def name(self) -> str:
        """The benchmark's name in reports; unique in a run."""
        return self.layout.name

    @cached_property
    def policy(self) -> Policy | None:
        """The policy, or None where there is none."""
        return self._load["policy"]()  # type: ignore[return-value]

    @cached_property
    def tools(self) -> Tools | None:
        """The tools, or None where none are known."""
        return self._load["tools"]()  # type: ignore[return-value]

    @cached_property
    def database(self) -> Database | None:
        """The database, or None where there is none."""
        return self._load["database"]()  # type: ignore[return-value]

    @cached_property
    def splits(self) -> Splits | None:
        """The splits of the tasks, or None where there are none."""
        return self._load["splits"]()  # type: ignore[return-value]

    @cached_property
    def items(self) -> Items | None:
        """The items files of the policy, or None where there are none."""
        return self._load["items"]()  # type: ignore[return-value]

    @property
    def faults(self) -> list[tuple[Document, Fault]]:
        """The places where tools, database, splits and items cannot be read; reads them all."""
        _ = self.tools, self.database, self.splits, self.items
        return self._faults

    def source_of(self, task: Task) -> Sliced:
        """Return the file in which a task stands."""
        return self._sources[task.slice.document]
