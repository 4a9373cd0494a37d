"""IntellAgent's dataset pickles: read as data, with inert stand-ins for every object.

The pickle is walked instruction by instruction. Nothing is imported, and no
class or function is ever looked up or called: the globals that a dataset
needs become a `Stand`, and every other one is refused by its name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from benchlint.text.slices import MAX_DEPTH, UNKNOWN, Fault, Slice
from benchlint.text.strings import decode_json
from benchlint.text.tree import Node, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.text.document import Document
    from benchlint.text.slices import Language

MAX_OPERATIONS: Final = 2_000_000
"""How many instructions a pickle may have; a dataset of 30 tasks has 40,000."""

MAX_VALUES: Final = 1_000_000
"""How many values the tasks of a pickle may have, shared ones counted where they are used."""

EVENTS: Final = frozenset(("simulator.events_generator.Event", "simulator.dataset.definitions.Event"))
"""The classes of a task."""

DESCRIPTIONS: Final = frozenset(
    ("simulator.descriptor_generator.Description", "simulator.dataset.descriptor_generator.Description")
)
"""The classes of a task's description."""

GLOBALS: Final = (
    EVENTS
    | DESCRIPTIONS
    | {
        "builtins.slice",
        "numpy.dtype",
        "numpy.ndarray",
        "numpy.core.multiarray._reconstruct",
        "numpy._core.multiarray._reconstruct",
        "pandas._libs.internals._unpickle_block",
        "pandas.core.frame.DataFrame",
        "pandas.core.indexes.base.Index",
        "pandas.core.indexes.base._new_Index",
        "pandas.core.indexes.range.RangeIndex",
        "pandas.core.internals.managers.BlockManager",
    }
)
"""The globals that a dataset names: its own classes, and those of the tables beside the tasks."""


class PickleError(ValueError):
    """A pickle that is cut short, damaged, or not made of plain data."""


