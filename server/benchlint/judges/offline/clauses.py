"""Cuts a sentence into clauses, from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.clause import Clause
from benchlint.judges.offline.grammar import find_verb, is_finite_act, role_of, subject_at
from benchlint.judges.offline.words import is_noun_of_action, stem_set, word_set

if TYPE_CHECKING:
    from benchlint.judges.offline.clause import Link, Speech, Subject
    from benchlint.judges.offline.words import Word

_MARKERS: Final[dict[str, Link]] = {
    "when": "condition", "whenever": "condition", "unless": "condition", "until": "condition",
    "once": "after", "after": "after", "upon": "after", "having": "after", "before": "before", "since": "cause",
    "because": "cause", "while": "while", "whereas": "while", "although": "while", "though": "while",
    "without": "without", "who": "relative", "whom": "relative", "whose": "relative", "whether": "asked",
}  # fmt: skip
_FRONTED: Final[tuple[Link, ...]] = ("condition", "after", "before", "cause", "while")
_GERUNDS: Final[tuple[Link, ...]] = ("gerund", "before", "after", "without", "while")
_QUESTION_WORDS: Final = word_set("how what which where why")
_ASKS_IF: Final = stem_set("ask check see find determine verify confirm know inquire enquire wonder decide")
_BEFORE_GERUND: Final = word_set("by for of from with on about in than to")
_BEFORE_CONTENT: Final = word_set("sure aware certain clear out to with them him her again clearly politely")
_NO_OBJECT: Final = word_set("number numbers id ids reference code system and or is are was")
_NO_INFINITIVE_AFTER: Final = word_set("due prior need needs needed have has had ought able going")
_NO_CAUSE_AFTER: Final = word_set("such same well soon far long much many")
_SEEKS: Final = stem_set("ask search look apply wait")
_AFTER_VERB: Final = lexicon.DETERMINER_WORDS | word_set(
    "explicit confirmation consent approval clear final prior for to him them it up back over into whether that"
)


class _Opening(NamedTuple):
    """How a clause starts: its link, what it hangs on, and the clause whose subject and place it takes over."""

    link: Link
    parent: Clause | None = None
    same_as: Clause | None = None


def clauses_of(found: list[Word], sentence: int, you: Subject, speech: Speech) -> list[Clause]:
    """Return the clauses of a sentence; `you` is whom it addresses."""
    return _Cutter(found, sentence, you, speech).clauses() if found else []


class _Cutter:
    def __init__(self, found: list[Word], sentence: int, you: Subject, speech: Speech) -> None:
        self.all = found
        self.sentence = sentence
        self.you = you
        self.speech = speech
        self.done: list[Clause] = []
        self.main: Clause | None = None

    def clauses(self) -> list[Clause]:
        """Return the clauses that say something."""
        current = self._open(self._front())
        for at, word in enumerate(self.all):
            opening = self._boundary(at, current) if current.words else None
            if opening is not None:
                self._close(current)
                current = self._open(opening)
            current.words.append(word)
            if current.head < 0:
                find_verb(current, self.you, self.speech)
                if current.head >= 0 and current.link == "main" and self.main is None:
                    self.main = current
        self._close(current)
        return [
            clause
            for clause in self.done
            if any(word.kind != "mark" and word.lower not in lexicon.COORDINATOR_WORDS for word in clause.words)
        ]

    def _open(self, opening: _Opening) -> Clause:
        clause = Clause(0, 0, self.sentence, opening.link, [], opening.parent)
        same = opening.same_as
        if same is not None:
            clause.link, clause.parent = same.link, same.parent
            clause.subject, clause.negated, clause.modal = same.subject, same.negated, same.modal
        elif opening.link in ("infinitive", "gerund") and opening.parent is not None:
            clause.subject = self._doer(opening.parent)
        return clause

    def _doer(self, parent: Clause) -> Subject:
        """Say who does what hangs on a clause as an infinitive or gerund: "ask the user to confirm"."""
        directs = parent.verb in lexicon.ASK | lexicon.HELP | lexicon.TELL | lexicon.OFFER
        last = next((word for word in reversed(parent.words) if not lexicon.is_adverb(word.lower)), None)
        if directs and last is not None and (last.stem in self.speech.users or last.lower in lexicon.THEM_WORDS):
            return "user"
        return parent.subject

    def _close(self, clause: Clause) -> None:
        found = clause.words
        while len(found) > 1 and (found[-1].lower in lexicon.COORDINATOR_WORDS or found[-1].kind == "mark"):
            if found[-1].lower in ")]\"'”’":
                break
            found.pop()
        clause.start, clause.end = found[0].start, found[-1].end
        if clause.link == "main" and clause.head < 0:
            clause.link = "topic"
        clause.stems = frozenset([word.stem for word in found])
        clause.lowers = frozenset([word.lower for word in found])
        self.done.append(clause)

    def _front(self) -> _Opening:
        if self.all[0].lower in ("should", "had") and self._is_inverted(0):
            return _Opening("condition")
        return _Opening(self._marker(0, None) or "main")

    def _boundary(self, at: int, current: Clause) -> _Opening | None:
        """Say whether and how a clause starts at a word."""
        word = self.all[at]
        if word.kind == "mark":
            return None
        if word.lower in lexicon.MODAL_WORDS and self._is_inverted(at):
            return _Opening("main")
        purpose = current.link == "infinitive" and current.parent is None
        in_front = self.main is None and (current.link in _FRONTED or purpose) and len(current.words) > 1
        if in_front and self._agent_acts(at, current):
            return _Opening("main")
        if self._acts_on_assent(at, current):
            return _Opening("main", same_as=self.main)
        marker = self._marker(at, current)
        if marker is not None:
            again = marker == "content" and current.link == "content"
            return _Opening(marker, current.parent if again else current)
        previous = self.all[at - 1]
        if previous.lower in lexicon.COORDINATOR_WORDS or (previous.kind == "mark" and previous.lower in ",;:—–-("):
            return self._coordinated(at, current)
        if word.lower.endswith("ing") and self._is_complement(word, current):
            return _Opening("gerund", current)
        return self._bare_content(at, current)

    def _marker(self, at: int, current: Clause | None) -> Link | None:
        """Return the link that a word opens: "if", "before", "that", "to" before a verb."""
        word = self.all[at].lower
        previous = self.all[at - 1].lower if at else ""
        following = self.all[at + 1].lower if at + 1 < len(self.all) else ""
        if word == "if":
            return "asked" if current is not None and self._asks(current) else "condition"
        if word == "that" and current is not None:
            if current.link == "content" and previous in lexicon.COORDINATOR_WORDS:
                return "content"
            if current.head >= 0:
                return "content" if self._names_only_person(current) else "relative"
        if current is not None and current.head >= 0:
            if word in _QUESTION_WORDS and current.verb in lexicon.TELL | lexicon.CHECK | _ASKS_IF:
                return "asked"
            if word in ("which", "where"):
                return "relative"
        match word:
            case "once" if not following.isalpha() or previous in ("at", "only"):
                return None
            case "prior" if following == "to":
                return "before"
            case "in" if following == "case":
                return "condition"
            case "as" if following == "soon" and previous != "as":
                return "after"
            case "as" if previous not in _NO_CAUSE_AFTER and self._has_finite_verb(at + 1):
                return "cause"
            case "on" | "with" if following == "receiving" or self._names_assent(at):
                return "after"
            case "to":
                return "infinitive" if previous not in _NO_INFINITIVE_AFTER and self._is_command(at + 1) else None
        if word in _BEFORE_GERUND and following.endswith("ing") and self._has_object(at + 1):
            return "gerund"
        return _MARKERS.get(word)

    def _is_person(self, word: Word) -> bool:
        return (
            word.stem in lexicon.AGENTS
            or word.stem in self.speech.users
            or word.lower in lexicon.AGENT_PRONOUN_WORDS
            or word.lower in lexicon.USER_PRONOUN_WORDS
        )

    def _is_inverted(self, at: int) -> bool:
        """Say whether a subject follows a modal verb: "only then should the agent"."""
        ahead = [word for word in self.all[at + 1 : at + 3] if word.lower not in lexicon.DETERMINER_WORDS]
        return bool(ahead) and self._is_person(ahead[0]) and not (at and self._is_person(self.all[at - 1]))

    def _agent_acts(self, at: int, current: Clause) -> bool:
        """Say whether the agent and its verb follow, after a clause in front that no comma ends."""
        ahead = self.all[at : at + 3]
        if ahead[0].lower in lexicon.DETERMINER_WORDS:
            ahead = ahead[1:]
        if len(ahead) < 2 or self.all[at - 1].lower in lexicon.COORDINATOR_WORDS:
            return False
        acts = current.head < 0 and ahead[1].lower.endswith("s") and ahead[1].stem in self.speech.commands
        if ahead[1].lower not in lexicon.MODAL_WORDS and not acts:
            return False
        return ahead[0].lower in lexicon.AGENT_PRONOUN_WORDS or ahead[0].stem in lexicon.AGENTS

    def _acts_on_assent(self, at: int, current: Clause) -> bool:
        """Say whether an order follows the user's consent: "on a yes book the room"."""
        if current.link != "after" or current.head >= 0 or not lexicon.is_assent(self.all[at - 1].lower):
            return False
        word = self.all[at]
        return word.stem in self.speech.commands and at + 1 < len(self.all) and self.all[at + 1].lower in _AFTER_VERB

    def _has_object(self, at: int) -> bool:
        """Say whether a word in -ing is a verb with an object: "for booking a room", not "of booking 12"."""
        if self.all[at].stem not in self.speech.commands or at + 1 >= len(self.all):
            return False
        following = self.all[at + 1]
        return following.kind == "word" and following.lower not in _NO_OBJECT

    def _names_assent(self, at: int) -> bool:
        return any(lexicon.is_assent(word.lower) for word in self.all[at + 1 : at + 6])

    def _asks(self, current: Clause) -> bool:
        """Say whether an "if" after a clause opens a question: "ask the user if"."""
        return current.verb in _ASKS_IF and self._names_only_person(current)

    def _names_only_person(self, current: Clause) -> bool:
        return all(
            word.stem in self.speech.users
            or word.lower in _BEFORE_CONTENT
            or word.lower in lexicon.DETERMINER_WORDS
            or lexicon.is_adverb(word.lower)
            for word in current.object_words
        )

    def _has_finite_verb(self, at: int) -> bool:
        """Say whether a subject and a finite verb follow: "as it cannot", "as the user has"."""
        ahead = self.all[at : at + 8]
        if not ahead or ahead[0].kind != "word":
            return False
        for place, word in enumerate(ahead):
            if word.kind == "mark":
                return False
            if word.lower in lexicon.FINITE_WORDS:
                return place > 0
        return False

    def _is_command(self, at: int) -> bool:
        """Say whether a verb stands at a place, past adverbs."""
        while at < len(self.all) and lexicon.is_adverb(self.all[at].lower):
            at += 1
        if at >= len(self.all) or self.all[at].kind != "word":
            return False
        word = self.all[at]
        return word.lower == "be" or (word.stem in self.speech.commands and word.lower not in lexicon.DETERMINER_WORDS)

    def _is_complement(self, word: Word, current: Clause) -> bool:
        """Say whether a verb in -ing is the object of the verb before it: "suggest booking"."""
        if word.stem not in self.speech.commands or current.head < 0:
            return False
        before = current.words[-1]
        return before is current.words[current.head] or (
            before.stem in self.speech.users and current.verb in lexicon.OFFER | lexicon.REFUSE
        )

    def _bare_content(self, at: int, current: Clause) -> _Opening | None:
        """Open content without "that": "inform the user they cannot"."""
        last = current.words[-1]
        if current.verb not in lexicon.CLAIM or last.stem not in self.speech.users or last.lower.endswith("'s"):
            return None
        word = self.all[at].lower
        starts = (
            word in lexicon.DETERMINER_WORDS
            or word in lexicon.AGENT_PRONOUN_WORDS
            or word in lexicon.USER_PRONOUN_WORDS
        )
        if starts and any(later.lower in lexicon.FINITE_WORDS for later in self.all[at + 1 : at + 6]):
            return _Opening("content", current)
        return None

    def _coordinated(self, at: int, current: Clause) -> _Opening | None:
        """Open what stands beside an earlier clause, after "and" or a comma."""
        place = at
        while place < len(self.all) and (
            self.all[place].lower in lexicon.COORDINATOR_WORDS
            or lexicon.is_adverb(self.all[place].lower)
            or self.all[place].lower == ","
        ):
            place += 1
        if place >= len(self.all):
            return None
        comma = any(word.lower in ",;" for word in self.all[max(at - 2, 0) : at])
        subject = subject_at(self.all, place, self.you, self.speech)
        if subject is not None:
            colon = self.all[at - 1].lower == ":"
            return self._with_subject(self.all[place], subject[0], current, comma=comma, colon=colon)
        return self._without_subject(at, place, current, comma=comma)

    def _with_subject(self, word: Word, who: Subject, current: Clause, *, comma: bool, colon: bool) -> _Opening:
        opening = current.enclosing(*_FRONTED)
        if self.main is None and opening is not None and not comma:
            return _Opening(opening.link, opening.parent)
        said_by = [current, *current.ancestors()] if colon and who == "other" else []
        if any(clause.head >= 0 and clause.verb in lexicon.TELL | lexicon.REFUSE for clause in said_by):
            return _Opening("content", current)
        content = current.enclosing("content", "asked")
        if content is not None and (who != "agent" or word.lower in lexicon.AGENT_PRONOUN_WORDS):
            return _Opening("content", content.parent)
        return _Opening("main")

    def _without_subject(self, at: int, place: int, current: Clause, *, comma: bool) -> _Opening | None:
        word = self.all[place]
        if self.main is None and current.link in ("relative", "gerund") and is_finite_act(word, self.speech):
            return _Opening("main", same_as=Clause(0, 0, self.sentence, "main", [], subject=self._first_role()))
        if word.lower in lexicon.MODAL_WORDS or word.lower in ("not", "neither"):
            same = self._with_modal(word.lower, current)
            return _Opening("main", same_as=same) if same is not None else None
        if not self._continues(place, current):
            return None
        if self.main is not None and self.main.verb in lexicon.LIST | lexicon.TELL and self._in_parentheses(at):
            return _Opening("content", self.main)
        if self.main is None and current.link not in ("main", "topic"):
            joined = any(earlier.lower in lexicon.COORDINATOR_WORDS for earlier in self.all[at - 1 : at + 1])
            return _Opening("main") if comma and not joined else _Opening("main", same_as=current)
        same = self._continued(word, current)
        return _Opening("main", same_as=same) if same is not None else None

    def _in_parentheses(self, at: int) -> bool:
        marks = [word.lower for word in self.all[:at] if word.lower in "()"]
        return marks.count("(") > marks.count(")")

    def _continued(self, word: Word, current: Clause) -> Clause | None:
        """Return the clause that a further verb goes on with."""
        if word.lower.endswith("ing"):
            return current.enclosing(*_GERUNDS) or self.main
        if self._is_finite_again(word, current):
            return current
        if current.link == "infinitive" and current.verb and not {current.verb, word.stem} & lexicon.TALK:
            return current
        mains = [clause for clause in (*self.done, current) if clause.link == "main" and clause.head >= 0]
        return mains[-1] if mains else self.main

    def _first_role(self) -> Subject:
        """Say whose the noun is with which the sentence begins: "The guest of booking 12, which ..., wants"."""
        for word in self.all[:4]:
            if word.kind == "word" and word.lower not in lexicon.DETERMINER_WORDS:
                return role_of(word, self.speech)
        return "other"

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

    def _resumes(self, place: int, current: Clause) -> bool:
        """Say whether a verb in -s takes up the main clause after an aside: "and, after her yes, books two rooms"."""
        if self.main is None or current.link not in ("after", "condition") or self.all[place - 1].lower != ",":
            return False
        return self.all[place].lower.endswith("s") and self.main.words[self.main.head].lower.endswith("s")

    def _continues(self, place: int, current: Clause) -> bool:
        """Say whether the word at a place is a verb that goes on with an instruction."""
        word = self.all[place]
        if word.kind != "word" or word.stem not in self.speech.commands or word.capital:
            return False
        if word.lower in lexicon.DETERMINER_WORDS or is_noun_of_action(word.lower):
            return False
        if word.lower.endswith("ing"):
            listed = place > 1 and self.all[place - 2].lower.endswith("ing")
            return current.enclosing(*_GERUNDS) is not None or (self.all[place - 1].lower == "," and not listed)
        if word.lower.endswith("ed") and word.stem != word.lower:
            return False
        if word.stem not in lexicon.AMBIGUOUS or self._resumes(place, current):
            return True
        following = self.all[place + 1] if place + 1 < len(self.all) else None
        if following is None or following.kind != "word":
            return False
        if following.lower == "for":
            return word.stem in _SEEKS
        return following.lower in _AFTER_VERB or following.lower.endswith("ly") or following.stem in self.speech.users
