"""Tools from Python source, read as syntax: tau2-bench tool kits and tau-bench tool classes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from inspect import cleandoc
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from benchlint.benchmark.effects import effect_on
from benchlint.benchmark.model import Parameter, Tool
from benchlint.benchmark.python_models import MODEL, schema_of_model
from benchlint.benchmark.python_syntax import PythonSource, content_range, first, text, walk
from benchlint.benchmark.tools import tool_of
from benchlint.text.slices import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from benchlint.benchmark.model import Effect, Requestor
    from benchlint.benchmark.tools import ToolList
    from benchlint.text.document import Document

_KIT = "ToolKitBase"
_KIT_FUNCTIONS = frozenset(
    {"get_db_hash", "get_statistics", "get_tools", "has_tool", "tool_type", "update_db", "use_tool"}
)
"""What every tool kit of tau2-bench inherits."""

_GENERIC_KIT = "GenericToolKit"
_GENERIC_TOOLS = {"think": "thought", "calculate": "expression"}
"""The tools of tau2-bench's own kit, each with its one parameter."""

_PLAIN_BASES = frozenset({"ABC", "Generic", "Protocol", "object", _KIT, _GENERIC_KIT})
_DECORATOR = re.compile(r"is_\w*tool")
_USER_FILE = re.compile(r"(^|_)user(_|$)")
_USER_CLASS = re.compile(r"User_?Tool", re.IGNORECASE)
_EFFECTS: Mapping[str, Effect] = {"READ": "read", "WRITE": "write", "GENERIC": "generic", "THINK": "generic"}
_SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Params|Returns|Raises|Yields|Examples?):[ \t]*$|^:\w+.*:", re.MULTILINE
)
_ARGUMENTS = re.compile(r"^(?:Args|Arguments|Parameters|Params):[ \t]*\n((?:[ \t]+.*\n?|[ \t]*\n)*)", re.MULTILINE)
_ARGUMENT = re.compile(
    r"^([ \t]+)\*{0,2}(\w+)[ \t]*(?:\([^)\n]*\))?:[ \t]*(.*(?:\n(?:\1[ \t]+.*|[ \t]*$))*)", re.MULTILINE
)

_SIMPLE = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "dict": "object",
    "Dict": "object",
    "Mapping": "object",
    "None": "null",
}
_ARRAYS = frozenset({"list", "List", "Sequence", "Iterable", "set", "Set", "tuple", "Tuple"})
_ENUMS = frozenset({"Enum", "StrEnum", "IntEnum"})


@dataclass(frozen=True, slots=True)
class _Class:
    """A class at the top of a file: its bases by name, and its methods."""

    source: PythonSource
    node: Node
    name: str
    bases: tuple[str, ...]
    methods: tuple[tuple[Node, tuple[Node, ...]], ...]
    """Each with its decorators."""

    def method(self, name: str) -> Node | None:
        """Return a method by its name."""
        return next((node for node, _ in self.methods if _name(node) == name), None)


def read_sources(documents: Sequence[Document], found: ToolList) -> None:
    """Add the tools of Python files that belong together.

    Names that one file imports from another of them are known, all others
    are not; nothing is claimed of what is unknown.
    """
    sources = [PythonSource(document) for document in documents]
    for source in sources:
        fault = source.fault
        if fault is not None:
            found.problems.append((source.document.path, fault))
            found.open = True
            found.complete = False
    classes = [item for source in sources for item in _classes(source)]
    reader = _Reader(sources, classes, found)
    kits = reader.kits()
    for item in classes:
        if item.name in kits:
            reader.kit(item)
        elif item.method("get_info") is not None:
            reader.described(item)
    if not found.by_name and not found.problems:
        found.open = True
        message = "no tool found: expected methods with @is_tool, or classes with get_info"
        found.problem(documents[0], documents[0].line_range(0), message)


