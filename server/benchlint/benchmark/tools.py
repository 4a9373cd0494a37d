"""The tools of a domain, from JSON schemas or from Python source."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from benchlint.benchmark.model import Parameter, Tool, Tools
from benchlint.text.json_text import parse_json
from benchlint.text.json_tree import json_tree
from benchlint.text.locate import locate
from benchlint.text.slices import UNKNOWN, UNPARSED, Fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchlint.benchmark.model import Effect, Requestor
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer, Tree

_COMBINED = ("$ref", "allOf", "anyOf", "oneOf", "patternProperties")
"""Keywords beside `properties` that may allow more arguments."""

_SCHEMA_SIZE = 20_000
"""How many values the schemas of one tool may have, references replaced."""

_SCHEMA_DEPTH = 20
"""How many references may lead to each other."""

_EFFECTS: Mapping[str, Effect] = {"read": "read", "write": "write", "generic": "generic", "think": "generic"}


class ToolList(Struct):
    """What the readers of the formats fill."""

    by_name: dict[tuple[Requestor, str], Tool] = field(default_factory=dict)
    problems: list[tuple[str, Fault]] = field(default_factory=list)
    internal: set[str] = field(default_factory=set)
    complete: bool = True
    open: bool = False

    def problem(self, document: Document, place: tuple[int, int], message: str) -> None:
        """Note what is wrong in a file."""
        self.problems.append((document.path, Fault(*place, message)))


def read_tools(documents: Sequence[Document]) -> Tools:
    """Read the tools of a domain.

    JSON: a list of OpenAI function schemas, bare or with `type` and
    `function`, with `requestor` and `effect` where the file has them; or the
    result of an MCP `tools/list`. Python, as syntax only: classes with
    `@is_tool` methods (tau2-bench), and classes with `get_info`
    (tau-bench). Where two files name a tool, the first counts.

    What cannot be read is left out and named in `problems`; `open` then says
    that there may be more tools than the result tells.
    """
    found = ToolList()
    sources = [document for document in documents if PurePath(document.path).suffix.lower() == ".py"]
    for document in documents:
        if document not in sources:
            _read_json(document, found)
    if sources:
        from benchlint.benchmark.python_tools import read_sources

        read_sources(sources, found)
    digest = blake2b(digest_size=16)
    for document in documents:
        digest.update(PurePath(document.path).name.encode("utf-8", "surrogateescape") + b"\0" + document.hash)
    return Tools(
        found.by_name,
        digest.digest(),
        tuple(document.path for document in documents),
        frozenset(found.internal),
        found.complete,
        tuple(found.problems),
        found.open,
    )


def _read_json(document: Document, found: ToolList) -> None:
    found.complete = False
    value, faults = parse_json(document)
    found.problems.extend((document.path, fault) for fault in faults)
    if value is UNPARSED:
        found.open = True
        return
    pointer, entries = _entries(value)
    if entries is None:
        found.open = True
        message = "the file holds no list of tools: use OpenAI function schemas or the result of MCP tools/list"
        found.problem(document, (document.bom, len(document.data)), message)
        return
    tree = json_tree(document.data, parses=True)
    names: set[tuple[Requestor, str]] = set()
    for index, entry in enumerate(entries):
        _read_entry(document, tree, (*pointer, index), entry, names, found)


def _read_entry(
    document: Document,
    tree: Tree,
    at: Pointer,
    entry: Any,
    names: set[tuple[Requestor, str]],
    found: ToolList,
) -> None:
    """Add one entry of a JSON list of tools."""
    tool, problems = tool_of(entry, document.path)
    for pointer, message in problems:
        part = locate(tree, (*at, *pointer), "value" if pointer else "opening")
        found.problem(document, part, message)
    if tool is None:
        found.open = True
        return
    inner: Pointer = ("function", "name") if isinstance(entry.get("function"), dict) else ("name",)
    start, end = locate(tree, (*at, *inner))
    key = (tool.requestor, tool.name)
    if key in names:
        found.problem(document, (start, end), f'the tool "{tool.name}" is listed twice; the first one counts')
    names.add(key)
    found.by_name.setdefault(key, replace(tool, start=start, end=end))


def _entries(value: Any) -> tuple[Pointer, list[Any] | None]:
    """Return the list of tools in a file's value and the way to it."""
    pointer: Pointer = ()
    if isinstance(value, dict) and isinstance(value.get("result"), dict):
        value, pointer = value["result"], ("result",)
    if isinstance(value, dict):
        key = next((key for key in ("tools", "functions") if isinstance(value.get(key), list)), None)
        if key is None:
            return pointer, None
        value, pointer = value[key], (*pointer, key)
    return pointer, value if isinstance(value, list) else None


