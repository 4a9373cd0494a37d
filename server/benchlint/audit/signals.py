"""The signals of a table: what scores the agents, and on which scale."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from benchlint.audit.errors import AuditError
from benchlint.audit.families import family_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.audit.options import Options

Kind = Literal["gate", "proxy", "human", "dimension"]

_PREFIXES: Final[tuple[tuple[str, Kind], ...]] = (
    ("gate", "gate"),
    ("proxy", "proxy"),
    ("human", "human"),
    ("dim", "dimension"),
)
_RANK: Final = "rank_"
_REWARD_RANK: Final = "rank_reward"
_RATER: Final = "rater_"
_OF_DIMENSION: Final = "__"
_NO_SIGNAL: Final = ("_se", "_reward")

SCALES: Final = ((1.0, 7.0), (1.0, 10.0))
"""The scales that are recognised by the values; any other must be told."""
_SATISFIED: Final = {(1.0, 7.0): 5.0, (1.0, 10.0): 8.0}
_STRICT_JUDGES: Final = {("OpenAI", (1.0, 7.0)): 4.0}
"""GPT judges grade about one point of seven lower than people and other judges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """What scores transcripts or agents; higher is better.

    A gate is a judge that knows the policy, a proxy one that only sees
    satisfaction, `human` people; a dimension is one subjective aspect.
    `low` and `high` are the ends of the scale, `threshold` the score from
    which a transcript counts as satisfied, each None where it is unknown.
    `family` is who made the judge. Of `ranks`, where 1 is best, the frame
    holds the negatives.
    """

    name: str
    kind: Kind
    low: float | None = None
    high: float | None = None
    threshold: float | None = None
    family: str | None = None
    ranks: bool = False

    @property
    def is_judge(self) -> bool:
        """Whether it is a model that decides about agents."""
        return self.kind in ("gate", "proxy")

    @property
    def scale(self) -> tuple[float, float] | None:
        """The ends of the scale, if they are known."""
        return (self.low, self.high) if self.low is not None and self.high is not None else None


def kind_of(column: str, options: Options) -> Kind | None:
    """Return which kind of signal a column is, or None where it is none."""
    if column in options.kinds:
        kind = options.kinds[column]
        if kind not in get_args(Kind):
            raise AuditError(f'{column} cannot be a signal of kind "{kind}": there are {", ".join(get_args(Kind))}')
        return cast("Kind", kind)
    if column == _REWARD_RANK or column.endswith(_NO_SIGNAL) or _OF_DIMENSION in column:
        return None
    if column.startswith(_RANK):
        return "gate"
    return next((kind for prefix, kind in _PREFIXES if column == prefix or column.startswith(f"{prefix}_")), None)


def is_rank(column: str) -> bool:
    """Say whether a column holds ranks, 1 the best."""
    return column.startswith(_RANK)


def rater_columns(columns: Iterable[str]) -> list[str]:
    """Return the columns of single raters: `rater_<name>`."""
    return [column for column in columns if column.startswith(_RATER)]


def dimension_raters(columns: Iterable[str], dimension: str) -> list[str]:
    """Return the columns of the raters of one dimension: `dim_<name>__<rater>`."""
    return [column for column in columns if column.startswith(f"{dimension}{_OF_DIMENSION}")]


def describe(column: str, kind: Kind, lowest: float | None, highest: float | None, options: Options) -> Signal:
    """Make a signal of a column whose values lie between `lowest` and `highest`."""
    ranks = is_rank(column)
    family = options.families.get(column) or (family_of(column) if kind in ("gate", "proxy") else None)
    if ranks:
        return Signal(name=column, kind=kind, family=family, ranks=True)
    scale = options.scales.get(column) or _scale(lowest, highest)
    threshold = options.thresholds.get(column)
    if scale is not None and threshold is None:
        threshold = _STRICT_JUDGES.get((family or "", scale), _SATISFIED.get(scale))
    if (
        scale is not None
        and lowest is not None
        and highest is not None
        and not scale[0] <= lowest <= highest <= scale[1]
    ):
        raise AuditError(
            f"{column} has values from {lowest:g} to {highest:g}, outside its scale {scale[0]:g} to {scale[1]:g}"
        )
    low, high = scale or (None, None)
    return Signal(name=column, kind=kind, low=low, high=high, threshold=threshold, family=family)


def plain(name: str) -> str:
    """Return a signal's name for reading: `rank_opus_4_8` is `opus 4.8 (ranks)`."""
    if not is_rank(name):
        return name
    words = re.sub(r"(?<=\d)_(?=\d)", ".", name.removeprefix(_RANK))
    return f"{words.replace('_', ' ')} (ranks)"


def _scale(lowest: float | None, highest: float | None) -> tuple[float, float] | None:
    if lowest is None or highest is None or highest <= 1.0:
        return None
    return next((scale for scale in SCALES if scale[0] <= lowest and highest <= scale[1]), None)