class _Reader:
    """Reads the classes of some files that know each other."""

    def __init__(self, sources: Sequence[PythonSource], classes: Sequence[_Class], found: ToolList) -> None:
        self.sources = sources
        self.classes = {item.name: item for item in classes}
        self.found = found
        self.models: dict[str, dict[str, Any]] = {}

    def kits(self) -> set[str]:
        """Return the names of the classes that are tool kits of tau2-bench."""
        kits = {item.name for item in self.classes.values() if any(map(_tool_effect, _decorators(item)))}
        kits |= {_KIT, _GENERIC_KIT}
        size = 0
        while size != len(kits):
            size = len(kits)
            kits |= {name for name, item in self.classes.items() if kits.intersection(item.bases)}
        return kits

    def kit(self, item: _Class) -> None:
        """Add the tools and the other public methods of a tool kit."""
        path = item.source.document.path
        names = (item.name, *item.bases)
        is_user = _USER_FILE.search(PurePath(path).stem) or any(map(_USER_CLASS.search, names))
        requestor: Requestor = "user" if is_user else "assistant"
        if any(base not in self.classes and base not in _PLAIN_BASES for base in item.bases):
            self.found.open = True
            self.found.complete = False
        self.found.internal |= _KIT_FUNCTIONS
        if _GENERIC_KIT in item.bases:
            for name, parameter in _GENERIC_TOOLS.items():
                parameters = {parameter: Parameter(parameter, {"type": "string"}, required=True)}
                self.found.by_name.setdefault((requestor, name), Tool(name, parameters, requestor, "generic"))
        for method, decorators in item.methods:
            effects = [effect for effect in map(_tool_effect, decorators) if effect is not None]
            if effects:
                tool = self._tool(item, method, decorators, requestor, effects[0])
                self.found.by_name[requestor, tool.name] = tool
            elif not _name(method).startswith("_") and "property" not in map(_decorator_name, decorators):
                self.found.internal.add(_name(method))

    def _tool(
        self, item: _Class, method: Node, decorators: Sequence[Node], requestor: Requestor, effect: Effect
    ) -> Tool:
        documentation = _docstring(item.source, method)
        section = _SECTION.search(documentation)
        described = _described_arguments(documentation)
        bound = "staticmethod" not in map(_decorator_name, decorators)
        parameters, is_open = self._parameters(item.source, method, bound=bound)
        for name, description in described.items():
            if name in parameters:
                known = parameters[name]
                schema = {**known.schema, "description": description}
                parameters[name] = Parameter(name, schema, known.required)
        name_node = method.child_by_field_name("name") or method
        return Tool(
            text(name_node),
            parameters,
            requestor,
            effect,
            documentation[: section.start() if section else None].strip(),
            is_open,
            item.source.document.path,
            name_node.start_byte,
            name_node.end_byte,
        )

    def _parameters(self, source: PythonSource, method: Node, *, bound: bool) -> tuple[dict[str, Parameter], bool]:
        parameters: dict[str, Parameter] = {}
        is_open = False
        listed = method.child_by_field_name("parameters")
        for node in listed.named_children if listed is not None else ():
            inner = first(node) if node.type == "typed_parameter" else node
            name_node = node.child_by_field_name("name") or inner
            if inner is None or name_node is None or node.type == "comment":
                continue
            if inner.type == "dictionary_splat_pattern":
                is_open = True
            if name_node.type != "identifier":
                continue
            if bound:
                bound = False
                continue
            default = node.child_by_field_name("value")
            annotation = node.child_by_field_name("type")
            schema = {} if annotation is None else self.schema(source, annotation)
            if default is not None and default.type == "none":
                schema = _any_of([schema, {"type": "null"}])
            parameters[text(name_node)] = Parameter(text(name_node), schema, default is None)
        return parameters, is_open

    def described(self, item: _Class) -> None:
        """Add the tool of a class whose `get_info` returns its schema."""
        source = item.source
        method = item.method("get_info")
        returned = _returned(method) if method is not None else None
        entry: Any = source.literal(returned) if returned is not None else UNKNOWN
        tool, problems = tool_of(entry, source.document.path) if entry is not UNKNOWN else (None, [])
        for pointer, message in problems:
            keys = [str(part) for part in pointer]
            node = source.entry(returned, *keys) if returned is not None else None
            node = node or returned or item.node
            first_line = source.document.line_range(node.start_point[0])[1]
            self.found.problem(source.document, (node.start_byte, min(node.end_byte, first_line)), message)
        if tool is None:
            self.found.open = True
            return
        keys = ["function", "name"] if "function" in entry else ["name"]
        name_node = source.entry(returned, *keys) if returned is not None else None
        is_text = name_node is not None and name_node.type in ("string", "concatenated_string")
        start, end = content_range(name_node) if name_node is not None and is_text else _name_range(item.node)
        if tool.effect == "unknown":
            tool = replace(tool, effect=_invoke_effect(item))
        self.found.by_name.setdefault((tool.requestor, tool.name), replace(tool, start=start, end=end))

    def schema(self, source: PythonSource, node: Node, depth: int = 0) -> dict[str, Any]:
        """Return the JSON schema of an annotation; `{}` where it is unknown."""
        if depth > 20:
            return {}
        if node.type == "type":
            return self.schema(source, _bare(node), depth + 1)
        if node.type in ("identifier", "attribute"):
            return self._named(text(node).rpartition(".")[2], depth)
        if node.type == "none":
            return {"type": "null"}
        if node.type == "binary_operator" and node.child_count == 3 and text(node.children[1]) == "|":
            return _any_of([self.schema(source, side, depth + 1) for side in (node.children[0], node.children[2])])
        if node.type in ("generic_type", "subscript"):
            outer, *inner = node.named_children
            if inner and inner[0].type == "type_parameter":
                inner = inner[0].named_children
            return self._generic(source, text(outer).rpartition(".")[2], inner, depth)
        return {}

    def _named(self, name: str, depth: int) -> dict[str, Any]:
        if name in _SIMPLE:
            return {"type": _SIMPLE[name]}
        if name in _ARRAYS:
            return {"type": "array"}
        for source in self.sources:
            value = source.values.get(name)
            if value is not None:
                return self.schema(source, value, depth + 1)
        item = self.classes.get(name)
        if item is not None and _ENUMS.intersection(item.bases):
            return _enum(item)
        if item is not None and item.bases == (MODEL,):
            return self._model(item, depth)
        return {}

    def _model(self, item: _Class, depth: int) -> dict[str, Any]:
        """Return the schema of a model, which is read once; one inside itself is left open."""
        if item.name not in self.models:
            self.models[item.name] = {}
            self.models[item.name] = schema_of_model(item.node, lambda node: self.schema(item.source, node, depth + 1))
        return self.models[item.name]

    def _generic(self, source: PythonSource, name: str, inner: Sequence[Node], depth: int) -> dict[str, Any]:
        if name == "Literal":
            values = [source.literal(_bare(node)) for node in inner]
            return {} if UNKNOWN in values else {"enum": values}
        if name == "Optional":
            return _any_of([*(self.schema(source, node, depth + 1) for node in inner), {"type": "null"}])
        if name == "Union":
            return _any_of([self.schema(source, node, depth + 1) for node in inner])
        if name == "Annotated" and inner:
            return self.schema(source, inner[0], depth + 1)
        if name in _ARRAYS:
            item = self.schema(source, inner[0], depth + 1) if len(inner) == 1 else {}
            return {"type": "array", "items": item} if item else {"type": "array"}
        return self._named(name, depth) if name in _SIMPLE else {}


