"""How far a judge is trusted: rule by rule, and as far as it has been measured.

Measurements stand in a file, TOML or JSON (`docs/trust.md`):

    [[measurement]]
    judge = "openai/gpt-4o"          # the model string, "offline", or a panel's name
    rule = "missing-confirmation"
    rubric = "1cd25501"              # of the rule's page, as `benchlint explain` shows it
    n = 40                           # findings of this judge under this rule that people looked at
    precision = 0.95                 # the share of them that were right
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Final

from benchlint.catalogue.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchlint.text.document import Document

OFFLINE: Final = "offline"
"""The judge that reads no rubric."""

UNMEASURED: Final = Severity.INFORMATION
"""What a judge's findings may be before anybody has looked at them."""

WARNING_FROM: Final = 0.7
ERROR_FROM: Final = 0.9
"""The lower bounds of precision from which on a finding may be a warning, and an error."""

HINT_BELOW: Final = 0.5
"""A judge whose precision is surely under this gives hints."""

_Z: Final = 1.96
"""The quantile of the normal distribution for an interval of 95 %."""


class TrustError(ValueError):
    """A file of measurements that cannot be used: its path and the reason."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Measurement:
    """How often a judge was right under a rule.

    `n` counts the findings that people looked at, `precision` is the share
    of them, from 0 to 1, that were right; ValueError for other numbers.
    `rubric` is the hash of the rubric that the judge was given; None where it
    was given none.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}
    judge: str
    rule: str
    n: int
    precision: float
    rubric: str | None = None

    def __post_init__(self) -> None:
        if self.n < 1 or not 0 <= self.precision <= 1:
            raise ValueError("n must be at least 1, and precision from 0 to 1")

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson score interval of the precision, at 95 %."""
        return wilson(self.precision, self.n)

    @property
    def ceiling(self) -> Severity:
        """The worst severity that the judge's findings under this rule may have."""
        lower, upper = self.interval
        if lower >= ERROR_FROM:
            return Severity.ERROR
        if lower >= WARNING_FROM:
            return Severity.WARNING
        return Severity.HINT if upper < HINT_BELOW else UNMEASURED


class Trust:
    """Measurements by judge and rule; without any, every judge is unmeasured.

    `rubric_of` returns the hash of a rule's rubric: a measurement under
    another one says nothing of the judge any more. Of several measurements
    of one judge under one rule the last counts.
    """

    def __init__(
        self, measurements: Iterable[Measurement] = (), rubric_of: Callable[[str], str | None] = lambda _: None
    ) -> None:
        self._measured: dict[tuple[str, str], Measurement] = {}
        self._outdated: set[tuple[str, str]] = set()
        for item in measurements:
            key = (item.judge, item.rule)
            if item.rubric is None or rubric_of(item.rule) in (None, item.rubric):
                self._measured[key] = item
            else:
                self._outdated.add(key)

    def measurement(self, judge: str, rule: str) -> Measurement | None:
        """Return what is measured of a judge under a rule."""
        return self._measured.get((judge, rule))

    def is_outdated(self, judge: str, rule: str) -> bool:
        """Say whether a judge was measured under a rule, but only with another rubric."""
        return (judge, rule) in self._outdated and (judge, rule) not in self._measured

    def ceiling(self, judge: str, rule: str) -> Severity:
        """Return the worst severity that a judge's findings under a rule may have."""
        found = self.measurement(judge, rule)
        return found.ceiling if found is not None else UNMEASURED


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return the Wilson score interval, at 95 %, of a share that was seen in n cases, at least one."""
    centre = share + _Z * _Z / (2 * n)
    spread = _Z * sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n))
    scale = 1 + _Z * _Z / n
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def read_trust(document: Document, rubric_of: Callable[[str], str | None] = lambda _: None) -> Trust:
    """Read a file of measurements, JSON where its name says so, else TOML.

    Raises `TrustError`, also for a measurement of a model that does not name
    the rubric.
    """
    found = _measurements(document.path, _values(document))
    for number, item in enumerate(found, 1):
        if item.rubric is None and item.judge != OFFLINE:
            reason = f"rubric of measurement {number}: it is needed, and `benchlint explain {item.rule}` shows it"
            raise TrustError(document.path, reason)
    return Trust(found, rubric_of)


def _values(document: Document) -> Any:
    if document.path.lower().endswith(".json"):
        try:
            return json.loads(document.data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise TrustError(document.path, f"the file is no JSON: {error}") from None
    from benchlint.text.document import Encoding
    from benchlint.text.toml_text import parse_toml

    values, fault = parse_toml(document)
    if fault is not None:
        line, _ = document.position(fault.start, Encoding.UTF32)
        raise TrustError(document.path, f"line {line + 1}: {fault.message}")
    return values


def _measurements(path: str, values: Any) -> list[Measurement]:
    """Check and return the entries of a file."""
    from pydantic import TypeAdapter, ValidationError

    entries = values.get("measurement") if isinstance(values, dict) else None
    if not isinstance(entries, list):
        raise TrustError(path, 'there is no list "measurement"')
    try:
        return TypeAdapter(list[Measurement]).validate_python(entries)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
    number, *keys = problem["loc"]
    place = f"{keys[0]} of measurement {int(number) + 1}" if keys else f"measurement {int(number) + 1}"
    raise TrustError(path, f"{place}: {problem['msg'].removeprefix('Value error, ').lower()}")