def tool_of(entry: Any, path: str) -> tuple[Tool | None, list[tuple[Pointer, str]]]:
    """Read one schema: the tool, if it has a name, and what is wrong where.

    Values that are `UNKNOWN` are no problems; where the parameters are, the
    tool is open.
    """
    if not isinstance(entry, dict):
        return None, [((), "a tool must be an object with a name and parameters")]
    outer: Pointer = ("function",) if "function" in entry else ()
    function = entry["function"] if outer else entry
    if not isinstance(function, dict):
        return None, [(outer, "the function of a tool must be an object with a name and parameters")]
    name = function.get("name")
    if not isinstance(name, str) or not name:
        return None, [] if name is UNKNOWN else [(outer, "a tool must have a name")]
    problems: list[tuple[Pointer, str]] = []
    key = next((key for key in ("parameters", "inputSchema", "input_schema") if key in function), "parameters")
    parameters, is_open, wrong = parameters_of(function.get(key, {}))
    problems.extend(((*outer, key, *pointer), f'tool "{name}": {message}') for pointer, message in wrong)
    requestor: Requestor = "user" if "user" in (entry.get("requestor"), function.get("requestor")) else "assistant"
    description = function.get("description")
    return Tool(
        name,
        parameters,
        requestor,
        _effect(entry, function),
        description if isinstance(description, str) else "",
        is_open,
        path,
    ), problems


def _effect(entry: Mapping[str, Any], function: Mapping[str, Any]) -> Effect:
    for holder in (entry, function):
        effect = holder.get("effect")
        if isinstance(effect, str) and effect in _EFFECTS:
            return _EFFECTS[effect]
    hints = function.get("annotations")
    if isinstance(hints, dict) and isinstance(hints.get("readOnlyHint"), bool):
        return "read" if hints["readOnlyHint"] else "write"
    return "unknown"


def parameters_of(schema: Any) -> tuple[dict[str, Parameter], bool, list[tuple[Pointer, str]]]:
    """Read the JSON schema of a tool's arguments.

    Return the parameters, whether more are allowed, and what is wrong where.
    References are replaced by what they refer to; what is unknown, or refers
    to itself, is the schema `{}`, which allows everything.
    """
    if schema is UNKNOWN or schema is None:
        return {}, schema is UNKNOWN, []
    if not isinstance(schema, dict):
        return {}, True, [((), "the parameters must be a JSON schema of an object")]
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    more = schema.get("additionalProperties", False)
    is_open = more is not False or any(schema.get(key) for key in _COMBINED)
    problems: list[tuple[Pointer, str]] = []
    if not isinstance(properties, dict):
        if properties is not UNKNOWN:
            problems.append((("properties",), "the properties must be an object"))
        return {}, True, problems
    if not isinstance(required, list):
        if required is not UNKNOWN:
            problems.append((("required",), "the required parameters must be a list of names"))
        required = []
    resolver = _Resolver(schema)
    parameters = {}
    for name, inner in properties.items():
        if not isinstance(name, str):
            continue
        if not isinstance(inner, (dict, bool)) and inner is not UNKNOWN:
            problems.append((("properties", name), f'the parameter "{name}" must be a JSON schema'))
        plain = resolver.resolve(inner)
        parameters[name] = Parameter(name, plain if isinstance(plain, dict) else {}, name in required)
    for index, name in enumerate(required):
        if isinstance(name, str) and name not in parameters:
            if not is_open:
                problems.append((("required", index), f'"{name}" is required, but is none of the properties'))
            parameters[name] = Parameter(name, {}, required=is_open)
    return parameters, is_open, problems


class _Resolver:
    """Replaces the references of a schema by what they refer to."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self.left = _SCHEMA_SIZE

    def resolve(self, value: Any, inside: tuple[str, ...] = ()) -> Any:
        """Return a part of the schema; `UNKNOWN` where it is not told.

        `inside` are the references that lead to the part.
        """
        self.left -= 1
        if self.left < 0 or len(inside) > _SCHEMA_DEPTH:
            return UNKNOWN
        if isinstance(value, list):
            items = [self.resolve(item, inside) for item in value]
            return UNKNOWN if any(item is UNKNOWN for item in items) else items
        if not isinstance(value, dict):
            return value
        target = {}
        reference = value.get("$ref")
        if isinstance(reference, str) and reference not in inside:
            found = self.resolve(self._target(reference), (*inside, reference))
            target = found if isinstance(found, dict) else {}
        own = {key: self.resolve(item, inside) for key, item in value.items() if key != "$ref"}
        return {**target, **{key: item for key, item in own.items() if item is not UNKNOWN}}

    def _target(self, reference: str) -> Any:
        target: Any = self.root if reference.startswith("#/") else {}
        for part in reference[2:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            target = target.get(key) if isinstance(target, dict) else None
        return target