class ForbiddenGlobal(PickleError):  # noqa: N818
    """A pickle that names a class or a function that no dataset needs."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the pickle names {name}, which no dataset needs; nothing of it was run")
        self.name = name


@dataclass(slots=True, eq=False)
class Stand:
    """Stands in for a class or a function of this name, or for what calling it would give.

    `args` is None for the class or the function itself.
    """

    name: str
    args: tuple[Any, ...] | None = None
    state: Any = None


def load_pickle(data: bytes) -> Any:
    """Return the content of a pickle: plain data and stand-ins.

    Raises ForbiddenGlobal for a global that no dataset needs, PickleError for
    a pickle that cannot be read.
    """
    import pickletools
    import struct

    machine = _Machine()
    try:
        for number, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            if number >= MAX_OPERATIONS:
                raise PickleError(f"the pickle has more than {MAX_OPERATIONS:,} instructions")
            if opcode.name == "STOP":
                return machine.pop()
            machine.run(opcode.name, argument)
    except PickleError:
        raise
    except (ValueError, IndexError, KeyError, OverflowError, struct.error) as error:
        raise PickleError("the pickle is cut short or damaged") from error
    raise PickleError("the pickle is cut short")


class _Machine:
    """The stack and the memory of a pickle."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._marks: list[list[Any]] = []
        self._memory: dict[int, Any] = {}
        operations: dict[str, Callable[[Any], None]] = {
            "PROTO": _nothing,
            "FRAME": _nothing,
            "MARK": self._mark,
            "POP": self._drop,
            "POP_MARK": self._drop_marked,
            "DUP": lambda _: self._push(self._stack[-1]),
            "NONE": lambda _: self._push(None),
            "NEWTRUE": lambda _: self._push(True),
            "NEWFALSE": lambda _: self._push(False),
            "EMPTY_LIST": lambda _: self._push([]),
            "EMPTY_TUPLE": lambda _: self._push(()),
            "EMPTY_DICT": lambda _: self._push({}),
            "LIST": lambda _: self._push(self._marked()),
            "TUPLE": lambda _: self._push(tuple(self._marked())),
            "TUPLE1": lambda _: self._tuple(1),
            "TUPLE2": lambda _: self._tuple(2),
            "TUPLE3": lambda _: self._tuple(3),
            "DICT": self._dict,
            "APPEND": self._append,
            "APPENDS": self._appends,
            "SETITEM": self._set_item,
            "SETITEMS": self._set_items,
            "MEMOIZE": lambda _: self._remember(len(self._memory)),
            "GLOBAL": lambda name: self._global(*name.split(" ", 1)),
            "STACK_GLOBAL": self._stack_global,
            "INST": self._inst,
            "OBJ": self._obj,
            "REDUCE": self._call,
            "NEWOBJ": self._call,
            "NEWOBJ_EX": self._new_with_keywords,
            "BUILD": self._build,
        }
        operations |= dict.fromkeys(_LITERALS, self._push)
        operations |= dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), self._remember)
        operations |= dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), lambda at: self._push(self._memory[at]))
        self._operations = operations

    def run(self, name: str, argument: Any) -> None:
        """Run one instruction."""
        operation = self._operations.get(name)
        if operation is None:
            raise PickleError(f"the pickle uses the instruction {name}, which no dataset needs")
        operation(argument)

    def pop(self) -> Any:
        """Take the topmost value."""
        return self._stack.pop()

    def _push(self, value: Any) -> None:
        self._stack.append(value)

    def _mark(self, _: Any) -> None:
        self._marks.append(self._stack)
        self._stack = []

    def _marked(self) -> list[Any]:
        """Take everything above the last mark."""
        found = self._stack
        self._stack = self._marks.pop()
        return found

    def _drop_marked(self, _: Any) -> None:
        self._marked()

    def _drop(self, _: Any) -> None:
        if self._stack:
            self._stack.pop()
        else:
            self._marked()

    def _tuple(self, size: int) -> None:
        items = self._stack[-size:]
        if len(items) < size:
            raise IndexError
        self._stack[-size:] = [tuple(items)]

    def _remember(self, at: int) -> None:
        self._memory[at] = self._stack[-1]

    def _target(self, kind: type) -> Any:
        """Return the topmost value, into which something is put."""
        target = self._stack[-1]
        if type(target) is not kind:
            raise PickleError("the pickle puts values into what is no list and no dictionary")
        return target

    def _append(self, _: Any) -> None:
        item = self.pop()
        self._target(list).append(item)

    def _appends(self, _: Any) -> None:
        items = self._marked()
        self._target(list).extend(items)

    def _set_item(self, _: Any) -> None:
        value, key = self.pop(), self.pop()
        self._fill(self._target(dict), [key, value])

    def _set_items(self, _: Any) -> None:
        items = self._marked()
        self._fill(self._target(dict), items)

    def _dict(self, _: Any) -> None:
        items = self._marked()
        self._push({})
        self._fill(self._stack[-1], items)

    def _fill(self, target: dict[Any, Any], items: list[Any]) -> None:
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, str | int | float | None):
                raise PickleError("the pickle has a dictionary whose keys are no plain values")
            target[key] = value

    def _global(self, module: Any, name: Any) -> None:
        full = f"{module}.{name}"
        if not (isinstance(module, str) and isinstance(name, str)):
            raise PickleError("the pickle names a global by what is no text")
        if full not in GLOBALS:
            raise ForbiddenGlobal(full)
        self._push(Stand(full))

    def _stack_global(self, _: Any) -> None:
        name, module = self.pop(), self.pop()
        self._global(module, name)

    def _inst(self, name: str) -> None:
        args = tuple(self._marked())
        self._global(*name.split(" ", 1))
        self._make(self.pop(), args)

    def _obj(self, _: Any) -> None:
        first, *args = self._marked()
        self._make(first, tuple(args))

    def _call(self, _: Any) -> None:
        args, function = self.pop(), self.pop()
        self._make(function, args)

    def _new_with_keywords(self, _: Any) -> None:
        keywords, args, function = self.pop(), self.pop(), self.pop()
        self._make(function, (*args, keywords))

    def _make(self, function: Any, args: Any) -> None:
        """Note a call; nothing is called."""
        if not isinstance(function, Stand) or function.args is not None or not isinstance(args, tuple):
            raise PickleError("the pickle calls what is no class and no function")
        self._push(Stand(function.name, args))

    def _build(self, _: Any) -> None:
        state, target = self.pop(), self._stack[-1]
        if not isinstance(target, Stand) or target.args is None:
            raise PickleError("the pickle gives a state to what is no object")
        target.state = state


