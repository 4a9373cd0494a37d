"""The answer, in a few sentences: how far the ranking can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.audit.report.numbers import listed, number, percent, probability, short
from benchlint.audit.report.sections.deciding import region
from benchlint.audit.signals import plain as named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.audit.audit import Audit
    from benchlint.audit.figures.decisions import Errors


def summary(audit: Audit) -> list[str]:
    """Return the sentences that a reader needs first."""
    return [
        sentence
        for part in (_ranking, _decisions, _construct, _tiers, _preference, _cheap, _repeats, _region)
        for sentence in part(audit)
    ]


def _gates(audit: Audit) -> list[str]:
    signals = audit.overview.signals
    return [name for name, signal in signals.items() if signal.kind == "gate"] or [
        name for name, signal in signals.items() if signal.is_judge
    ]


def _ranking(audit: Audit) -> Iterator[str]:
    if audit.ranking is None:
        return
    least = audit.ranking.smallest_detectable.value
    shown, weak = [], []
    for name in _gates(audit):
        rho = audit.ranking.signals[name].spearman
        if rho.value is None:
            continue
        doubt = f" ({rho.low:.2f} to {rho.high:.2f})" if rho.low is not None else ""
        shown.append(f"{named(name)} {rho.value:.2f}{doubt}")
        if least is not None and rho.value < least:
            weak.append(named(name))
    if shown:
        yield f"Order of {number(len(audit.overview.agents), 'agent')}, rho to the reward: {', '.join(shown)}."
    if weak:
        yield f"{listed(weak)}: below {least:.2f}, the smallest correlation that so many agents show reliably."
    for found in audit.ranking.anchoring:
        if found.verdict == "mis-anchored":
            yield (
                f"{named(found.gate)} is validated by people and yet mis-anchored: they agree with it "
                f"(rho {found.human_gate.value:.2f}), and not with the reward (rho {found.human_reward.value:.2f})."
            )


def _decisions(audit: Audit) -> Iterator[str]:
    if audit.decisions is None:
        return
    threshold = short(audit.decisions.threshold)
    chosen = [(named(name), audit.decisions.signals[name]) for name in _gates(audit) if name in audit.decisions.signals]
    near = [f"{name} {_of(found.near_equal)}" for name, found in chosen if found.near_equal.pairs]
    wide = [f"{name} {_of(found.wide)}" for name, found in chosen if found.wide.pairs]
    if near:
        yield f"Worse agent preferred where rewards are less than {threshold} apart: {', '.join(near)}."
    if wide:
        yield f"Worse agent preferred where they are wider apart: {', '.join(wide)}."


def _of(errors: Errors) -> str:
    return f"{errors.wrong} of {errors.pairs} ({percent(errors.rate)})"


def _construct(audit: Audit) -> Iterator[str]:
    ceiling = 100 * audit.construct.ceiling
    for name, found in audit.construct.signals.items():
        gap = found.gap
        if gap is not None and gap.failed_among_satisfied.value is not None:
            above = gap.p_above_ceiling.value is not None and gap.p_above_ceiling.value < 0.05
            yield (
                f"Of the transcripts that satisfy {named(name)}, {percent(gap.failed_among_satisfied)} failed "
                f"(of all, {percent(gap.base_rate)})"
                + (f": more than {ceiling:g} %, p {probability(gap.p_above_ceiling)}." if above else ".")
            )
    accepting = [
        row.population
        for row in audit.construct.populations
        if row.p_above_ceiling.value is not None and row.p_above_ceiling.value < 0.05
    ]
    if audit.construct.populations:
        yield (
            f"{len(accepting)} of {number(len(audit.construct.populations), 'population')} accept more than "
            f"{ceiling:g} % failed transcripts (exact one-sided binomial, p below 0.05)."
        )


def _tiers(audit: Audit) -> Iterator[str]:
    if audit.tiers is None:
        return
    found: dict[str, list[str]] = {}
    for name, signal in audit.tiers.signals.items():
        for case in signal.inversions[:1]:
            found.setdefault(f"{case.title} (reward {case.reward:.2f})", []).append(
                f"{named(name)} {case.score:.2f}, above {case.above} of {case.of} working agents"
            )
    for title, by in found.items():
        yield f"{title} is an inversion, a broken agent scored above working ones: {'; '.join(by)}."


def _preference(audit: Audit) -> Iterator[str]:
    for found in audit.self_preference.preferences if audit.self_preference else ():
        if found.scale_free.low is not None and found.scale_free.low > 0:
            yield (
                f"{named(found.one)} favours {found.family} agents: {found.scale_free.value:+.2f} standard deviations "
                f"beside {named(found.other)} ({found.scale_free.low:.2f} to {found.scale_free.high:.2f})."
            )


def _cheap(audit: Audit) -> Iterator[str]:
    if audit.cheap_signals is not None and audit.cheap_signals.ended_normally.value is not None:
        ended = audit.cheap_signals.ended_normally
        yield f"{percent(ended)} of {number(ended.count, 'failed run')} ended normally: completion does not see them."


def _repeats(audit: Audit) -> Iterator[str]:
    if audit.stability is None or len(audit.stability.pass_k) != 1:
        return
    (agent, found), *_ = audit.stability.pass_k.items()
    shown = [f"{k}: {figure.value:.3f}" for k, figure in found.items() if figure.value is not None]
    if shown:
        yield f"pass^k of {agent}, {', '.join(shown)}."


def _region(audit: Audit) -> Iterator[str]:
    if audit.region is None or audit.region.reason is not None:
        return
    sentences = region(audit.region).sentences
    yield " ".join(sentences[:-1])
    yield sentences[-1]
