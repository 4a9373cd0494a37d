"""From the text of a configuration file to the configuration."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchlint.config import PROJECT, TABLE, error_at
from benchlint.config_schema.settings import Config, Settings
from benchlint.text.toml_text import key_range, parse_toml

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer


def read_config(document: Document) -> Config:
    """Read a configuration; ConfigError where it cannot be used."""
    from benchlint.config_schema.requirements import check

    values, fault = parse_toml(document)
    if fault is not None:
        raise error_at(document, fault.start, fault.message)
    project = Path(document.path).name == PROJECT
    table: Any = values
    for key in TABLE if project else ():
        table = table.get(key) if isinstance(table, dict) else None
    at = TABLE if project else ()
    if not isinstance(table, dict):
        missing = "the file has no table [tool.benchlint]" if table is None else "[tool.benchlint] must be a table"
        raise error_at(document, key_range(document, at)[0], missing)
    settings = _validated(document, table, at)
    values = {item.name: getattr(settings, item.name) for item in fields(Settings)}
    config = Config(**values, document=document, table=at)
    check(config)
    return config


def _validated(document: Document, table: dict[str, Any], at: Pointer) -> Settings:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Settings).validate_python(table)
    except ValidationError as error:
        from benchlint.config_schema.faults import fault_of

        problems = error.errors(include_url=False, include_input=False)
    raise fault_of(document, table, at, problems)
