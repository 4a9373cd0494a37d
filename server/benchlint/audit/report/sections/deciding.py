"""Sections about decisions between agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.audit.report.numbers import (
    ABSENT,
    correlation,
    fixed,
    listed,
    number,
    percent,
    percent_interval,
    share,
    short,
)
from benchlint.audit.report.outline import Section
from benchlint.audit.signals import plain as named

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.figures.abstention import Abstention, Ranked
    from benchlint.audit.figures.decisions import Decisions
    from benchlint.audit.figures.ensembles import Ensembles
    from benchlint.audit.figures.ensembles import Errors as Counted
    from benchlint.audit.region import JudgeRegion, Region


def decisions(group: Decisions) -> Section:
    """Tell how often signals prefer the worse of two agents."""
    section = Section("decisions", "Does it decide between two agents?", lacks=group.reason)
    if group.reason is None:
        section.sentences.append(
            f"Near-equal: rewards less than {short(group.threshold)} apart, {number(group.ties, 'exact tie')} left "
            "out. Wrong: the signal prefers the agent with the lower reward."
        )
    section.grid(
        "Pairs ordered wrongly",
        ["signal", "near-equal", "95 %", "wide", "95 %", "near-equal, other base model"],
        [
            [
                named(name),
                section.cell(found.near_equal.rate, share),
                percent_interval(found.near_equal.rate),
                section.cell(found.wide.rate, share),
                percent_interval(found.wide.rate),
                section.cell(found.near_equal_other_bases.rate, share),
            ]
            for name, found in group.signals.items()
        ],
    )
    first = next(iter(group.signals.values()), None)
    if first is not None:
        section.grid(
            "Sensitivity to what counts as near-equal",
            ["signal", *(f"< {short(errors.threshold)}" for errors in first.sensitivity)],
            [
                [named(name), *(section.cell(errors.rate, share) for errors in found.sensitivity)]
                for name, found in group.signals.items()
            ],
        )
        section.grid(
            "By difference of rewards",
            ["signal", *(f"{short(part.start)} to {short(part.end)}" for part in first.by_difference)],
            [
                [named(name), *(section.cell(part.rate, percent) for part in found.by_difference)]
                for name, found in group.signals.items()
            ],
        )
    section.grid(
        "Near-equal pairs that two signals both order wrongly",
        ["signal", "and", "both", "either", "Jaccard"],
        [
            [
                named(pair.one),
                named(pair.other),
                str(pair.both),
                str(pair.either),
                section.cell(pair.jaccard, fixed(2)),
            ]
            for pair in group.overlaps
        ],
        (0, 1),
    )
    if group.reason is None:
        section.footnotes.append(f"Intervals are clustered by {group.clustered_by} ({group.clusters}).")
    return section


def abstention(group: Abstention) -> Section:
    """Tell what declining close pairs gains."""
    section = Section("abstention", "What if it abstains?", lacks=group.reason)
    columns = ["signal", "", "pairs ranked", "wrong", "near-equal ranked", "near-equal wrong"]
    section.grid(
        "Decline the pairs whose gap lies within its noise",
        [columns[0], "sure of the order", *columns[2:]],
        [
            [named(name), f"{100 * row.at:g} %", *_ranked(section, row)]
            for name, found in group.signals.items()
            for row in found.by_noise
        ],
    )
    section.grid(
        "Decline the pairs with a small gap",
        [columns[0], "gap of at least", *columns[2:]],
        [
            [named(name), short(row.at), *_ranked(section, row)]
            for name, found in group.signals.items()
            for row in found.by_gap
        ],
    )
    for found in group.signals.values():
        if found.reason is not None and found.reason not in section.footnotes:
            section.footnotes.append(found.reason)
    how = sorted({found.noise for found in group.signals.values() if found.noise is not None})
    section.footnotes += [f"Noise of a gap: {way}." for way in how]
    return section


def _ranked(section: Section, row: Ranked) -> list[str]:
    return [
        percent(row.coverage) if row.coverage.value is not None else ABSENT,
        _plain_share(row.error),
        percent(row.near_equal_coverage) if row.near_equal_coverage.value is not None else ABSENT,
        _plain_share(row.near_equal_error),
    ]


def _plain_share(figure: Any) -> str:
    return share(figure) if figure.value is not None else ABSENT


def region(group: Region) -> Section:
    """Tell where a gate may decide."""
    section = Section("region", "Operating region", lacks=group.reason)
    section.sentences += [_region_sentence(name, found, group) for name, found in group.judges.items()]
    section.grid(
        "Where a gate may decide",
        [
            "gate",
            "from a gap of",
            "wrong there",
            "95 %",
            "near-equal, wrong there",
            "pairs decided",
            "rho",
            "construct",
        ],
        [
            [
                named(name),
                f"{short(found.decides_from)} {found.unit}" if found.decides_from is not None else ABSENT,
                section.cell(found.error, share),
                percent_interval(found.error),
                section.cell(found.near_equal_error, share),
                section.cell(found.coverage, percent),
                section.cell(found.spearman, correlation),
                {None: "not measured", True: "valid", False: "not valid"}[found.construct_valid],
            ]
            for name, found in group.judges.items()
        ],
        (0, 7),
    )
    if group.reason is None and group.reward_from is not None and group.reward_to is not None:
        section.sentences.append(
            f"This holds for {'this judge' if len(group.judges) == 1 else 'these judges'}, "
            f"{_these(group.simulators, 'this simulator', 'these simulators')} and a pool of agents with rewards from "
            f"{group.reward_from:.2f} to {group.reward_to:.2f}; a change of one of the three asks for a new audit. "
            f"Agents less than {short(group.near_equal)} apart are outside of it."
        )
    return section


def _these(names: list[str], one: str, several: str) -> str:
    if not names:
        return one
    return f"{one if len(names) == 1 else several} ({listed(names)})"


def _region_sentence(name: str, found: JudgeRegion, group: Region) -> str:
    if found.decides_from is None:
        return f"{named(name)} decides nowhere: {found.reason}."
    where = f", in {listed(found.domains)}" if found.domains else ""
    if found.domains is not None and not found.domains:
        where = ", but in no single domain"
    wrong = round((found.error.value or 0.0) * found.error.count)
    return (
        f"{named(name)} may decide from a gap of {short(found.decides_from)} {found.unit} on{where} "
        f"({wrong} of {number(found.error.count, 'pair')} wrong there, {percent(found.error)}; "
        f"tolerated {100 * group.tolerance:g} %)."
    )


def ensembles(group: Ensembles) -> Section:
    """Tell whether several judges do better than one."""
    section = Section("ensembles", "Do several judges help?", lacks=group.reason)
    rows = [[f"{named(name)} alone", _counted(section, errors)] for name, errors in group.single.items()]
    for title, errors in (
        ("mean of the judges", group.mean),
        ("weighted, base model left out", group.weighted),
        ("weighted, provider left out", group.weighted_by_provider),
    ):
        if errors is not None:
            rows.append([title, _counted(section, errors)])
    section.grid("Near-equal pairs ordered wrongly", ["by", "wrong"], rows)
    section.grid(
        "Within strata, weights learnt on the others",
        ["strata", "number", "best judge alone", "mean", "weighted"],
        [
            [
                part.by,
                str(part.strata),
                _counted(section, part.best_single),
                _counted(section, part.mean),
                _counted(section, part.weighted),
            ]
            for part in group.by_stratum
        ],
    )
    best = min((errors for errors in group.single.values() if errors.pairs), key=lambda item: item.wrong, default=None)
    if best is not None and group.mean is not None and group.weighted is not None:
        gain = best.wrong - min(group.mean.wrong, group.weighted.wrong)
        what = (
            f"saves {number(gain, 'pair')} of {best.pairs}"
            if gain > 0
            else f"saves none of the {best.pairs} near-equal pairs"
        )
        section.sentences.append(f"Beside the best judge alone, the better of mean and weighting {what}.")
    return section


def _counted(section: Section, errors: Counted) -> str:
    return section.cell(errors.rate, share)


WRITERS: Final[dict[str, Callable[[Any], Section]]] = {
    "Decisions": decisions,
    "Abstention": abstention,
    "Region": region,
    "Ensembles": ensembles,
}
