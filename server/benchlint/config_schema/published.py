"""The JSON schema that is published for editors."""

from __future__ import annotations

from typing import Any

from benchlint.config_schema.settings import Settings
from benchlint.config_schema.values import SCHEMA


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration file."""
    from pydantic import TypeAdapter

    SCHEMA["use_attribute_docstrings"] = True
    try:
        schema = TypeAdapter(Settings).json_schema()
    finally:
        SCHEMA["use_attribute_docstrings"] = False
    _plain(schema)
    for name in ("lint", "judge", "report"):
        schema["properties"][name].pop("default", None)
    schema["$defs"]["JudgeConfig"]["properties"]["thresholds"].pop("default", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "benchlint.toml"}


def _plain(schema: Any) -> None:
    """Leave out the titles that pydantic makes of names."""
    if isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for item in schema.values():
            _plain(item)
    elif isinstance(schema, list):
        for item in schema:
            _plain(item)
