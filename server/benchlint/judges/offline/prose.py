"""Sentences and clauses of prose: who does what, under which condition, in which order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from benchlint.benchmark.sentences import sentences
from benchlint.judges.offline import lexicon
from benchlint.judges.offline.words import Word, is_noun_of_action, is_participle, stem, words

if TYPE_CHECKING:
    from collections.abc import Iterator

Subject = Literal["agent", "user", "other", ""]
Link = Literal[
    "main", "topic", "condition", "after", "before", "cause", "content", "asked", "relative", "infinitive", "gerund",
    "without", "while",
]  # fmt: skip

_BLOCK_END = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*•#]|\d{1,2}[.)])\s)")
_NUMBERING = re.compile(r"\s*(?:[-*•]|#+|\d{1,2}[.)])\s+")
_HEADING = re.compile(r"\s*#+\s[^\n]*(?:\n|$)")
_LONGEST = 400
"""Words of a sentence that are read; no instruction is longer."""

_MARKERS: dict[str, Link] = {
    "when": "condition", "whenever": "condition", "unless": "condition", "until": "condition",
    "once": "after", "after": "after", "upon": "after", "having": "after", "before": "before", "since": "cause",
    "because": "cause", "while": "while", "whereas": "while", "although": "while", "though": "while",
    "without": "without", "who": "relative", "whom": "relative", "whose": "relative", "whether": "asked",
}  # fmt: skip
_QUESTIONS = frozenset({"how", "what", "which", "where", "why"})
_ASKS_IF = frozenset(
    map(stem, "ask check see find determine verify confirm know inquire enquire wonder decide".split())
)
_BEFORE_CONTENT = frozenset("sure aware certain clear out to the user them him her again clearly politely".split())
_NEGATIONS = frozenset("not cannot never neither nor without".split())
_TALK = lexicon.ASK | lexicon.TELL | lexicon.REFUSE | lexicon.LIST | lexicon.OFFER | lexicon.CHECK | lexicon.CONSENT
_NO_VERB = frozenset(
    "about above across against among around at below beside between beyond by down during for from in inside into like"
    " near of off on onto out outside over per than through to toward towards under up with within as most more less"
    " fewer if that which who any".split()
)
_BE = frozenset("am is are was were be been being".split())
_BEFORE_TO = frozenset("due prior need needs needed have has had ought able going".split())
_AFTER_VERB = frozenset("explicit confirmation consent approval clear final prior".split())
_NOT_IN_SUBJECT = frozenset("that if whether when once because since unless until before after".split())
_COORDINATORS = frozenset({"and", "or", "but", "then", "nor", "so", "&"})
_GERUND_AFTER: dict[str, Link] = {
    "by": "gerund", "for": "gerund", "of": "gerund", "from": "gerund", "with": "gerund", "on": "gerund",
    "about": "gerund", "in": "gerund", "than": "gerund", "to": "gerund",
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Clause:
    """A part of a sentence with one verb at most.

    `start` and `end` are characters of the text; `sentence` is the index of
    its sentence. `link` tells how it hangs on `parent`. `head` is the index
    of its verb in `words`, or -1. `own_subject` says whether the subject
    stands in the clause; otherwise it is taken from the clause that this one
    continues.
    """

    start: int
    end: int
    sentence: int
    link: Link
    words: list[Word]
    parent: Clause | None = None
    subject: Subject = ""
    own_subject: bool = False
    head: int = -1
    negated: bool = False
    passive: bool = False
    modal: str = ""
    stems: frozenset[str] = field(default=frozenset())

    @property
    def verb(self) -> str:
        """The stem of the verb, or an empty text."""
        return self.words[self.head].stem if self.head >= 0 else ""

    @property
    def object_words(self) -> list[Word]:
        """The words after the verb, or all where there is none."""
        return self.words[self.head + 1 :]

    def ancestors(self) -> Iterator[Clause]:
        """Walk from the clause that this one hangs on to the main clause."""
        clause = self.parent
        while clause is not None:
            yield clause
            clause = clause.parent


@dataclass(frozen=True, slots=True)
class Prose:
    """A text as clauses, and the range of each of its sentences."""

    text: str
    sentences: tuple[tuple[int, int], ...]
    clauses: tuple[Clause, ...]

    def of_sentence(self, index: int) -> list[Clause]:
        """Return the clauses of a sentence."""
        return [clause for clause in self.clauses if clause.sentence == index]

    def sentence(self, index: int) -> str:
        """Return the text of a sentence."""
        start, end = self.sentences[index]
        return self.text[start:end]


def read_prose(text: str, you: Subject = "agent", roles: frozenset[str] = frozenset()) -> Prose:
    """Read a text. `you` is whom it addresses; `roles` are further nouns for users, by stem."""
    ranges: list[tuple[int, int]] = []
    clauses: list[Clause] = []
    users = lexicon.USERS | roles
    for start, end in _sentences(text):
        clauses += _Sentence(words(text, start, end)[:_LONGEST], len(ranges), you, users).clauses()
        ranges.append((start, end))
    return Prose(text, tuple(ranges), tuple(clauses))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    ends = [*((match.start(), match.end()) for match in _BLOCK_END.finditer(text)), (len(text), len(text))]
    for end, following in ends:
        heading = _HEADING.match(text, position, end)
        begin = heading.end() if heading else position
        numbering = _NUMBERING.match(text, begin, end)
        begin = min(numbering.end() if numbering else begin, end)
        for first, last in sentences(text[begin:end]):
            yield begin + first, begin + last
        position = following


class _Sentence:
    """Cuts one sentence into clauses, from left to right."""

    def __init__(self, found: list[Word], index: int, you: Subject, users: frozenset[str]) -> None:
        self.all = found
        self.index = index
        self.you = you
        self.users = users
        self.done: list[Clause] = []
        self.main: Clause | None = None

    def clauses(self) -> list[Clause]:
        """Return the clauses of the sentence."""
        if not self.all:
            return []
        current = self._open("main", None, None)
        at = 0
        while at < len(self.all):
            opened = self._boundary(at, current)
            if opened is not None and (current.words or opened[0] != "main"):
                link, parent, same_as = opened
                if current.words:
                    self._close(current)
                    self.done.append(current)
                current = self._open(link, parent, same_as)
            current.words.append(self.all[at])
            self._look(current)
            at += 1
        if current.words:
            self._close(current)
            self.done.append(current)
        return [
            clause
            for clause in self.done
            if any(word.kind != "mark" and word.lower not in _COORDINATORS for word in clause.words)
        ]

    def _open(self, link: Link, parent: Clause | None, same_as: Clause | None) -> Clause:
        clause = Clause(0, 0, self.index, link, [], parent)
        if same_as is not None:
            clause.link, clause.parent = same_as.link, same_as.parent
            clause.subject, clause.negated = same_as.subject, same_as.negated
            clause.modal = same_as.modal
        elif link in ("infinitive", "gerund") and parent is not None:
            clause.subject = self._controller(parent)
        return clause

    def _controller(self, parent: Clause) -> Subject:
        """Say who does what hangs on a clause as an infinitive or gerund."""
        directs = parent.verb in lexicon.ASK | lexicon.HELP | lexicon.TELL | lexicon.OFFER
        last = next((word for word in reversed(parent.words) if not _is_adverb(word.lower)), None)
        if directs and last is not None and (last.stem in self.users or last.lower in ("them", "him", "her")):
            return "user"
        return parent.subject

    def _look(self, clause: Clause) -> None:
        """Find subject and verb of a clause as soon as its words show them."""
        if clause.head < 0:
            _find_head(clause, self.you, self.users)
            if clause.head >= 0 and clause.link == "main" and self.main is None:
                self.main = clause

    def _close(self, clause: Clause) -> None:
        while len(clause.words) > 1 and (clause.words[-1].lower in _COORDINATORS or clause.words[-1].kind == "mark"):
            if clause.words[-1].lower in ")]\"'”’":
                break
            clause.words.pop()
        clause.start, clause.end = clause.words[0].start, clause.words[-1].end
        if clause.link == "main" and clause.head < 0:
            clause.link = "topic"
        clause.stems = frozenset(word.stem for word in clause.words)

    def _boundary(self, at: int, current: Clause) -> tuple[Link, Clause | None, Clause | None] | None:
        """Say whether a clause starts at a word: its link, its parent and the clause it continues."""
        word = self.all[at]
        if word.kind == "mark" or not current.words:
            return self._fronted(at) if not self.done and at == 0 else None
        if word.lower in lexicon.MODALS and self._is_inverted(at):
            return "main", None, None
        if self.main is None and current.link in ("condition", "after", "before", "cause", "while") and self._is_turn(at):
            return "main", None, None
        marker = self._marker(at, current)
        if marker is not None:
            return marker, current if current.link != "topic" else None, None
        previous = self.all[at - 1]
        if previous.lower in _COORDINATORS or (previous.kind == "mark" and previous.lower in ",;:—–-("):
            return self._coordinated(at, current)
        if word.lower.endswith("ing") and at - 1 >= 0 and self._is_complement(at, current):
            return "gerund", current, None
        return self._bare_content(at, current)

    def _fronted(self, at: int) -> tuple[Link, Clause | None, Clause | None] | None:
        if self.all[0].lower in ("should", "had") and len(self.all) > 1 and self._is_inverted(0):
            return "condition", None, None
        link = self._marker(at, None)
        return (link, None, None) if link is not None else None

    def _marker(self, at: int, current: Clause | None) -> Link | None:
        """Return the link that a word opens: "if", "before", "that", "to" before a verb."""
        word = self.all[at].lower
        following = self.all[at + 1].lower if at + 1 < len(self.all) else ""
        if word == "if":
            return "asked" if current is not None and self._asks(current) else "condition"
        if word == "that" and current is not None and self.all[at - 1].lower in _COORDINATORS and current.link == "content":
            return "content"
        if word == "that" and current is not None and current.head >= 0:
            return "content" if self._opens_content(current) else "relative"
        if word in _QUESTIONS and current is not None and current.head >= 0:
            if current.verb in lexicon.TELL | lexicon.CHECK | _ASKS_IF:
                return "asked"
            if word in ("which", "where"):
                return "relative"
        if word == "once" and (not following.isalpha() or (at and self.all[at - 1].lower in ("at", "only"))):
            return None
        if word in ("prior", "in") and following in ("to", "case"):
            return "before" if word == "prior" and following == "to" else ("condition" if following == "case" else None)
        if word == "as" and self._is_cause(at):
            return "cause"
        if word == "on" and (following == "receiving" or self._is_yes(at)):
            return "after"
        if word == "with" and self._is_yes(at):
            return "after"
        if word == "to" and following:
            if at and self.all[at - 1].lower in _BEFORE_TO:
                return None
            return "infinitive" if self._is_command(at + 1) else None
        if word in _GERUND_AFTER and following.endswith("ing") and stem(following) in lexicon.COMMANDS:
            return _GERUND_AFTER[word]
        return _MARKERS.get(word)

    def _is_inverted(self, at: int) -> bool:
        """Say whether a subject follows a modal verb: "only then should the agent"."""
        after = [word for word in self.all[at + 1 : at + 3] if word.lower not in lexicon.DETERMINERS]
        return (
            bool(after)
            and (
                after[0].stem in lexicon.AGENTS | self.users
                or after[0].lower in lexicon.AGENT_PRONOUNS | lexicon.USER_PRONOUNS
            )
            and not (at and self._has_subject(at))
        )

    def _is_turn(self, at: int) -> bool:
        """Say whether an agent and a modal verb follow, after a clause in front that no comma ends."""
        ahead = self.all[at : at + 4]
        if ahead and ahead[0].lower in lexicon.DETERMINERS:
            ahead = ahead[1:]
        if len(ahead) < 2 or ahead[1].lower not in lexicon.MODALS or self.all[at - 1].lower in _COORDINATORS:
            return False
        return ahead[0].lower in lexicon.AGENT_PRONOUNS or ahead[0].stem in lexicon.AGENTS

    def _has_subject(self, at: int) -> bool:
        """Say whether the word before a modal verb is its subject."""
        before = self.all[at - 1]
        return (
            before.stem in lexicon.AGENTS | self.users or before.lower in lexicon.AGENT_PRONOUNS | lexicon.USER_PRONOUNS
        )

    def _is_yes(self, at: int) -> bool:
        """Say whether "on an explicit yes" or the like follows."""
        return any(word.lower == "yes" or word.lower in lexicon.ASSENT_NOUNS for word in self.all[at + 1 : at + 6])

    def _asks(self, current: Clause) -> bool:
        """Say whether an "if" after a clause opens a question: "ask the user if"."""
        if current.verb not in _ASKS_IF:
            return False
        return all(
            word.stem in self.users or word.lower in lexicon.DETERMINERS or word.lower in ("with", "out", "him", "them")
            for word in current.object_words
        )

    def _opens_content(self, current: Clause) -> bool:
        return all(
            word.stem in self.users
            or word.lower in _BEFORE_CONTENT
            or word.lower in lexicon.DETERMINERS
            or word.lower.endswith("ly")
            or word.lower in lexicon.SKIPPED
            for word in current.object_words
        )

    def _is_cause(self, at: int) -> bool:
        """Say whether "as" means because: "as it cannot", "as the user has"."""
        if at and self.all[at - 1].lower in ("such", "same", "well", "soon", "far", "long", "much", "many"):
            return False
        ahead = self.all[at + 1 : at + 9]
        if not ahead or ahead[0].kind != "word":
            return False
        finite = lexicon.MODALS | lexicon.AUXILIARIES
        for word in ahead:
            if word.kind == "mark":
                return False
            if word.lower in finite:
                return word is not ahead[0]
        return False

    def _is_command(self, at: int) -> bool:
        """Say whether a verb stands at a place, past adverbs."""
        while at < len(self.all) and _is_adverb(self.all[at].lower):
            at += 1
        if at >= len(self.all) or self.all[at].kind != "word":
            return False
        word = self.all[at]
        return word.lower == "be" or (word.stem in lexicon.COMMANDS and word.lower not in lexicon.DETERMINERS)

    def _is_complement(self, at: int, current: Clause) -> bool:
        """Say whether a verb in -ing is the object of the verb before it: "suggest booking"."""
        if self.all[at].stem not in lexicon.COMMANDS or current.head < 0:
            return False
        before = current.words[-1]
        return before is current.words[current.head] or (
            before.stem in self.users and current.verb in lexicon.OFFER | lexicon.REFUSE
        )

    def _bare_content(self, at: int, current: Clause) -> tuple[Link, Clause | None, Clause | None] | None:
        """Open content without "that": "inform the user they cannot"."""
        if current.verb not in lexicon.CLAIM or current.words[-1].stem not in self.users:
            return None
        if current.words[-1].lower.endswith("'s"):
            return None
        finite = lexicon.MODALS | lexicon.AUXILIARIES
        word = self.all[at]
        starts = word.lower in lexicon.DETERMINERS | lexicon.AGENT_PRONOUNS | lexicon.USER_PRONOUNS
        if starts and any(later.lower in finite for later in self.all[at + 1 : at + 6]):
            return "content", current, None
        return None

    def _coordinated(self, at: int, current: Clause) -> tuple[Link, Clause | None, Clause | None] | None:
        """Open what stands beside an earlier clause, after "and" or a comma."""
        place = at
        while place < len(self.all) and (
            self.all[place].lower in _COORDINATORS or _is_adverb(self.all[place].lower) or self.all[place].lower == ","
        ):
            place += 1
        if place >= len(self.all):
            return None
        fronted = self.main is None
        subject = _subject_at(self.all, place, self.you, self.users)
        if subject is not None:
            who, verb_at = subject
            comma = any(word.lower in ",;" for word in self.all[max(at - 2, 0) : at])
            if verb_at < 0:
                return None
            opening = self._enclosing(current, ("condition", "after", "before", "cause", "while"))
            if fronted and opening is not None and not comma:
                return opening.link, opening.parent, None
            in_content = self._enclosing(current, ("content", "asked"))
            if in_content is not None and (who != "agent" or self.all[place].lower in lexicon.AGENT_PRONOUNS):
                return "content", in_content.parent, None
            return "main", None, None
        word = self.all[place]
        if word.lower in lexicon.MODALS or word.lower in ("not", "neither"):
            same = self._with_modal(word.lower, current)
            return ("main", None, same) if same is not None else None
        if not self._continues(place, current):
            return None
        if fronted and current.link not in ("main", "topic"):
            comma = any(earlier.lower == "," for earlier in self.all[max(at - 2, 0) : at])
            if comma and not any(earlier.lower in _COORDINATORS for earlier in self.all[at - 1 : at + 1]):
                return "main", None, None
            return "main", None, current
        if word.lower.endswith("ing"):
            gerund = self._enclosing(current, ("gerund", "before", "after", "without", "while"))
            return "main", None, gerund or self.main
        if self._is_finite_again(word, current):
            return "main", None, current
        if current.link == "infinitive" and current.verb and not ({current.verb, word.stem} & _TALK):
            return "main", None, current
        target = self.main
        for clause in reversed([*self.done, current]):
            if clause.link == "main" and clause.head >= 0:
                target = clause
                break
        return ("main", None, target) if target is not None else None

    def _is_finite_again(self, word: Word, current: Clause) -> bool:
        """Say whether a verb in -s goes on with a clause in which the main verb has no such ending."""
        if current.link == "main" or self.main is None or not word.lower.endswith("s"):
            return False
        return not self.main.words[self.main.head].lower.endswith("s")

    def _with_modal(self, modal: str, current: Clause) -> Clause | None:
        """Return the clause that a further modal verb goes on with: "will tell them that it can and will ..."."""
        if current.link == "main" or self.main is None:
            return current if current.head >= 0 else self.main
        return self.main if self.main.modal == modal != current.modal else current

    def _continues(self, place: int, current: Clause) -> bool:
        """Say whether the word at a place is a verb that goes on with an instruction."""
        word = self.all[place]
        if word.kind != "word" or word.stem not in lexicon.COMMANDS or word.capital:
            return False
        if word.lower in lexicon.DETERMINERS or is_noun_of_action(word.lower):
            return False
        following = self.all[place + 1] if place + 1 < len(self.all) else None
        if word.lower.endswith("ing"):
            gerund = self._enclosing(current, ("gerund", "before", "after", "without", "while")) is not None
            return gerund or self.all[place - 1].lower == ","
        if word.lower.endswith("ed") and word.stem != word.lower:
            return False
        if word.stem not in lexicon.AMBIGUOUS:
            return True
        if following is None:
            return False
        if following.kind != "word":
            return False
        return (
            following.lower in lexicon.DETERMINERS
            or following.lower in _AFTER_VERB
            or following.lower in ("for", "to", "him", "them", "it", "up", "back", "over", "into", "whether", "that")
            or following.lower.endswith("ly")
            or following.stem in self.users
        ) and not (following.lower == "for" and word.stem != "ask")

    def _enclosing(self, clause: Clause, links: tuple[str, ...]) -> Clause | None:
        if clause.link in links:
            return clause
        return next((above for above in clause.ancestors() if above.link in links), None)


def _is_adverb(lower: str) -> bool:
    return lower in lexicon.SKIPPED or (
        lower.endswith("ly") and len(lower) > 4 and lower not in ("reply", "apply", "supply")
    )


def _subject_at(found: list[Word], at: int, you: Subject, users: frozenset[str]) -> tuple[Subject, int] | None:
    """Read a subject that starts at a word: whose it is, and where its verb stands (-1: nowhere)."""
    if at >= len(found):
        return None
    first = found[at]
    if first.kind not in ("word",):
        return None
    if first.lower == "you":
        return you, at + 1
    if first.lower in lexicon.USER_PRONOUNS and first.lower != "who":
        return "user", at + 1
    if first.lower in lexicon.AGENT_PRONOUNS:
        return "agent", at + 1
    if first.lower in ("there", "nobody", "none", "neither"):
        return ("other", at + 1) if first.lower != "neither" else None
    following = found[at + 1].lower if at + 1 < len(found) else ""
    if first.stem in lexicon.COMMANDS and (
        following in lexicon.DETERMINERS or following in ("that", "whether", "if", "for", "it", "them", "him", "her")
    ):
        return None
    finite = lexicon.MODALS | lexicon.AUXILIARIES
    has_determiner = first.lower in lexicon.DETERMINERS
    place = at + 1 if has_determiner else at
    last: Word | None = None
    while place < len(found) and place <= at + 7:
        word = found[place]
        if word.kind == "mark":
            if word.lower not in "'\"’”“‘":
                break
            place += 1
            continue
        if word.lower in _NOT_IN_SUBJECT:
            break
        if word.lower in finite or word.lower == "cannot" or word.lower.endswith("n't"):
            return (_role(last, users), place) if last is not None else None
        if last is not None and word.kind == "word" and not last.lower.endswith("'s"):
            role = _role(last, users)
            finite_form = word.lower.endswith("s") or (word.lower.endswith("ed") and role != "other")
            if (_is_adverb(word.lower) and role != "other") or (
                finite_form and word.stem in lexicon.COMMANDS | lexicon.WANT | lexicon.CONSENT and role != "other"
            ):
                return role, place
            if role != "other" and has_determiner and finite_form and word.lower not in ("s",) and word.stem in _ACTS:
                return role, place
        last = word if word.kind == "word" else last
        place += 1
    if has_determiner and last is not None:
        return None
    return None


_ACTS = lexicon.INSIST | lexicon.WANT | lexicon.CONSENT | lexicon.COMMANDS


def _role(noun: Word | None, users: frozenset[str]) -> Subject:
    if noun is None or noun.lower.endswith("'s"):
        return "other"
    if noun.stem in lexicon.AGENTS:
        return "agent"
    return "user" if noun.stem in users else "other"


def _negates(lower: str) -> bool:
    return lower in _NEGATIONS or lower.endswith("n't")


def _find_head(clause: Clause, you: Subject, users: frozenset[str]) -> None:
    """Set subject, negation and verb of a clause whose verb is the last word read, if it is."""
    found = clause.words
    last = found[-1]
    if last.kind != "word":
        return
    at = 0
    while at < len(found) and (
        found[at].kind == "mark" or found[at].lower in _COORDINATORS or _opens(found[at].lower, clause.link)
    ):
        at += 1
    if at < len(found) - 1 and found[at].lower in lexicon.MODALS:
        clause.modal = found[at].lower
        clause.negated = clause.negated or found[at].lower == "cannot"
        at += 1
    if at >= len(found):
        return
    start = at
    if not clause.own_subject:
        subject = _subject_at(found, at, you, users)
        if subject is not None and subject[1] < len(found):
            clause.subject, clause.own_subject = subject[0], True
            clause.negated = found[at].lower in ("no", "none", "nobody")
            clause.modal = ""
            at = subject[1]
        elif clause.link in ("infinitive", "gerund", "before", "after", "without", "while") or clause.subject:
            pass
        elif _is_order(found[start:]):
            clause.subject = "agent"
        else:
            return
    else:
        subject = _subject_at(found, start, you, users)
        at = subject[1] if subject is not None else start
    negated = False
    passive = False
    perfect = False
    for place in range(at, len(found)):
        word = found[place]
        lower = word.lower
        if _negates(lower):
            negated = True
        if lower in lexicon.MODALS or lower == "cannot":
            clause.modal = lower
            continue
        if lower in lexicon.AUXILIARIES:
            passive = lower in _BE
            perfect = lower in ("have", "has", "had")
            continue
        if _negates(lower) or _is_adverb(lower) or lower in ("to", "be", "longer", "no", ","):
            continue
        if word.kind != "word":
            continue
        if place != len(found) - 1 or (perfect and not is_participle(lower)):
            return
        if lower in _NO_VERB or lower in lexicon.DETERMINERS:
            return
        if not clause.own_subject and not _is_verb_form(clause, word):
            return
        clause.head = place
        clause.negated = clause.negated or negated or word.lower in lexicon.UNABLE
        clause.passive = passive and not lower.endswith("ing")
        return


def _is_order(found: list[Word]) -> bool:
    """Say whether words are an order up to its verb: "Ask", "Do not offer"."""
    before = all(word.lower in ("do", "always", "please") or _negates(word.lower) or _is_adverb(word.lower) for word in found[:-1])
    return before and found[-1].stem in lexicon.COMMANDS | {"do"} and not found[-1].lower.endswith(("ing", "ings", "ed"))


def _opens(lower: str, link: Link) -> bool:
    if link in ("main", "topic"):
        return _is_adverb(lower)
    return (
        lower in _MARKERS
        or lower in ("should", "had")
        or lower in _GERUND_AFTER
        or lower in ("if", "that", "as", "prior", "to", "in", "case", "on", "with", *_QUESTIONS)
        or _is_adverb(lower)
    )


def _is_verb_form(clause: Clause, word: Word) -> bool:
    """Say whether a word can be the verb of a clause without a subject."""
    if clause.link in ("before", "after", "without", "while", "gerund"):
        return word.lower.endswith("ing") or (
            clause.subject != "" and word.stem in lexicon.COMMANDS and word.lower[-1] != "s"
        )
    return word.stem in lexicon.COMMANDS
