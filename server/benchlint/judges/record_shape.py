"""What the records of a database look like: the paths of their fields, with types.

Of their values only those are told that are few, come again and hold no
figure (a status), and of dates how they are written. They stand as JSON
after the field's name, so that what is redacted by name is redacted here too.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from benchlint.benchmark.database_files import DatabaseError

if TYPE_CHECKING:
    from benchlint.benchmark.database import Database

_SAMPLE: Final = 200
"""So many records of a collection are looked at."""

_MAP: Final = 4
"""One object with more keys than these, all with objects, holds records by id."""

_VALUES: Final = 8
"""A field with so few texts in the sample is an enumeration."""

_SHOWN: Final = 40
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?")


def record_shape(database: Database, size: int) -> str:
    """Return a line for each field: `db.orders[ID].status: string, "status": ["pending", "delivered"]`.

    At most `size` characters; a database that cannot be read has no shape.
    """
    try:
        data = database.data
    except DatabaseError:
        return "(the database cannot be read)"
    lines: list[str] = []
    for name, value in data.items():
        _describe(f"db.{name}", [value], lines)
    text = ""
    for index, line in enumerate(lines):
        if len(text) + len(line) + 1 > size:
            return f"{text}({len(lines) - index} more fields were left out for their number)"
        text += line + "\n"
    return text.rstrip("\n") or "(the database is empty)"


def _describe(path: str, values: list[Any], lines: list[str]) -> None:
    """Add the lines of what is found at a path."""
    objects = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    scalars = [value for value in values if not isinstance(value, (dict, list))]
    if objects:
        if _is_map(objects):
            inside = [record for value in objects for record in list(value.values())[:_SAMPLE]]
            _describe(f"{path}[ID]", inside[:_SAMPLE], lines)
        else:
            names = dict.fromkeys(name for value in objects for name in value)
            for name in names:
                found = [value[name] for value in objects if name in value]
                _describe(f"{path}.{name}" if str(name).isidentifier() else f"{path}[{json.dumps(name)}]", found, lines)
    if lists:
        inside = [entry for value in lists for entry in value[:_SAMPLE]]
        _describe(f"{path}[ID]" if _is_table(path, inside) else f"{path}[INDEX]", inside[:_SAMPLE], lines)
        if not inside:
            lines.append(f"{path}: an empty list")
    if scalars:
        lines.append(f"{path}: {_types(path, scalars)}")


def _is_map(objects: list[dict[str, Any]]) -> bool:
    """Say whether the keys of objects are ids: many, each with an object, and hardly one of them twice."""
    sizes = sum(map(len, objects))
    keys = {key for value in objects for key in value}
    all_objects = all(isinstance(inner, dict) for value in objects for inner in list(value.values())[:_SAMPLE])
    if not all_objects or not keys:
        return False
    if all(any(map(str.isdigit, str(key))) for key in keys):
        return True
    return len(keys) > _MAP if len(objects) == 1 else 2 * len(keys) > sizes


def _is_table(path: str, entries: list[Any]) -> bool:
    """Say whether a list holds records at the top of the database, which are found by their ids."""
    return path.count(".") == 1 and "[" not in path and all(isinstance(entry, dict) for entry in entries)


def _types(path: str, values: list[Any]) -> str:
    told = " or ".join(dict.fromkeys(map(_type, values)))
    texts = list(dict.fromkeys(value for value in values if isinstance(value, str)))
    dates = [text for text in texts if _DATE.fullmatch(text)]
    if dates:
        return f"{told}, written as {re.sub('[0-9]', '9', dates[0])}"
    if not texts or len(texts) > _VALUES or len(texts) == len(values) or any(map(str.isdigit, "".join(texts))):
        return told
    name = json.dumps(re.split(r"[.\[]", path.replace("[ID]", "").replace("[INDEX]", ""))[-1].strip('"]'))
    return f"{told}, {name}: {json.dumps([text[:_SHOWN] for text in texts], ensure_ascii=False)}"


def _type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    return "double" if isinstance(value, float) else "string"
