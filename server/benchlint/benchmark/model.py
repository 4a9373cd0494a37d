"""Tasks, tools, policy and database, whatever format they were written in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.text.document import Document
    from benchlint.text.slices import Slice, Sliced
    from benchlint.text.tree import Pointer

Requestor = Literal["assistant", "user"]
Effect = Literal["read", "write", "generic", "unknown"]
CriterionKind = Literal["actions", "communicate_info", "nl_assertions", "env_assertions"]


@dataclass(frozen=True, slots=True)
class Field:
    """A text of a task and its place; the pointer starts at the task."""

    pointer: Pointer
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call that a task names: an expected action, an assertion of the
    environment, or an initialization.

    `arguments` is None where it is not an object. `known` is False for a
    call of which the format does not tell everything (a Python expression);
    nothing is said of the unknown parts.
    """

    pointer: Pointer
    name: str
    name_pointer: Pointer
    arguments: Mapping[str, Any] | None
    arguments_pointer: Pointer
    requestor: Requestor = "assistant"
    id: str | None = None
    known: bool = True


@dataclass(slots=True)
class Task:
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
    behaviour: tuple[Field, ...] = ()
    actions: tuple[Call, ...] = ()
    communicate_info: tuple[Field, ...] = ()
    nl_assertions: tuple[Field, ...] = ()
    env_assertions: tuple[Call, ...] = ()
    initial_calls: tuple[Call, ...] = ()
    initial_data: Any = None
    reward_basis: tuple[str, ...] | None = None
    reward_basis_pointer: Pointer | None = None
    criteria_pointers: Mapping[CriterionKind, Pointer] = field(default_factory=dict)
    """Where each kind of criterion stands, for the kinds that the task has."""
    user_tools: tuple[str, ...] | None = None
    cites: tuple[Field, ...] = ()
    """Policy texts that the task itself names (IntellAgent's `policies`)."""
    suppressions: tuple[Field, ...] = ()
    """Rules that `annotations.benchlint` turns off for this task."""

    @property
    def text(self) -> str:
        """All that the simulated user is told, one field a line."""
        return "\n".join(item.text for item in self.scenario)


@dataclass(frozen=True, slots=True)
class Problem:
    """A field that its format does not allow. The pointer starts at the task.

    `part` tells which range is meant: the value's, its key's, or, for a
    field that is missing, the object's that lacks it.
    """

    pointer: Pointer
    message: str
    part: Literal["value", "key"] = "value"
    replacement: str | None = None
    """The name that was probably meant, where there is one."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a tool: its JSON schema, as far as it is known."""

    name: str
    schema: Mapping[str, Any]
    required: bool


@dataclass(frozen=True, slots=True)
class Tool:
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


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of a domain by requestor and name.

    `internal` are functions that assertions and initializations may call
    besides the tools, where the source shows them; `complete` says whether
    it shows all of them.
    """

    by_name: Mapping[tuple[Requestor, str], Tool]
    hash: bytes = b""
    paths: tuple[str, ...] = ()
    internal: frozenset[str] = frozenset()
    complete: bool = True

    def get(self, requestor: Requestor, name: str) -> Tool | None:
        """Return a tool of the agent's or of the user's."""
        return self.by_name.get((requestor, name))

    def names(self, requestor: Requestor) -> list[str]:
        """Return the names of the tools of one side, sorted."""
        return sorted(name for side, name in self.by_name if side == requestor)


@dataclass(frozen=True, slots=True)
class PolicyItem:
    """One rule of the policy and its place in its file, in bytes.

    The id is a slug of the text and a hash of it, so that moving the text
    keeps it. `headings` lead from the document's title to the item.
    """

    id: str
    text: str
    path: str
    start: int
    end: int
    headings: tuple[str, ...] = ()
    kind: Literal["obligation", "prohibition", "permission", "amount", "fact"] = "fact"


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a domain, in the order of their files."""

    items: tuple[PolicyItem, ...]
    text: str
    hash: bytes = b""
    paths: tuple[str, ...] = ()


@dataclass(slots=True)
class Benchmark:
    """Tasks of one file (or of one folder of one-task files), with their
    policy, tools and database. What is missing is None.

    `name` is unique in a run: the path of the tasks as the user wrote it.
    """

    name: str
    format: str
    sources: list[Sliced]
    tasks: list[Task]
    problems: list[tuple[Sliced, int | None, Problem]]
    """What a format does not allow: source, slice (None: the header), problem."""
    policy: Policy | None = None
    tools: Tools | None = None
    database: Any = None
    documents: dict[str, Document] = field(default_factory=dict)
    """Every text that a finding of this benchmark may point into, by path."""
    default_reward_basis: tuple[str, ...] = ()
