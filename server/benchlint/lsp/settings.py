"""What an editor sets: `initializationOptions`, and the section `benchlint` of its configuration."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.options import Options
from benchlint.catalogue.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

SECTION: Final = "benchlint"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """An editor's settings, in camel case on the wire: `maxDiagnostics`.

    They come before the configuration file where they are set, as the options
    of the command line do. `max_diagnostics` is the most that one file shows.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_severity: Severity | None = None
    configuration: str | None = None
    max_diagnostics: int = 500

    @property
    def options(self) -> Options:
        """The options of a run."""
        return Options(select=self.select, ignore=self.ignore, min_severity=self.min_severity)


def parse_settings(*values: Any) -> tuple[Settings, list[str]]:
    """Read settings, the last value of each; what cannot be used is left out, with a sentence that says so.

    `{"settings": {...}}` and `{"benchlint": {...}}` mean what stands inside.
    """
    settings = Settings()
    problems: list[str] = []
    for value in map(_inside, values):
        for field in fields(Settings):
            name = _camel(field.name)
            given = value.get(name)
            if given is None:
                continue
            try:
                settings = replace(settings, **{field.name: _READERS[field.name](given)})
            except (TypeError, ValueError) as error:
                problems.append(f"the setting {SECTION}.{name} cannot be used: {error}")
    return settings, problems


def _inside(value: Any) -> dict[str, Any]:
    for wrapper in ("settings", SECTION):
        if isinstance(value, dict) and isinstance(value.get(wrapper), dict):
            value = value[wrapper]
    return value if isinstance(value, dict) else {}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _names(value: Any) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise TypeError("it must be a list of names")
    return tuple(items)


def _severity(value: Any) -> Severity:
    return Severity.parse(str(value))


def _path(value: Any) -> str | None:
    if not isinstance(value, str):
        raise TypeError("it must be a path")
    return value or None


def _most(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("it must be a number of at least 1")
    return value


_READERS: dict[str, Callable[[Any], Any]] = {
    "select": _names,
    "ignore": _names,
    "min_severity": _severity,
    "configuration": _path,
    "max_diagnostics": _most,
}
