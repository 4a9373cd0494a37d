"""Sections about judges, and about what people rate beside success."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.audit.report.numbers import (
    correlation,
    fixed,
    interval,
    percent_interval,
    probability,
    share,
    short,
    signed,
)
from benchlint.audit.report.outline import Section
from benchlint.audit.signals import plain as named

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.figures.dimensions import Dimensions
    from benchlint.audit.figures.judges import Judges, SelfPreference


def self_preference(group: SelfPreference) -> Section:
    """Tell whether judges favour their own family."""
    section = Section("self_preference", "Does a judge favour its own family?", lacks=group.reason)
    section.grid(
        "More than the other judge, on agents of its own family than on others",
        ["judge", "against", "family", "own agents", "points", "95 %", "standard deviations", "95 %"],
        [
            [
                named(found.one),
                named(found.other),
                found.family,
                str(found.own_agents),
                section.cell(found.points, signed),
                interval(found.points),
                section.cell(found.scale_free, signed),
                interval(found.scale_free),
            ]
            for found in group.preferences
        ],
        (0, 1, 2),
    )
    return section


def judges(group: Judges) -> Section:
    """Tell how judges compare."""
    section = Section("judges", "Judges against each other", lacks=group.reason)
    section.grid(
        "Pairs of judges",
        ["judge", "and", "rho", "95 %", f"rho, best {group.top_k}", "mean difference"],
        [
            [
                named(pair.one),
                named(pair.other),
                section.cell(pair.spearman, correlation),
                interval(pair.spearman),
                section.cell(pair.top_spearman, correlation),
                section.cell(pair.offset, signed),
            ]
            for pair in group.pairs
        ],
        (0, 1),
    )
    section.grid(
        f"Against the reward, best {group.top_k} agents",
        ["judge", "rho", "agents"],
        [[named(name), section.cell(found, correlation), str(found.count)] for name, found in group.top.items()],
    )
    makers = sorted({maker for moved in group.displacement.values() for maker in moved})
    section.grid(
        "Ranks lost to the judge, by provider (below zero: gained)",
        ["judge", *makers],
        [
            [named(name), *(section.cell(moved.get(maker), signed) for maker in makers)]
            for name, moved in group.displacement.items()
        ]
        if makers
        else [],
    )
    return section


def dimensions(group: Dimensions) -> Section:
    """Tell what subjective dimensions have to do with success."""
    section = Section("dimensions", "Subjective dimensions", lacks=group.reason)
    if group.highest is not None:
        pair = group.highest
        section.sentences.append(
            f"Closest to each other: {pair.one} and {pair.other}, rho {correlation(pair.spearman)}."
        )
    section.grid(
        f"Against success (over {group.over})",
        ["dimension", "mean", "rho", "95 %", "p", "high, but failed", "95 %", "alpha"],
        [
            [
                name,
                section.cell(found.mean, fixed(2)),
                section.cell(found.spearman, correlation),
                interval(found.spearman),
                section.cell(found.p, probability),
                section.cell(found.high_but_failed, share),
                percent_interval(found.high_but_failed),
                section.cell(found.alpha, fixed(2)),
            ]
            for name, found in group.dimensions.items()
        ],
    )
    section.grid(
        "Dose and response",
        ["dimension", "rating", "succeeded", "95 %"],
        [
            [
                name,
                short(point.low) if point.low == point.high else f"{short(point.low)} to {short(point.high)}",
                share(point.success),
                percent_interval(point.success),
            ]
            for name, found in group.dimensions.items()
            for point in found.dose_response
        ],
    )
    section.grid(
        "Collinearity",
        ["dimension", "and", "rho", "95 %"],
        [
            [
                pair.one,
                pair.other,
                section.cell(pair.spearman, correlation),
                interval(pair.spearman),
            ]
            for pair in group.collinearity
        ],
        (0, 1),
    )
    return section


WRITERS: Final[dict[str, Callable[[Any], Section]]] = {
    "SelfPreference": self_preference,
    "Judges": judges,
    "Dimensions": dimensions,
}
