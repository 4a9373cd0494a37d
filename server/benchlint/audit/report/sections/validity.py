"""Sections about what was read, and whether a signal measures success."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.audit.report.numbers import (
    ABSENT,
    correlation,
    fixed,
    interval,
    number,
    percent,
    percent_interval,
    plain,
    probability,
    share,
    short,
)
from benchlint.audit.report.outline import Section
from benchlint.audit.signals import plain as named

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.audit import Overview
    from benchlint.audit.figures.calibration import Calibration
    from benchlint.audit.figures.construct import Construct, Gap, Panel
    from benchlint.audit.figures.ranking import Ranking
    from benchlint.audit.figures.surplus import Surplus
    from benchlint.audit.figures.tiers import Tiers

_ANCHORED: Final = {
    "mis-anchored": "mis-anchored: people agree with it, but not with the reward",
    "anchored": "anchored: people agree with it and with the reward",
    "weakly anchored": "weakly anchored: people agree with it, and somewhat with the reward",
    "not validated": "not validated: people do not agree with it",
}
_GAP_COLUMNS: Final = ["satisfied from", "failed among satisfied", "95 %", "base rate", "relative risk", "95 %"]


def overview(group: Overview) -> Section:
    """Tell what was read."""
    section = Section("overview", "What was read")
    if group.unit == "counts":
        section.sentences.append(f"{group.source}: {number(group.rows, 'population')}, one row a population of raters.")
    else:
        bases = f" of {number(group.base_models, 'base model')}" if group.base_models else ""
        unit = {"agents": "one row an agent", "transcripts": f"{number(group.rows, 'transcript')}"}[group.unit]
        section.sentences.append(f"{group.source}: {number(len(group.agents), 'agent')}{bases}, {unit}.")
    rows = [
        [
            named(name),
            "ranks" if signal.ranks else signal.kind,
            f"{short(signal.low)} to {short(signal.high)}"
            if signal.low is not None and signal.high is not None
            else ABSENT,
            short(signal.threshold) if signal.threshold is not None else ABSENT,
            signal.family or ABSENT,
        ]
        for name, signal in group.signals.items()
    ]
    section.grid("Signals", ["signal", "kind", "scale", "satisfied from", "made by"], rows, (0, 1, 4))
    agents = sorted(group.agents, key=lambda row: -row.reward)
    rows = [
        [
            row.title,
            row.provider or ABSENT,
            plain(row.reward),
            *(_rank_or_score(name, row.scores[name]) for name in group.signals),
        ]
        for row in agents
    ]
    section.grid("Agents", ["agent", "provider", "reward", *map(named, group.signals)], rows, (0, 1))
    section.footnotes += group.notes
    return section


def _rank_or_score(name: str, score: float | None) -> str:
    if score is None:
        return ABSENT
    return short(-score) if name.startswith("rank_") else f"{score:.2f}"


def construct(group: Construct) -> Section:
    """Tell how many satisfied customers had their task failed."""
    section = Section("construct", "Satisfied, but failed", lacks=group.reason)
    ceiling = f"p above {100 * group.ceiling:g} %"
    for name, found in group.signals.items():
        gap = found.gap
        if gap is None:
            section.footnotes.append(f"{named(name)}: {found.reason}")
            continue
        rate = gap.failed_among_satisfied
        if rate.value is not None and gap.base_rate.value is not None:
            above = gap.p_above_ceiling.value
            verdict = (
                f", more than {100 * group.ceiling:g} % (p {probability(gap.p_above_ceiling)})"
                if above is not None and above < 0.05
                else ""
            )
            section.sentences.append(
                f"Of the transcripts that satisfy {named(name)}, {percent(rate)} failed{verdict}; "
                f"of all, {percent(gap.base_rate)} did."
            )
    rows = [
        [
            named(name),
            *(_gap(section, found.gap) if found.gap else [ABSENT] * len(_GAP_COLUMNS)),
            section.cell(found.auc, fixed(2)),
            interval(found.auc),
            section.cell(found.gap.p_above_ceiling, probability) if found.gap else ABSENT,
        ]
        for name, found in group.signals.items()
    ]
    section.grid("Construct gap", ["signal", *_GAP_COLUMNS, "AUC", "95 %", ceiling], rows)
    rows = [
        [
            row.population,
            row.substrate or ABSENT,
            section.cell(row.failed_among_satisfied, share),
            percent_interval(row.failed_among_satisfied),
            section.cell(row.p_above_ceiling, probability),
        ]
        for row in group.populations
    ]
    section.grid(
        "Populations of raters", ["population", "substrate", "failed among satisfied", "95 %", ceiling], rows, (0, 1)
    )
    for row in group.populations:
        if row.p_above_ceiling.value is not None:
            against = "more than" if row.p_above_ceiling.value < 0.05 else "not clearly more than"
            section.sentences.append(
                f"{row.population}: {row.failed} of {row.satisfied} satisfied had failed "
                f"({percent(row.failed_among_satisfied)}), {against} {100 * group.ceiling:g} % "
                f"(exact one-sided p {probability(row.p_above_ceiling)})."
            )
    _more_gaps(section, group)
    if group.panel is not None:
        _panel(section, group.panel)
    return section


def _gap(section: Section, gap: Gap) -> list[str]:
    return [
        short(gap.threshold),
        section.cell(gap.failed_among_satisfied, share),
        percent_interval(gap.failed_among_satisfied),
        section.cell(gap.base_rate, percent),
        section.cell(gap.relative_risk, fixed(2)),
        interval(gap.relative_risk),
    ]


def _more_gaps(section: Section, group: Construct) -> None:
    rows = [
        [named(name), *_gap(section, gap)] for name, found in group.signals.items() for gap in found.over_thresholds
    ]
    section.grid("Over thresholds", ["signal", *_GAP_COLUMNS], rows)
    rows = [
        [named(name), domain, *_gap(section, gap)]
        for name, found in group.signals.items()
        for domain, gap in found.by_domain.items()
    ]
    section.grid("By domain", ["signal", "domain", *_GAP_COLUMNS], rows, (0, 1))


def _panel(section: Section, panel: Panel) -> None:
    for title, gaps in (("Raters", panel.raters), ("The panel without one rater", panel.without)):
        rows = [
            [name, *(_gap(section, found.gap) if found.gap else [ABSENT] * 6), section.cell(found.auc, fixed(2))]
            for name, found in gaps.items()
        ]
        section.grid(title, ["rater", *_GAP_COLUMNS, "AUC"], rows)
    rows = [
        ["Krippendorff's alpha, ordinal", section.cell(panel.alpha, fixed(2)), f"{panel.alpha.count:,} ratings"],
        [
            "rho between two raters",
            section.cell(panel.between_raters, fixed(2)),
            number(panel.between_raters.count, "pair"),
        ],
        [
            "rho of one rater with the others' mean",
            section.cell(panel.with_the_others, fixed(2)),
            number(panel.with_the_others.count, "rater"),
        ],
    ]
    section.grid("How far people agree: the ceiling for any judge", ["figure", "value", "over"], rows, (0, 2))


def ranking(group: Ranking) -> Section:
    """Tell whether signals order the agents as the reward does."""
    section = Section("ranking", "Does it rank the agents?", lacks=group.reason)
    least = group.smallest_detectable
    if least.value is not None:
        section.sentences.append(
            f"{number(least.count, 'agent')} show a correlation of {least.value:.2f} or more with a power of 80 %; "
            f"smaller ones may go unseen."
        )
    rows = [
        [
            named(name),
            section.cell(found.spearman, correlation),
            interval(found.spearman),
            section.cell(found.kendall, correlation),
            str(found.spearman.count),
        ]
        for name, found in group.signals.items()
    ]
    section.grid("Against the reward", ["signal", "Spearman's rho", "95 %", "Kendall's tau", "agents"], rows)
    domains = list(group.range_by_domain)
    rows = [
        [
            domain,
            *(section.cell(found.by_domain.get(domain), correlation) for found in group.signals.values()),
            f"{spread.lowest:.2f} to {spread.highest:.2f}",
            plain(spread.deviation, 3),
            plain(spread.ratio),
        ]
        for domain, spread in group.range_by_domain.items()
    ]
    columns = ["domain", *(f"rho {named(name)}" for name in group.signals), "rewards", "deviation", "of overall"]
    section.grid("By domain, with the range of the rewards", columns, rows if domains else [])
    rows = [
        [
            named(found.human),
            named(found.gate),
            section.cell(found.human_gate, correlation),
            section.cell(found.human_reward, correlation),
            section.cell(found.gate_reward, correlation),
            _ANCHORED.get(found.verdict or "", ABSENT),
        ]
        for found in group.anchoring
    ]
    over = group.anchoring[0].over if group.anchoring else ""
    section.grid(
        f"Validated by people, anchored in success? (over {over})",
        ["people", "gate", "people and gate", "people and reward", "gate and reward", "the gate is"],
        rows,
        (0, 1, 5),
    )
    section.footnotes.append(f"Intervals are clustered by {group.clustered_by} ({group.clusters}).")
    return section


def surplus(group: Surplus) -> Section:
    """Tell how far satisfaction runs ahead of success."""
    section = Section("surplus", "Satisfaction ahead of success", lacks=group.reason)
    rows = []
    if group.signal is not None:
        what = f"formula on {named(group.signal)}, scaled to 0 to 1, minus reward"
        rows.append([what, section.cell(group.formula, correlation), interval(group.formula)])
    if group.printed.value is not None:
        rows.append(["column surplus of the table", correlation(group.printed), interval(group.printed)])
        if group.signal is not None:
            section.sentences.append(
                "The two differ by rounding: the table's own column was computed before its figures were rounded."
            )
    section.grid("Surplus against reward", ["surplus", "Spearman's rho", "95 %"], rows)
    agents = sorted(group.agents, key=lambda row: -(row.formula if row.formula is not None else -1e9))
    printed = any(row.printed is not None for row in agents)
    section.grid(
        "Agents, most surplus first",
        ["agent", "reward", "surplus by formula", *(["printed"] if printed else [])],
        [
            [row.agent, plain(row.reward), plain(row.formula, 3), *([plain(row.printed)] if printed else [])]
            for row in agents
        ],
    )
    return section


def tiers(group: Tiers) -> Section:
    """Tell whether signals know broken agents from working ones."""
    section = Section("tiers", "Broken against working agents", lacks=group.reason)
    if group.reason is None:
        section.sentences.append(
            f"Mean reward: {fixed(3)(group.broken)} over {number(group.broken.count, 'broken agent')}, "
            f"{fixed(3)(group.working)} over {number(group.working.count, 'working one')}."
        )
    for name, found in group.signals.items():
        section.sentences += [
            f"Inversion: {case.title} is broken (reward {case.reward:.2f}), yet {named(name)} gives it "
            f"{case.score:.2f}, more than {case.above} of {case.of} working agents."
            for case in found.inversions
            if not name.startswith("rank_")
        ]
    section.grid(
        "AUC, broken against working",
        ["signal", "AUC", "95 %", "highest broken agent"],
        [
            [named(name), section.cell(found.auc, fixed(3)), interval(found.auc), found.highest_broken or ABSENT]
            for name, found in group.signals.items()
        ],
        (0, 3),
    )
    section.grid(
        "Means by tier",
        ["tier", "agents", "reward", *map(named, group.signals)],
        [
            [
                f"{tier.tier} (broken)" if tier.broken else tier.tier,
                str(tier.agents),
                fixed(3)(tier.reward),
                *(section.cell(tier.signals[name], fixed(2)) for name in group.signals),
            ]
            for tier in group.tiers
        ],
    )
    return section


def calibration(group: Calibration) -> Section:
    """Tell how often transcripts with a score succeed."""
    section = Section("calibration", "What a score means", lacks=group.reason)
    rows = [
        [
            named(name),
            short(point.low) if point.low == point.high else f"{short(point.low)} to {short(point.high)}",
            share(point.success),
            percent_interval(point.success),
        ]
        for name, points in group.curves.items()
        for point in points
    ]
    section.grid("Success by score", ["signal", "score", "succeeded", "95 %"], rows)
    return section


WRITERS: Final[dict[str, Callable[[Any], Section]]] = {
    "Overview": overview,
    "Construct": construct,
    "Ranking": ranking,
    "Surplus": surplus,
    "Tiers": tiers,
    "Calibration": calibration,
}
