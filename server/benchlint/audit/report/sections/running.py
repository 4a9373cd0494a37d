"""Sections about the runs: simulators, personas, repeats, cheap signals, the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.audit.report.numbers import (
    correlation,
    dollars,
    fixed,
    interval,
    number,
    percent,
    percent_interval,
    share,
    signed,
)
from benchlint.audit.report.outline import Section
from benchlint.audit.signals import plain as named

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.figures.cheap import CheapSignals
    from benchlint.audit.figures.oracle import Oracle
    from benchlint.audit.figures.personas import Personas
    from benchlint.audit.figures.simulators import Simulators
    from benchlint.audit.figures.stability import Stability


def simulators(group: Simulators) -> Section:
    """Tell whether the verdict depends on who plays the user."""
    section = Section("simulators", "Does the simulator matter?", lacks=group.reason)
    names = list(group.simulators[0].spearman) if group.simulators else []
    section.grid(
        "Simulators",
        ["simulator", "transcripts", "reward", *(f"rho {named(name)}" for name in names), "best agents"],
        [
            [
                found.simulator,
                f"{found.transcripts:,}",
                fixed(3)(found.reward),
                *(section.cell(found.spearman.get(name), correlation) for name in names),
                ", ".join(found.ranking[:3]),
            ]
            for found in group.simulators
        ],
        (0, 3 + len(names)),
    )
    section.grid(
        "Failed among satisfied, by simulator",
        ["simulator", "signal", "failed among satisfied", "95 %", "base rate"],
        [
            [
                found.simulator,
                named(name),
                section.cell(gap.failed_among_satisfied, share),
                percent_interval(gap.failed_among_satisfied),
                section.cell(gap.base_rate, percent),
            ]
            for found in group.simulators
            for name, gap in found.gap.items()
        ],
        (0, 1),
    )
    section.grid(
        "Agents' order under two simulators",
        ["simulator", "and", "rho of rewards", *(f"rho {named(name)}" for name in names)],
        [
            [
                pair.one,
                pair.other,
                section.cell(pair.reward, correlation),
                *(section.cell(pair.signals.get(name), correlation) for name in names),
            ]
            for pair in group.between
        ],
        (0, 1),
    )
    return section


def personas(group: Personas) -> Section:
    """Tell how reward and satisfaction change with the persona."""
    section = Section("personas", "Personas", lacks=group.reason)
    if group.baseline is not None:
        section.sentences.append(f"Drops are against the persona {group.baseline}.")
    names = list(group.personas[0].signals) if group.personas else []
    section.grid(
        "Reward and scores by persona",
        ["persona", "reward", "95 %", "drop", *(part for name in names for part in (named(name), "drop"))],
        [
            [
                found.persona,
                share(found.reward),
                percent_interval(found.reward),
                signed(found.reward_drop),
                *(
                    part
                    for name in names
                    for part in (
                        section.cell(found.signals[name], fixed(2)),
                        section.cell(found.signal_drops[name], signed),
                    )
                ),
            ]
            for found in group.personas
        ],
    )
    return section


def stability(group: Stability) -> Section:
    """Tell whether repeats give the same."""
    section = Section("stability", "Do repeats agree?", lacks=group.reason if not group.pass_k else None)
    if group.reason is not None and group.pass_k:
        section.footnotes.append(group.reason)
    section.grid(
        "Repeats of a cell (agent, task, persona, domain, simulator)",
        ["column", "ICC of one repeat", "95 %", "rho of two repeats' rankings"],
        [
            [
                named(name),
                section.cell(found.icc, fixed(3)),
                interval(found.icc),
                section.cell(found.rank_stability, correlation),
            ]
            for name, found in group.columns.items()
        ],
    )
    most = max((len(found) for found in group.pass_k.values()), default=0)
    section.grid(
        "pass^k: all of k trials succeed",
        ["agent", *(f"k = {k}" for k in range(1, most + 1))],
        [
            [agent, *(section.cell(found[str(k)], fixed(3)) for k in range(1, most + 1))]
            for agent, found in group.pass_k.items()
        ],
    )
    return section


def cheap_signals(group: CheapSignals) -> Section:
    """Tell what completion, cost and length give away."""
    section = Section("cheap_signals", "What comes for nothing", lacks=group.reason)
    ended = group.ended_normally
    if ended.value is not None:
        section.sentences.append(
            f"{percent(ended)} of {number(ended.count, 'failed run')} ended normally: completion does not see them."
        )
    section.grid(
        "Cheap signals",
        [
            "signal",
            "rho over agents",
            "rho over transcripts",
            "flagged",
            "of truncated",
            "of failed",
            "failed of flagged",
            "a decision",
        ],
        [
            [
                name,
                section.cell(found.spearman, correlation),
                section.cell(found.over_transcripts, correlation),
                f"{found.flagged:,}",
                section.cell(found.recall_truncated, share),
                section.cell(found.recall_failed, share),
                section.cell(found.precision, share),
                dollars(found.price),
            ]
            for name, found in group.signals.items()
        ],
    )
    section.grid(
        "Judges",
        ["signal", "a decision"],
        [[named(name), dollars(price)] for name, price in group.judge_prices.items() if price.value is not None],
    )
    return section


def oracle(group: Oracle) -> Section:
    """Tell where the rewards come from."""
    section = Section("oracle", "Where the rewards come from", lacks=group.reason)
    rows = [
        ["rows", f"{group.rows:,}"],
        ["without a reward, left out", f"{group.null_rewards:,}"],
        *([f"without a score of {named(name)}", f"{count:,}"] for name, count in group.null_scores.items()),
    ]
    for title, figure in (
        ("an LLM component was part of the reward", group.llm_in_basis),
        ("an LLM component decided the reward", group.llm_decided),
    ):
        if figure.value is not None:
            rows.append([title, share(figure)])
    section.grid("Rewards", ["", "count"], rows)
    section.grid(
        "Reward basis", ["basis", "rewards"], [[name, f"{count:,}"] for name, count in group.reward_basis.items()]
    )
    section.grid("How runs ended", ["by", "runs"], [[name, f"{count:,}"] for name, count in group.terminations.items()])
    return section


WRITERS: Final[dict[str, Callable[[Any], Section]]] = {
    "Simulators": simulators,
    "Personas": personas,
    "Stability": stability,
    "CheapSignals": cheap_signals,
    "Oracle": oracle,
}
