"""The operating region: where a gate may decide, and until when that holds."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchlint.audit.errors import AuditError
from benchlint.audit.figures.abstention import gaps_to_try
from benchlint.audit.figures.base import Figures, plain
from benchlint.audit.figures.decisions import signal_pairs
from benchlint.audit.stats.estimate import Estimate, undefined

if TYPE_CHECKING:
    from benchlint.audit.figures.construct import Construct
    from benchlint.audit.figures.ranking import Ranking
    from benchlint.audit.signals import Signal
    from benchlint.audit.study import Study

FORMAT = 1
_HEADER = "# Where a gate may decide, by `benchlint audit`; docs/audit.md describes the keys."
MIN_PAIRS = 20
"""A gap from which fewer pairs are left is not vouched for."""


@dataclass(frozen=True, kw_only=True)
class JudgeRegion:
    """Where one gate may decide.

    `decides_from` is the smallest gap of its scores (of its ranks, where it
    has only these) from which on at most the tolerated share of pairs is
    ordered wrongly; None where there is none. `error` is the share at that
    gap, `near_equal_error` the share among near-equal agents there, and
    `coverage` the share of pairs that it decides. `domains` are those
    in which its correlation with the reward is at least the smallest
    detectable one; None where the table has no domains.
    `construct_valid` is None where that was not measured.
    """

    decides_from: float | None
    unit: str
    error: Estimate
    near_equal_error: Estimate
    coverage: Estimate
    spearman: Estimate
    construct_valid: bool | None
    domains: list[str] | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Region(Figures):
    """The operating region (GAUGE, where a gate may decide and how long an audit holds).

    It holds for these `judges`, `simulators`, `agents` and `domains`: a new
    judge or simulator, or an agent outside the pool whose rewards span
    `reward_from` to `reward_to`, asks for a new audit. Agents nearer than
    `near_equal` in reward are outside of it whatever the gap.
    """

    near_equal: float
    tolerance: float
    judges: dict[str, JudgeRegion] = field(default_factory=dict)
    simulators: list[str] = field(default_factory=list)
    domains: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    base_models: list[str] = field(default_factory=list)
    reward_from: float | None = None
    reward_to: float | None = None
    valid_until: list[str] = field(default_factory=list)
    reason: str | None = None


def region(study: Study, ranking: Ranking, construct: Construct) -> Region:
    """Derive the operating region from the figures."""
    options, agents = study.options, study.agents
    reason = None
    if not study.gates:
        reason = "the table has no gate"
    elif len(agents) < 2:
        reason = "there is one agent: a decision takes two"
    return Region(
        near_equal=options.near_equal,
        tolerance=options.tolerance,
        judges={} if reason else {signal.name: _judge(study, signal, ranking, construct) for signal in study.gates},
        simulators=_values(study, "simulator"),
        domains=_values(study, "domain"),
        agents=list(agents.names),
        base_models=_values(study, "base_model"),
        reward_from=float(agents.reward.min()) if len(agents) else None,
        reward_to=float(agents.reward.max()) if len(agents) else None,
        valid_until=["judge", "simulator", "pool"],
        reason=reason,
    )


def _values(study: Study, column: str) -> list[str]:
    if not study.frame.has(column):
        return []
    return sorted(str(value) for value in study.frame.data[column].drop_nulls().unique())


def _judge(study: Study, signal: Signal, ranking: Ranking, construct: Construct) -> JudgeRegion:
    pairs = signal_pairs(study, signal.name)
    total = int(pairs.counted.sum())
    chosen = None
    for gap in reversed(gaps_to_try(signal)):
        kept = pairs.counted & (pairs.gap >= gap) & (pairs.gap > 0)
        count = int(kept.sum())
        if count < MIN_PAIRS:
            continue
        if int((pairs.wrong & kept).sum()) > study.options.tolerance * count:
            break
        chosen = gap
    unit = "ranks" if signal.ranks else "points"
    found = ranking.signals[signal.name]
    gap_figures = construct.signals.get(signal.name)
    valid = None
    if gap_figures is not None and gap_figures.gap is not None:
        rate = gap_figures.gap.failed_among_satisfied.value
        valid = rate is not None and rate <= study.options.ceiling
    least = ranking.smallest_detectable.value
    domains = None
    if found.by_domain:
        domains = [
            name
            for name, rho in found.by_domain.items()
            if rho.value is not None and least is not None and rho.value >= least
        ]
    if chosen is None:
        most = f"{100 * study.options.tolerance:g} % of at least {MIN_PAIRS} pairs"
        why = f"from no gap on are at most {most} ordered wrongly"
        error = near_equal = coverage = undefined(why, total)
    else:
        why = None
        kept = pairs.counted & (pairs.gap >= chosen) & (pairs.gap > 0)
        near = kept & (pairs.apart < study.options.near_equal)
        error = study.pair_rate(pairs.wrong & kept, kept, "pair")
        near_equal = study.pair_rate(pairs.wrong & near, near, "near-equal pair with that gap")
        coverage = Estimate(int(kept.sum()) / total, total)
    return JudgeRegion(
        decides_from=chosen,
        unit=unit,
        error=error,
        near_equal_error=near_equal,
        coverage=coverage,
        spearman=found.spearman,
        construct_valid=valid,
        domains=domains,
        reason=why,
    )


def as_document(found: Region, source: str) -> dict[str, Any]:
    """Return the region as what its file holds; keys without a value are left out."""
    return {"format": FORMAT, "source": source, **_present(plain(found))}


def write(found: Region, source: str, path: str) -> None:
    """Write the region to a file: JSON where its name ends in `.json`, TOML otherwise."""
    from benchlint.analysis.writing import replace_file

    document = as_document(found, source)
    if path.endswith(".json"):
        text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    else:
        text = f"{_HEADER}\n{toml(document)}"
    replace_file(path, text.encode("utf-8", "backslashreplace"))


def load(path: str) -> dict[str, Any]:
    """Read the file of a region. Raises `AuditError` for one that is none, OSError for one that cannot be read."""
    text = Path(path).read_bytes()
    try:
        document: Any = json.loads(text) if path.endswith(".json") else tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise AuditError(f"{path}: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise AuditError(f"{path}: it is no operating region of format {FORMAT}")
    found: dict[str, Any] = document
    return found


def toml(document: dict[str, Any]) -> str:
    """Write a document of texts, numbers, lists of texts and nested documents as TOML."""
    return "\n".join(_toml_lines(document, ())) + "\n"


def _toml_lines(table: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [f"{_key(key)} = {_value(value)}" for key, value in table.items() if not isinstance(value, dict)]
    for key, value in table.items():
        if isinstance(value, dict):
            name = (*path, key)
            lines += ["", f"[{'.'.join(map(_key, name))}]", *_toml_lines(value, name)]
    return lines


def _key(key: str) -> str:
    plain_key = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain_key else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)


def _present(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _present(item) for key, item in value.items() if item is not None}
    return value
