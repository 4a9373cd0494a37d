"""forbidden-action: a step that the policy tells the agent never to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.items import content
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.scene import status_of
from benchlint.judges.offline.verdict import clipped, finding, governor, with_verb
from benchlint.judges.offline.words import stem_set, word_set, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.clause import Clause
    from benchlint.judges.offline.reading import Prohibition, Stems
    from benchlint.judges.offline.scene import Scene
    from benchlint.judges.protocol import JudgedFinding

_ALIKE: Final = (stem_set("disclose reveal share"), stem_set("give provide offer grant"))
_DOES: Final = lexicon.GIVE | lexicon.CARRY_OUT | stem_set("pay accept make book order create arrange schedule")
_DENIES: Final = word_set("no not nothing none without neither never instead only cannot")
_FREE: Final = stem_set(
    "ground house key core important standard common general basic basics rule every conversation conduct principle"
    " scope limit boundary behaviour behavior tone privacy advice agent assistant overview introduction guideline"
    " policy confidentiality legal medical no not do"
)
"""Words of headings under which stands what holds everywhere."""


def detect(scene: Scene, rule: str) -> Iterator[tuple[JudgedFinding, int]]:
    """Yield findings, each with its sentence."""
    known = scene.description_stems.union(*(clause.stems for clause in scene.behaviour.clauses))
    rules = [item for item in scene.reading.prohibitions if _applies_here(item, known)]
    for clause in scene.behaviour.clauses if rules else ():
        if clause.head < 0 or clause.subject not in ("agent", "") or clause.modal in ("can", "may", "could"):
            continue
        if status_of(clause) not in ("done", "pending") or not _DENIES.isdisjoint(clause.lowers):
            continue
        below = [
            other for other in scene.behaviour.beside(clause) if other.parent is clause and other.link == "content"
        ]
        stems = clause.stems.union(*(other.stems for other in below if not other.negated))
        broken = next((item for item in rules if _breaks(item, clause, frozenset(map(family, stems)))), None)
        if broken is not None:
            main = governor(clause)
            span = (main.start, max([clause.end, *(other.end for other in below)]))
            reason = f'The policy forbids this: "{clipped(broken.text)}".'
            rewrite = with_verb(scene.behaviour, main, "explain that this is not possible") if main.head >= 0 else ""
            yield finding(rule, scene.behaviour, span, reason, [broken.item], 0.85, rewrite), clause.sentence


def _applies_here(rule: Prohibition, known: Stems) -> bool:
    """Say whether a rule holds everywhere, or the part of the policy in which it stands is about this task."""
    about = content(words(" ".join(rule.headings[-1:]))) - _FREE
    return not about or not {family(name) for name in about}.isdisjoint(map(family, known))


def _breaks(rule: Prohibition, clause: Clause, stems: Stems) -> bool:
    after = frozenset(map(family, [word.stem for word in clause.object_words]))
    if not rule.verb:
        return clause.verb in _DOES and _stand_together(clause, rule.objects[0])
    same = family(clause.verb) == rule.verb or any({clause.verb, rule.verb} <= alike for alike in _ALIKE)
    if not same and not (clause.verb in _DOES and rule.verb in after and rule.about):
        return False
    objects = [frozenset(map(family, group)) for group in rule.objects]
    about = [frozenset(map(family, group)) for group in rule.about]
    return (not objects or any(group <= after for group in objects)) and (
        not about or any(group <= stems for group in about)
    )


def _stand_together(clause: Clause, wanted: Stems) -> bool:
    """Say whether words stand next to each other: "a cash refund"."""
    found = [word.stem for word in clause.object_words]
    size = len(wanted)
    return any(wanted == frozenset(found[index : index + size]) for index in range(len(found) - size + 1))