def _nothing(_: Any) -> None:
    """Read what only helps other readers."""


_LITERALS = (
    "INT",
    "BININT",
    "BININT1",
    "BININT2",
    "LONG",
    "LONG1",
    "LONG4",
    "FLOAT",
    "BINFLOAT",
    "STRING",
    "BINSTRING",
    "SHORT_BINSTRING",
    "UNICODE",
    "SHORT_BINUNICODE",
    "BINUNICODE",
    "BINUNICODE8",
    "SHORT_BINBYTES",
    "BINBYTES",
    "BINBYTES8",
    "BYTEARRAY8",
)
"""The instructions that only put their argument on the stack."""


class PickleText:
    """A pickled dataset cut into slices. See `Sliced`.

    There is no text: every slice is empty, and the root of every tree is `unknown`.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.language: Language = "pickle"
        self.slices: list[Slice] = []
        self.faults: list[Fault] = []
        self.header: dict[str, Any] = {}

    def tree(self, index: int) -> Tree:
        """Return an empty tree."""
        return self.header_tree()

    def header_tree(self) -> Tree:
        """Return an empty tree."""
        return Tree(b"", Node("unknown", 0, 0), lambda data, node: decode_json(data, node.start, node.end))


class _Pickled(Slice):
    """A task that has no text of its own."""

    @cached_property
    def hash(self) -> bytes:
        """A hash of the task's value, 16 bytes long."""
        return blake2b(json.dumps(self.value, default=repr).encode(), digest_size=16).digest()


def slice_pickle(document: Document) -> PickleText:
    """Cut a pickled IntellAgent dataset into slices, one a task.

    A slice's value has the keys of the dataset's JSON form: `id`,
    `event_description`, `expected_behaviour`, `policies`, `challenge_level`,
    `scenario` and `relevant_rows`.
    """
    sliced = PickleText(document)
    try:
        events = _events(load_pickle(document.data))
    except PickleError as error:
        sliced.faults.append(Fault(0, 0, str(error)))
        return sliced
    if events is None:
        sliced.faults.append(Fault(0, 0, "the pickle holds no list of IntellAgent's events"))
        return sliced
    plain = _Plain()
    for index, event in enumerate(events):
        sliced.slices.append(_Pickled(document, index, 0, 0, _task(event, plain), (index,)))
    return sliced


def _events(root: Any) -> list[Stand] | None:
    """Return the events of a dataset: the content itself or the list in it."""
    for found in (root, *(root if isinstance(root, tuple | list) else ())):
        if isinstance(found, list) and found and all(isinstance(item, Stand) and item.name in EVENTS for item in found):
            return found
    return None


def _task(event: Stand, plain: _Plain) -> dict[str, Any]:
    state = _state(event)
    description = _state(state.get("description"))
    fields = {
        "id": state.get("id"),
        "event_description": description.get("event_description"),
        "expected_behaviour": description.get("expected_behaviour"),
        "policies": description.get("policies"),
        "challenge_level": description.get("challenge_level"),
        "scenario": state.get("scenario"),
        "relevant_rows": state.get("relevant_rows"),
    }
    return {name: plain.copy(value) for name, value in fields.items()}


def _state(value: Any) -> dict[Any, Any]:
    state = value.state if isinstance(value, Stand) else None
    return state if isinstance(state, dict) else {}


class _Plain:
    """Copies values as JSON has them: what JSON lacks, and what is too much, is `UNKNOWN`."""

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def copy(self, value: Any, depth: int = 0) -> Any:
        """Return a copy of a value."""
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            return UNKNOWN
        if isinstance(value, str):
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if isinstance(value, list | tuple):
            return [self.copy(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {str(key): self.copy(item, depth + 1) for key, item in value.items()}
        if isinstance(value, int) and value.bit_length() > 10_000:
            return UNKNOWN
        return value if value is None or isinstance(value, int | float) else UNKNOWN
