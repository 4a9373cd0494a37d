"""What to say of a value that the schema does not allow."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from benchlint.config import error_at
from benchlint.config_schema.benchmarks import BenchmarkConfig, FieldMapping
from benchlint.config_schema.judge import JudgeConfig, ModelConfig, PriceConfig, ThresholdConfig
from benchlint.config_schema.replay import ReplayConfig
from benchlint.config_schema.reporting import IgnoreConfig, LintConfig, ReportConfig
from benchlint.config_schema.settings import Settings
from benchlint.text.toml_text import key_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.config import ConfigError
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer

_WORDS = {
    "string_type": "a text in quotes",
    "tuple_type": "a list",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "dict_type": "a table",
    "dataclass_type": "a table",
}

_TABLES = {
    "lint": LintConfig,
    "ignore": IgnoreConfig,
    "benchmark": BenchmarkConfig,
    "mapping": FieldMapping,
    "replay": ReplayConfig,
    "judge": JudgeConfig,
    "models": ModelConfig,
    "thresholds": ThresholdConfig,
    "price": PriceConfig,
    "report": ReportConfig,
}


def fault_of(document: Document, table: dict[str, Any], at: Pointer, found: Sequence[Any]) -> ConfigError:
    """Return the error to show of those that pydantic found in a table: the first in the file.

    `at` is where the table stands in the document.
    """
    problems: dict[Pointer, list[Any]] = {}
    for item in found:
        problems.setdefault(_existing(table, item["loc"], item["type"]), []).append(item)
    # of the ways to read a value, the one that went furthest tells what is wrong
    problems = {
        pointer: items
        for pointer, items in problems.items()
        if not any(len(other) > len(pointer) and other[: len(pointer)] == pointer for other in problems)
    }
    placed = [(key_range(document, (*at, *pointer))[0], pointer) for pointer in problems]
    start, pointer = min(placed, key=lambda item: (item[0], -len(item[1])))
    return error_at(document, start, _sentence(table, pointer, problems[pointer]))


def _existing(table: Any, loc: tuple[Any, ...], kind: str) -> Pointer:
    """Return an error's location without the parts that are no keys of the file."""
    pointer: Pointer = ()
    value = table
    for index, part in enumerate(loc):
        listed = isinstance(value, list) and isinstance(part, int) and part < len(value)
        if listed or (isinstance(value, dict) and part in value):
            value = value[part]
        elif kind == "missing" and isinstance(value, dict) and index == len(loc) - 1:
            return (*pointer, part)
        else:
            continue
        pointer = (*pointer, part)
    return pointer


def _sentence(table: Any, pointer: Pointer, problems: list[Any]) -> str:
    """Say what is wrong with a setting."""
    kind, name = problems[0]["type"], name_of(pointer)
    if kind == "unexpected_keyword_argument":
        return _unknown(pointer)
    if kind == "missing":
        return f"{name_of(pointer[:-1])} needs {pointer[-1]}"
    value: Any = table
    for part in pointer:
        value = value[part]
    if kind == "literal_error":
        choices = problems[0]["ctx"]["expected"].replace("'", '"')
        if not isinstance(value, str):
            return f"{name} must be {choices}, not {_type(value)}"
        known = re.findall(r'"([^"]*)"', choices)
        return f'{name} must be {choices}, not "{value}"{_suggestion(value, known)}'
    words = list(dict.fromkeys(_WORDS.get(item["type"], item["msg"]) for item in problems))
    return f"{name} must be {' or '.join(words)}, not {_type(value)}"


def name_of(pointer: Pointer) -> str:
    """Name a setting in a message, its table first: `lint.select`, entry 2 of `ignore`."""
    if not pointer:
        return "the configuration"
    if isinstance(pointer[-1], int):
        return f"entry {pointer[-1] + 1} of {name_of(pointer[:-1])}"
    keys = [str(part) for part in pointer if isinstance(part, str)]
    return ".".join(keys)


def _unknown(pointer: Pointer) -> str:
    table: Any = Settings
    for part in pointer[:-1]:
        if isinstance(part, str):
            table = _TABLES.get(part, table)
    known = [item.name.replace("_", "-") for item in fields(table)]
    where = f"[{name_of(pointer[:-1])}]" if len(pointer) > 1 else "the configuration"
    if len(pointer) > 1 and isinstance(pointer[-2], int):
        where = f"[[{name_of(pointer[:-2])}]]"
    key = str(pointer[-1])
    return f'{where} has no key "{key}"{_suggestion(key, known) or "; it has " + ", ".join(known)}'


def _suggestion(name: str, known: list[str]) -> str:
    from rapidfuzz import fuzz, process

    found = process.extractOne(name.replace("_", "-").lower(), known, scorer=fuzz.ratio, score_cutoff=60)
    return f': did you mean "{found[0]}"?' if found else ""


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    for kind, word in ((str, "a text"), ((int, float), "a number"), (list, "a list"), (dict, "a table")):
        if isinstance(value, kind):
            return word
    return "a date or time"
