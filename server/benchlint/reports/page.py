"""HTML from a template, in which no text under judgement can be anything but text."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from benchlint.reports.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Template


def template(package: str, name: str, polish: Callable[[str], str] = str) -> Template:
    """Return a template that a package ships.

    Strings are escaped and their control characters made visible, unless
    they are markup of ours; `polish` is applied to each of them last.
    """
    import jinja2
    import markupsafe

    def finalize(value: Any) -> Any:
        if not isinstance(value, str) or isinstance(value, markupsafe.Markup):
            return value
        return polish(visible(value))

    environment = jinja2.Environment(
        autoescape=True,
        finalize=finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(files(package).joinpath(name).read_text("utf-8"))
