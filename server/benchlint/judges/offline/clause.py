"""A clause: a part of a sentence with one verb, and how it hangs on the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from benchlint.judges.offline import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.judges.offline.words import Word

Subject = Literal["agent", "user", "other", ""]
Link = Literal[
    "main", "topic", "condition", "after", "before", "cause", "content", "asked", "relative", "infinitive", "gerund",
    "without", "while",
]  # fmt: skip
"""`main` does something; `topic` is a phrase in front without a verb ("For the cancellation, ..."); `content` is
what is said or made sure of ("that ..."), `asked` what is asked ("whether ..."); `after` holds what has happened
before ("once ...", "upon ..."), `before` what comes next."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Words that a reading goes by, as stems: nouns for users, and verbs that agents are told to do."""

    users: frozenset[str] = lexicon.USERS
    commands: frozenset[str] = lexicon.COMMANDS


@dataclass(slots=True, eq=False)
class Clause:
    """A part of a sentence with one verb at most.

    `start` and `end` are characters of the text; `sentence` is the index of
    its sentence. `link` tells how it hangs on `parent`. `head` is the index
    of its verb in `words`, or -1. `own_subject` says whether the subject
    stands in the clause; otherwise it is taken from the clause that this one
    continues. `stems` and `lowers` are those of its words.
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
    lowers: frozenset[str] = field(default=frozenset())

    @property
    def verb(self) -> str:
        """The stem of the verb, or an empty text."""
        return self.words[self.head].stem if self.head >= 0 else ""

    @property
    def object_words(self) -> list[Word]:
        """The words after the verb, or all where there is none."""
        return self.words[self.head + 1 :]

    @property
    def has_assent(self) -> bool:
        """Whether it names the user's consent ("an explicit yes")."""
        return not lexicon.ASSENT_WORDS.isdisjoint(self.lowers)

    def ancestors(self) -> Iterator[Clause]:
        """Walk from the clause that this one hangs on to the main clause."""
        clause = self.parent
        while clause is not None:
            yield clause
            clause = clause.parent

    def enclosing(self, *links: Link) -> Clause | None:
        """Return this clause or the nearest that it hangs on with one of some links."""
        if self.link in links:
            return self
        return next((above for above in self.ancestors() if above.link in links), None)
