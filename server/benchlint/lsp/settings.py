"""What an editor sets: `initializationOptions`, and the section `benchlint` of its configuration."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from benchlint.analysis.options import JudgeOptions, Options
from benchlint.catalogue.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

SECTION: Final = "benchlint"


When = Literal["onSave", "onType", "manual"]
"""When models are asked about a task that was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """Who judges, when, and the most that it may take in a session: calls and US dollars."""

    models: tuple[str, ...] = ()
    when: When = "onSave"
    max_calls: int | None = None
    max_usd: float | None = None

    @property
    def options(self) -> JudgeOptions:
        """The options of a run."""
        return JudgeOptions(judges=self.models, max_calls=self.max_calls, max_usd=self.max_usd)


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
    judge: JudgeSettings = field(default_factory=JudgeSettings)

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
        for item in fields(Settings):
            name = _camel(item.name)
            given = value.get(name)
            if given is None:
                continue
            try:
                settings = replace(settings, **{item.name: _READERS[item.name](given)})
            except (TypeError, ValueError) as error:
                problems.append(f"the setting {SECTION}.{name} cannot be used: {error}")
    return settings, problems


def is_trusted(value: Any) -> bool:
    """Say whether the folders are trusted, by `initializationOptions` or a notification: so unless it says otherwise.

    No settings are asked: a folder can bring those along.
    """
    given = _inside(value).get("trusted")
    return given is None or given is True


def is_set(value: Any, name: str) -> bool:
    """Say whether `initializationOptions` have a flag."""
    return _inside(value).get(name) is True


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
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
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


def _judge(value: Any) -> JudgeSettings:
    if not isinstance(value, dict):
        raise TypeError("it must be an object")
    models = _names(value.get("models") or ())
    when: When | None = next((item for item in get_args(When) if item == (value.get("when") or "onSave")), None)
    if when is None:
        raise ValueError(f"judge.when must be one of {', '.join(get_args(When))}")
    limits = {name: value.get(_camel(name)) for name in ("max_calls", "max_usd")}
    for name, limit in limits.items():
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, float)) or limit < 0):
            raise ValueError(f"judge.{_camel(name)} must be a number of at least 0")
    return JudgeSettings(models=models, when=when, **limits)


_READERS: dict[str, Callable[[Any], Any]] = {
    "select": _names,
    "ignore": _names,
    "min_severity": _severity,
    "configuration": _path,
    "max_diagnostics": _most,
    "judge": _judge,
}