def _any_of(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a union; one unknown member makes it unknown."""
    members: list[dict[str, Any]] = []
    for schema in schemas:
        for member in schema["anyOf"] if schema.keys() == {"anyOf"} else [schema]:
            if not member:
                return {}
            if member not in members:
                members.append(member)
    return members[0] if len(members) == 1 else {"anyOf": members}


def _enum(item: _Class) -> dict[str, Any]:
    body = item.node.child_by_field_name("body")
    values = []
    for statement in body.named_children if body is not None else ():
        inner = first(statement) if statement.type == "expression_statement" else None
        right = inner.child_by_field_name("right") if inner is not None and inner.type == "assignment" else None
        if right is not None:
            values.append(item.source.literal(right))
    return {} if UNKNOWN in values or not values else {"enum": values}


def _classes(source: PythonSource) -> Iterator[_Class]:
    for statement in source.module.named_children:
        node = statement.child_by_field_name("definition") if statement.type == "decorated_definition" else statement
        if node is None or node.type != "class_definition":
            continue
        arguments = node.child_by_field_name("superclasses")
        bases = arguments.named_children if arguments is not None else []
        names = (
            text(first(base) or base if base.type == "subscript" else base)
            for base in bases
            if "argument" not in base.type
        )
        yield _Class(source, node, _name(node), tuple(name.rpartition(".")[2] for name in names), tuple(_methods(node)))


def _methods(node: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    body = node.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        decorators: tuple[Node, ...] = ()
        function: Node | None = member
        if member.type == "decorated_definition":
            decorators = tuple(child for child in member.named_children if child.type == "decorator")
            function = member.child_by_field_name("definition")
        if function is not None and function.type == "function_definition":
            yield function, decorators


def _decorators(item: _Class) -> list[Node]:
    return [decorator for _, decorators in item.methods for decorator in decorators]


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return text(name) if name is not None else ""


def _name_range(node: Node) -> tuple[int, int]:
    name = node.child_by_field_name("name") or node
    return name.start_byte, name.end_byte


def _decorator_name(decorator: Node) -> str:
    called = first(decorator) or decorator
    function = called.child_by_field_name("function") if called.type == "call" else called
    return text(function).rpartition(".")[2] if function is not None else ""


def _tool_effect(decorator: Node) -> Effect | None:
    """Return the effect that `@is_tool` declares; None for another decorator."""
    if not _DECORATOR.fullmatch(_decorator_name(decorator)):
        return None
    called = first(decorator)
    argument = first(called.child_by_field_name("arguments")) if called is not None else None
    if argument is None:
        return "read"
    kind = re.split(r"\W", text(argument).strip("\"'"))[-1]
    return _EFFECTS.get(kind.upper(), "unknown")


def _docstring(source: PythonSource, function: Node) -> str:
    statement = first(function.child_by_field_name("body"))
    inner = first(statement) if statement is not None and statement.type == "expression_statement" else None
    value = source.literal(inner) if inner is not None else UNKNOWN
    return cleandoc(value) if isinstance(value, str) else ""


def _described_arguments(documentation: str) -> dict[str, str]:
    """Return the description of each argument in a docstring's section of arguments."""
    section = _ARGUMENTS.search(documentation)
    if section is None:
        return {}
    return {match[2]: " ".join(match[3].split()) for match in _ARGUMENT.finditer(section[1])}


def _returned(function: Node) -> Node | None:
    """Return what a function returns, if it returns in one place."""
    returns = [node for node in walk(function) if node.type == "return_statement"]
    return first(returns[0]) if len(returns) == 1 else None


def _bare(node: Node) -> Node:
    return first(node) or node if node.type == "type" else node


def _invoke_effect(item: _Class) -> Effect:
    """Say what `invoke` does to its first argument, the database."""
    for method, decorators in item.methods:
        if _name(method) != "invoke":
            continue
        listed = method.child_by_field_name("parameters")
        names = [name for node in (listed.named_children if listed is not None else ()) for name in walk(node)]
        identifiers = [text(name) for name in names if name.type == "identifier"]
        skip = "staticmethod" not in map(_decorator_name, decorators)
        return effect_on(method, identifiers[skip]) if len(identifiers) > skip else "unknown"
    return "unknown"
