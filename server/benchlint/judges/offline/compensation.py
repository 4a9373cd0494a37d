"""wrong-compensation: a sum that the policy does not have, or something given that nobody may get here."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.facts import counts_of, holds, totals
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.numbers import sums, units
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.verdict import clipped, finding, with_verb
from benchlint.judges.offline.words import stem, stem_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.numbers import Sum
    from benchlint.judges.offline.reading import Amount, Stems
    from benchlint.judges.offline.scene import Scene
    from benchlint.judges.protocol import JudgedFinding

RULE: Final = "wrong-compensation"

_COMPENSATION: Final = stem("compensation")
_LIKE_COMPENSATION: Final = stem_set("gesture goodwill voucher reimbursement refund")
_MULTIPLIED: Final = re.compile(r"\s*(?:(?:times|x|multiplied|each|apiece|per)\b|[×*])", re.IGNORECASE)
_EACH: Final = re.compile(r"\b(?:each|every|per|apiece)\b", re.IGNORECASE)
_WHOLE: Final = re.compile(r"\bof\s+(?:the|this|that|these|those|his|her|its|their|your)\s+(?:\w+\s+)?$", re.IGNORECASE)
"""Stands before the whole of which a part is given: "5 of the 12 euros"."""
_LEFT: Final = re.compile(
    r"\s*(?:\w+\s+){0,2}?(?:remain(?:s|ing)?|stays?|left|outstanding|(?:is|are|was|were)\s+(?:still\s+)?(?:due|open|owed))\b",
    re.IGNORECASE,
)
"""Stands behind what is not given: "7 euros remain"."""
_PARTS: Final = 12
"""Of how many sums all sums are tried."""
_COMPARED: Final = re.compile(r"\s*(?:more|less|cheaper|dearer|higher|lower|difference)\b", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(r"\bdifference\s+(?:\w+\s+){0,4}(?:of|is|:)\s*$", re.IGNORECASE)
"""What only compares two sums: "3 euros more than", "the difference of 3 euros"."""
_SHARE: Final = re.compile(r"%|\bper ?cent\b|\b(?:discount\w*|reduced|reduction|half|off)\b", re.IGNORECASE)
_PERCENT: Final = re.compile(r"(\d{1,3}(?:\.\d+)?)\s?(?:%|per ?cent\b)", re.IGNORECASE)
_FOR: Final = re.compile(
    r"\s*(?:for|per|as)\s+(?P<things>[^,;]*?)(?=\s+(?:and|plus|including|with|or)\b|[,;]|$)", re.IGNORECASE
)
_NOUNS: Final = re.compile(
    r"(?:\s+(?!(?:for|to|and|or|plus|including|with|in|on|from|as|if|is)\b)[\w-]+){0,2}", re.IGNORECASE
)
_IN_RETURN: Final = re.compile(
    r"\b(?:what|how much|anything|something)\b[^.?!]{0,40}?"
    r"\b(?:gets?|receives?|entitled|owed?|in return|do for|do about|make (?:it )?up|offers?)\b",
    re.IGNORECASE,
)
"""How users ask for something without a name: "asks what he gets for it"."""
_MOST: Final = 20
"""Up to how many units a sum of unknown count may be for."""


def detect(scene: Scene) -> Iterator[JudgedFinding]:
    """Yield findings about sums, about gifts nobody asked for, and about excluded users; one a clause."""
    for clause in scene.behaviour.clauses:
        found = next(_wrong(scene, clause), None)
        if found is not None:
            yield found


def _wrong(scene: Scene, clause: Clause) -> Iterator[JudgedFinding]:
    yield from _excluded(scene, clause)
    yield from _sums(scene, clause)
    yield from _unasked(scene, clause)


def _sums(scene: Scene, clause: Clause) -> Iterator[JudgedFinding]:
    if clause.negated or clause.link in ("condition", "without") or clause.subject == "user":
        return
    passage = scene.behaviour
    for found in sums(passage.text, clause.start, clause.end):
        before = (clause.start, found.start)
        if _WHOLE.search(passage.text, *before) or _DIFFERENCE.search(passage.text, *before):
            continue
        if _LEFT.match(passage.text, found.end) or _COMPARED.match(passage.text, found.end):
            continue
        amounts = _applicable(scene, clause, found)
        is_unit = _is_unit(passage.text, found, clause)
        right = set[float]()
        for amount in amounts:
            right |= {amount.value, amount.most} if is_unit else _allowed(scene, amount)
        most = max(
            [amount.value if is_unit else max(_allowed(scene, amount)) for amount in amounts if amount.is_ceiling],
            default=-1.0,
        )
        right |= {round(value * rate, 2) for value in right for rate in _rates(scene)}
        if not amounts or found.value <= most or found.value in right or _is_sum_of_others(scene, found):
            continue
        thing = _word_for(scene, clause, amounts[0])
        said = passage.text[found.start : found.end].strip()
        reason = f'{said} for the {thing} is not what the policy says: "{clipped(amounts[0].text)}".'
        expected = min(right) if len(right) == 1 else amounts[0].value
        start, end = found.numeral
        rewrite = passage.text[clause.start : start] + f"{expected:g}" + passage.text[end : clause.end]
        items = [amount.item for amount in amounts]
        yield finding(RULE, passage, (clause.start, clause.end), reason, items, 0.9, rewrite)


def _rates(scene: Scene) -> set[float]:
    """Return what a sum may be multiplied by: the percentages of a policy, where the task speaks of one."""
    if not any(_SHARE.search(prose.text) for prose in (scene.behaviour, scene.description)):
        return set()
    shares = {float(match[1]) / 100 for _, text in scene.reading.texts for match in _PERCENT.finditer(text)}
    return {rate for share in (*shares, 0.5) for rate in (share, 1 - share, 1 + share)}


def _is_unit(text: str, found: Sum, clause: Clause) -> bool:
    """Say whether a sum is for one of several: "per guest", "20 euros for each"."""
    if units(text, found.end, clause.end) or _MULTIPLIED.match(text, found.end):
        return True
    before, after = text[clause.start : found.start], re.split(r"[(),;]", text[found.end : clause.end])[0]
    return _EACH.search(after) is not None or (_EACH.search(before) is not None and next(sums(before), None) is None)


def _word_for(scene: Scene, clause: Clause, amount: Amount) -> str:
    return next((word.lower for word in clause.words if word.stem in amount.things), "sum")


def _is_sum_of_others(scene: Scene, found: Sum) -> bool:
    """Say whether a sum is made up of some that the behaviour has before it: a total."""
    before = sums(scene.behaviour.text, 0, found.start)
    parts = [item.value for item in before if item.currency == found.currency][-_PARTS:]
    return any(round(sum(some) - found.value, 2) == 0 for size in (2, 3) for some in combinations(parts, size))


def _spoken_of(scene: Scene, clause: Clause, found: Sum) -> Stems:
    """Return the words that may name what a sum is for: of a clause with several sums those beside it."""
    text = scene.behaviour.text
    others = [item for item in sums(text, clause.start, clause.end) if item.start != found.start]
    if not others:
        return frozenset(clause.stems)
    begin = max((item.end for item in others if item.end <= found.start), default=clause.start)
    end = min((item.start for item in others if item.start >= found.end), default=clause.end)
    named = _FOR.match(text, found.end, end)
    if named:
        places = [named.span("things")]
    else:
        of_another = _FOR.match(text, begin, found.start) if begin > clause.start else None
        behind = _NOUNS.match(text, found.end, end)
        places = [(of_another.end() if of_another else begin, found.start), behind.span() if behind else (0, 0)]
    return frozenset(
        word.stem for word in clause.words if any(start <= word.start and word.end <= stop for start, stop in places)
    )


def _applicable(scene: Scene, clause: Clause, found: Sum) -> list[Amount]:
    """Return the amounts of the policy for what is said beside a sum, in this situation."""
    spoken = frozenset(map(family, _spoken_of(scene, clause, found)))
    same = [
        amount
        for amount in scene.reading.amounts
        if amount.currency == found.currency and not spoken.isdisjoint(map(family, amount.things))
    ]
    prices = [amount for amount in same if not amount.trigger]
    if prices or len(same) < 2:
        return prices or same
    common = frozenset.intersection(*(amount.trigger for amount in same))
    told = (other.stems for other in scene.behaviour.clauses if other.sentence <= clause.sentence)
    known = scene.description_stems.union(*told)
    acts = {act.family for act in scene.acts} | {wish.family for wish in scene.requests}
    return [amount for amount in same if not (amount.trigger - common - acts).isdisjoint(known)] or same


def _allowed(scene: Scene, amount: Amount) -> set[float]:
    """Return the totals that a sum per unit may come to here, up to the most of it that the policy allows."""
    if amount.is_ceiling and not amount.per:
        return {amount.value}
    texts = (scene.description, scene.behaviour)
    unknown = set(range(1, _MOST + 1))
    limits = {limit.noun[-1]: limit.number for limit in scene.reading.limits if limit.item == amount.item}
    counts = [
        {min(count, limits.get(unit, count)) for count in counts_of(unit, texts, scene.reading.speech.users) or unknown}
        for unit in amount.per
    ]
    return {min(total, amount.most) for total in totals(amount.value, counts or [unknown])}


def _gives(clause: Clause, things: Stems) -> bool:
    """Say whether the agent gives or offers one of some things."""
    if clause.verb not in lexicon.GIVE or clause.subject == "user":
        return False
    return any(word.stem in things for word in clause.object_words) and status_of(clause) in ("done", "pending")


def _unasked(scene: Scene, clause: Clause) -> Iterator[JudgedFinding]:
    for rule in scene.reading.on_request:
        if _gives(clause, rule.given) and not _is_asked(scene, clause, rule.asked | rule.given):
            policy = clipped(scene.reading.text(rule.item))
            reason = f'The user does not ask for {rule.phrase} (policy: "{policy}").'
            rewrite = f"{scene.behaviour.said(clause)} if the user asks for {rule.phrase}"
            span = (clause.start, clause.end)
            yield finding(RULE, scene.behaviour, span, reason, [rule.item], 0.8, rewrite)


def _is_asked(scene: Scene, clause: Clause, nouns: Stems) -> bool:
    """Say whether the user asks for one of some things, or the behaviour makes it a condition.

    A refund counts as a compensation only where the policy does not know it
    as something of its own.
    """
    like = nouns | {_COMPENSATION} | (_LIKE_COMPENSATION - scene.reading.vocabulary)
    if _IN_RETURN.search(scene.description.text):
        return True
    for other in scene.description.clauses:
        if other.subject != "agent" and not other.negated and not other.stems.isdisjoint(like):
            return True
    return any(
        other.link in ("condition", "after") and other.subject == "user" and not other.stems.isdisjoint(like)
        for other in scene.behaviour.clauses
        if clause.sentence - 1 <= other.sentence <= clause.sentence
    )


def _excluded(scene: Scene, clause: Clause) -> Iterator[JudgedFinding]:
    for rule in scene.reading.exclusions:
        if _gives(clause, rule.given) and all(holds(fact, scene.description) for fact in rule.facts):
            reason = f'The scenario is one in which the policy gives nothing: "{clipped(rule.text)}".'
            rewrite = with_verb(scene.behaviour, clause, "explain that this is not possible")
            span = (clause.start, clause.end)
            yield finding(RULE, scene.behaviour, span, reason, [rule.item], 0.85, rewrite)
