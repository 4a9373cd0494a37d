"""The charts that a reader of the paper knows, each of one group of figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.audit.report.numbers import percent, short
from benchlint.audit.report.svg import SHAPES, Axis, Canvas, Drawing, shares
from benchlint.audit.signals import plain as named
from benchlint.reports.columns import cut
from benchlint.reports.visible import cells, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from benchlint.audit.audit import AgentRow, Overview
    from benchlint.audit.figures.calibration import Calibration
    from benchlint.audit.figures.construct import Construct
    from benchlint.audit.figures.decisions import Decisions
    from benchlint.audit.signals import Signal
    from benchlint.audit.stats.estimate import Estimate

_MOST_SERIES: Final = len(SHAPES)
_FEWEST_PAIRS: Final = 5
_LONGEST: Final = 30
"""How many cells of a name are shown beside an axis."""
_MOST_ROWS: Final = 60
"""How many agents a dumbbell chart shows."""


def drawings(group: object) -> list[Drawing]:
    """Return the charts of a group of figures."""
    draw = _DRAWERS.get(type(group).__name__)
    return list(draw(group)) if draw is not None else []


def _overview(group: Overview) -> Iterator[Drawing]:
    rows = sorted(group.agents, key=lambda row: (-row.reward, row.agent))
    if len(rows) < 2:
        return
    judges = [signal for signal in group.signals.values() if signal.kind == "gate"]
    judges = judges or [signal for signal in group.signals.values() if signal.kind != "dimension"]
    for signal in judges[:_MOST_SERIES]:
        if any(row.scores[signal.name] is not None for row in rows):
            yield _against_reward(rows, signal)
    satisfied = _satisfaction(group)
    if satisfied is not None:
        yield _dumbbell(rows, satisfied)
    scaled = [signal for signal in group.signals.values() if signal.scale is not None and signal.kind != "dimension"]
    if scaled:
        yield _by_tier(rows, scaled[: _MOST_SERIES - 1])


def _satisfaction(group: Overview) -> Signal | None:
    ordered = (
        signal for kind in ("proxy", "human", "gate") for signal in group.signals.values() if signal.kind == kind
    )
    return next((signal for signal in ordered if signal.scale is not None), None)


def _against_reward(rows: Sequence[AgentRow], signal: Signal) -> Drawing:
    points = [(row.reward, score, row) for row in rows if (score := row.scores[signal.name]) is not None]
    name = named(signal.name)
    if signal.ranks:
        worst = max(-score for _, score, _ in points)
        step = max(1, round(worst / 5))
        marks = [(float(-rank), str(rank)) for rank in [1, *range(step, int(worst) + 1, step)] if rank == 1 or rank > 1]
        axis = Axis(-worst - 0.5, -0.5, marks, f"rank by {name.removesuffix(' (ranks)')}")
    else:
        axis = _score_axis(signal, [score for _, score, _ in points], name)
    shown = "rank" if signal.ranks else "score"
    canvas = Canvas(
        _reward_axis([reward for reward, _, _ in points]),
        axis,
        f"{name} against reward, {len(points)} agents: "
        + ", ".join(f"{row.title} {reward:.2f} {abs(score):.2f}" for reward, score, row in points[:_MOST_ROWS]),
    )
    canvas.grid()
    makers = list(dict.fromkeys(row.provider or "" for _, _, row in points))
    known = [maker for maker in makers if maker][:_MOST_SERIES] if len([m for m in makers if m]) <= _MOST_SERIES else []
    for reward, score, row in points:
        series = known.index(row.provider) if row.provider in known else 0
        canvas.dot(reward, score, series, f"{row.title}: reward {reward:.2f}, {shown} {short(abs(score))}")
    for reward, score, row in points:
        canvas.label(reward, score, row.title)
    legend = [(maker, at) for at, maker in enumerate(known)] if len(known) > 1 else []
    return Drawing(f"{name} against reward", "One mark an agent, means over all its transcripts.", legend, canvas.svg())


def _reward_axis(rewards: Sequence[float]) -> Axis:
    low = max(0.0, (min(rewards) * 10 // 1) / 10)
    high = min(1.0, -((-max(rewards) * 10) // 1) / 10)
    if high - low < 0.2:
        low, high = max(0.0, low - 0.1), min(1.0, high + 0.1)
    first, last = round(low * 10), round(high * 10)
    return Axis(low, high, [(at / 10, f"{at / 10:.1f}") for at in range(first, last + 1)], "verifiable reward")


def _score_axis(signal: Signal, scores: Sequence[float], title: str) -> Axis:
    if signal.low is not None and signal.high is not None:
        count = round(signal.high - signal.low)
        ticks = [
            (signal.low + at * (signal.high - signal.low) / count, short(signal.low + at)) for at in range(count + 1)
        ]
        return Axis(signal.low, signal.high, ticks, f"{title}, {short(signal.low)} to {short(signal.high)}")
    low, high = min(scores), max(scores)
    pad = (high - low) * 0.05 or 1.0
    ticks = [(value, f"{value:.3g}") for value in (low, (low + high) / 2, high)]
    return Axis(low - pad, high + pad, ticks, title)


def _scaled(signal: Signal, score: float) -> float:
    assert signal.low is not None
    assert signal.high is not None
    return (score - signal.low) / (signal.high - signal.low)


def _dumbbell(rows: Sequence[AgentRow], signal: Signal) -> Drawing:
    pairs = [(row, _scaled(signal, score)) for row in rows if (score := row.scores[signal.name]) is not None][
        :_MOST_ROWS
    ]
    name = named(signal.name)
    axis = Axis(
        -0.6,
        len(pairs) - 0.4,
        [(len(pairs) - 1 - at, cut(visible(row.title), _LONGEST)) for at, (row, _) in enumerate(pairs)],
    )
    longest = max(cells(visible(row.title)) for row, _ in pairs)
    canvas = Canvas(
        shares(f"reward; {name} scaled to 0 to 100 %"),
        axis,
        f"Reward and {name} of each agent: "
        + ", ".join(f"{row.title} {row.reward:.2f} {score:.2f}" for row, score in pairs),
        height=60 + 17 * len(pairs),
        left=_room(longest),
    )
    canvas.grid()
    for at, (row, score) in enumerate(pairs):
        y = len(pairs) - 1 - at
        canvas.rule((row.reward, y), (score, y), "link")
        canvas.dot(row.reward, y, 0, f"{row.title}: reward {row.reward:.2f}")
        canvas.dot(score, y, 1, f"{row.title}: {name} {score:.2f} of its scale")
    return Drawing(
        f"Reward and {name}, agent by agent",
        f"A mark of {name} far to the right of the reward is satisfaction without success.",
        [("reward", 0), (name, 1)],
        canvas.svg(),
    )


def _room(longest: int) -> float:
    """Return how wide names of so many cells are, with what stands beside them."""
    return 20.0 + 7.0 * min(longest, _LONGEST)


def _by_tier(rows: Sequence[AgentRow], signals: Sequence[Signal]) -> Drawing:
    groups = _tiers(rows)
    ticks = [(float(at), name) for at, (name, _) in enumerate(groups)]
    series: list[tuple[str, list[tuple[float, float]]]] = [
        ("reward", [(float(at), _mean([row.reward for row in own])) for at, (_, own) in enumerate(groups)])
    ]
    for signal in signals:
        points = []
        for at, (_, own) in enumerate(groups):
            scores = [_scaled(signal, score) for row in own if (score := row.scores[signal.name]) is not None]
            if scores:
                points.append((float(at), _mean(scores)))
        series.append((named(signal.name), points))
    canvas = Canvas(
        Axis(-0.3, len(groups) - 0.7, ticks, "tier, the best first"),
        shares("reward; scores scaled to 0 to 1"),
        "; ".join(f"{name}: " + ", ".join(f"{y:.2f}" for _, y in points) for name, points in series),
    )
    canvas.grid(vertical=False)
    for at, (name, points) in enumerate(series):
        canvas.line(points, at)
        for x, y in points:
            canvas.dot(x, y, at, f"{name}, {groups[int(x)][0]}: {y:.2f}")
    return Drawing(
        "Satisfaction against reward by tier",
        "Where the reward falls and a score stays flat, the score does not see the failure.",
        [(name, at) for at, (name, _) in enumerate(series)],
        canvas.svg(),
    )


def _tiers(rows: Sequence[AgentRow]) -> list[tuple[str, list[AgentRow]]]:
    """Return the tiers of the table, or thirds of the agents by reward; the best first."""
    tiers: dict[str, list[AgentRow]] = {}
    for row in rows:
        if row.tier is not None:
            tiers.setdefault(row.tier, []).append(row)
    if len(tiers) < 2:
        ordered = sorted(rows, key=lambda row: -row.reward)
        count = min(3, len(ordered))
        names = {2: ("upper half", "lower half"), 3: ("upper third", "middle third", "lower third")}[count]
        cuts = [round(at * len(ordered) / count) for at in range(count + 1)]
        tiers = {name: ordered[cuts[at] : cuts[at + 1]] for at, name in enumerate(names)}
    return sorted(tiers.items(), key=lambda item: -_mean([row.reward for row in item[1]]))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _decisions(group: Decisions) -> Iterator[Drawing]:
    chosen = list(group.signals.items())[:_MOST_SERIES]
    if not chosen:
        return
    bins = chosen[0][1].by_difference
    ticks = [(at + 0.5, f"{short(part.start)}–{short(part.end)}") for at, part in enumerate(bins)]
    words = "; ".join(
        f"{named(name)}: "
        + ", ".join(percent(part.rate) if part.rate.value is not None else "none" for part in found.by_difference)
        for name, found in chosen
    )
    canvas = Canvas(Axis(0, len(bins), ticks, "difference of the two rewards"), shares("pairs ordered wrongly"), words)
    canvas.grid(vertical=False)
    canvas.rule((0, 0.5), (len(bins), 0.5), "guide")
    canvas.text(canvas.width - canvas.right, canvas.at(0, 0.5)[1] - 5, "a coin", "name end")
    edge = next((at for at, part in enumerate(bins) if part.start >= group.threshold), None)
    if edge is not None:
        canvas.rule((edge, 0), (edge, 1), "guide")
        across, _ = canvas.at(edge, 1)
        canvas.text(across - 5, canvas.top + 10, "near-equal", "name end")
    for series, (name, found) in enumerate(chosen):
        shift = (series - (len(chosen) - 1) / 2) * 0.16
        points = [
            (at + 0.5 + shift, part) for at, part in enumerate(found.by_difference) if part.pairs >= _FEWEST_PAIRS
        ]
        canvas.line([(x, part.rate.value or 0.0) for x, part in points], series)
        for x, part in points:
            if part.rate.low is not None and part.rate.high is not None:
                canvas.rule((x, part.rate.low), (x, part.rate.high), f"reach s{series}")
        for x, part in points:
            canvas.dot(x, part.rate.value or 0.0, series, f"{named(name)}: {part.wrong} of {part.pairs} pairs")
    yield Drawing(
        "Wrong decisions by difference of rewards",
        f"Thin lines are 95 % intervals; parts with fewer than {_FEWEST_PAIRS} pairs are left out.",
        [(named(name), series) for series, (name, _) in enumerate(chosen)],
        canvas.svg(),
    )


def _calibration(group: Calibration) -> Iterator[Drawing]:
    chosen = [(name, points) for name, points in group.curves.items() if points][:_MOST_SERIES]
    if not chosen:
        return
    low = min(point.low for _, points in chosen for point in points)
    high = max(point.high for _, points in chosen for point in points)
    if high <= low:
        return
    first, last = int(low // 1), int(-(-high // 1))
    step = max(1, (last - first) // 10)
    ticks = [(float(at), str(at)) for at in range(first, last + 1, step)]
    words = "; ".join(
        f"{name}: " + ", ".join(f"{point.mean:.2f} {percent(point.success)}" for point in points)
        for name, points in chosen
    )
    pad = (last - first) * 0.03
    canvas = Canvas(Axis(first - pad, last + pad, ticks, "score"), shares("transcripts that succeed"), words)
    canvas.grid(vertical=False)
    for series, (name, points) in enumerate(chosen):
        canvas.line([(point.mean, point.success.value or 0.0) for point in points], series)
        for point in points:
            if point.success.low is not None and point.success.high is not None:
                canvas.rule((point.mean, point.success.low), (point.mean, point.success.high), f"reach s{series}")
        for point in points:
            canvas.dot(
                point.mean, point.success.value or 0.0, series, f"{name} {point.mean:.2f}: {percent(point.success)}"
            )
    yield Drawing(
        "Success by score",
        "Thin lines are 95 % intervals. A score that means something climbs from left to right.",
        [(named(name), series) for series, (name, _) in enumerate(chosen)],
        canvas.svg(),
    )


def _construct(group: Construct) -> Iterator[Drawing]:
    rows: list[tuple[str, Estimate, float | None]] = [
        (row.population, row.failed_among_satisfied, None)
        for row in group.populations
        if row.failed_among_satisfied.value is not None
    ] or [
        (named(name), found.gap.failed_among_satisfied, found.gap.base_rate.value)
        for name, found in group.signals.items()
        if found.gap is not None and found.gap.failed_among_satisfied.value is not None
    ]
    if not rows:
        return
    longest = max(cells(visible(name)) for name, _, _ in rows)
    canvas = Canvas(
        shares("failed among satisfied"),
        Axis(
            -0.6,
            len(rows) - 0.4,
            [(len(rows) - 1 - at, cut(visible(name), _LONGEST)) for at, (name, _, _) in enumerate(rows)],
        ),
        ", ".join(f"{name} {percent(rate)}" for name, rate, _ in rows),
        height=70 + 26 * len(rows),
        left=_room(longest),
    )
    canvas.grid()
    canvas.rule((group.ceiling, -0.6), (group.ceiling, len(rows) - 0.4), "guide")
    for at, (name, rate, base) in enumerate(rows):
        y = len(rows) - 1 - at
        if rate.low is not None and rate.high is not None:
            canvas.rule((rate.low, y), (rate.high, y), "reach s0")
        if base is not None:
            canvas.dot(base, y, 4, f"{name}: {100 * base:.1f} % of all failed")
        canvas.dot(rate.value or 0.0, y, 0, f"{name}: {percent(rate)}")
    legend = [("failed among satisfied", 0)]
    if any(base is not None for _, _, base in rows):
        legend.append(("failed among all", 4))
    yield Drawing(
        "Satisfied, but failed",
        f"Thin lines are 95 % intervals; the dashed line is the ceiling of {100 * group.ceiling:g} %.",
        legend,
        canvas.svg(),
    )


_DRAWERS: Final[dict[str, Callable[[Any], Iterator[Drawing]]]] = {
    "Overview": _overview,
    "Decisions": _decisions,
    "Calibration": _calibration,
    "Construct": _construct,
}
