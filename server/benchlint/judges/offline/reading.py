"""What the offline reader understands of a policy, each part bound to its item."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

from benchlint.judges.offline.clause import Speech

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class Need:
    """Something that the agent has to obtain or to check before the acts of a flow.

    `options` are the stems of each piece of information that will do; none
    for a check of the rules. `phrase` is the policy's wording. `objects`
    narrow it to acts on these things, where the policy does; those of a need
    of every flow must be there before, so that acts that make one are free.
    """

    item: str
    phrase: str
    options: tuple[Stems, ...]
    objects: Stems = frozenset()

    @property
    def is_check(self) -> bool:
        """Whether the rules are to be checked, instead of something asked."""
        return not self.options


@dataclass(frozen=True, slots=True)
class Flow:
    """A part of the policy for one kind of act ("Cancel pending order").

    `family` is the verb's; `names` are what tells it from other flows of the
    family. `others` maps the families of further acts of which its items
    speak to the stems around them. A `narrow` one, of a single sentence, is
    for acts on its names alone.
    """

    family: str
    names: Stems
    title: str
    needs: tuple[Need, ...] = ()
    others: dict[str, Stems] = field(default_factory=dict)
    narrow: bool = False


@dataclass(frozen=True, slots=True)
class ConsentRule:
    """An item that wants the user's consent before acts of these families (None: of all)."""

    item: str
    families: Stems | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A circumstance: words that stand together, and whether it is their absence."""

    stems: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Ban:
    """An item that forbids an act.

    `objects` are what it is done to; `kinds` the words that single out which
    of them ("saver"); `facts` further circumstances; `after` the stem of an
    event after which it is forbidden.
    """

    item: str
    text: str
    family: str
    objects: Stems
    kinds: Stems = frozenset()
    facts: tuple[Fact, ...] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class Prohibition:
    """An item by which the agent never does something.

    `verb` is its family; empty where the item rules out a thing ("cash
    refunds are not possible"). `objects` and `about` are alternatives of what
    it is done to, and of what a preposition adds ("about other members");
    one of each has to be there. `headings` are those of its part.
    """

    item: str
    text: str
    verb: str
    objects: tuple[Stems, ...]
    about: tuple[Stems, ...]
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many of something; `families` are the acts that it limits."""

    item: str
    text: str
    number: int
    noun: tuple[str, ...]
    families: Stems


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money for something, in units of `per` (stems of what is counted).

    `things` are what is paid for or given; `trigger` are words of the
    situation in which it is. A ceiling is the most that may be given, in
    place of what is given; `most` is what all units together may come to.
    """

    item: str
    text: str
    value: float
    currency: str
    per: tuple[str, ...]
    things: Stems
    trigger: Stems
    is_ceiling: bool
    most: float = math.inf


@dataclass(frozen=True, slots=True)
class OnRequest:
    """An item by which something is given only to a user who asks; `phrase` names what is asked for."""

    item: str
    phrase: str
    asked: Stems
    given: Stems


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An item by which nothing is given in some circumstances."""

    item: str
    text: str
    facts: tuple[Fact, ...]
    given: Stems


@dataclass(frozen=True)
class PolicyReading:
    """A policy as far as it is understood. Silence about an item means that it is not.

    `needs` are those of every flow. `permissions` are, for each item that
    permits something, all its stems and those of what it permits an act on.
    `hand_over`, `deny`, `closed` and `no_advice` are ids of items, or empty:
    a handover only for what the agent cannot do; requests against the policy
    are denied; no information and procedures from elsewhere; no
    recommendations. `services` are the families of the acts with which the
    agent helps, `writes` those of all acts that change something, `things`
    those whose noun is what other acts are done to ("cancel a booking").
    `texts` are ids and texts of all items.
    """

    flows: tuple[Flow, ...] = ()
    needs: tuple[Need, ...] = ()
    consents: tuple[ConsentRule, ...] = ()
    bans: tuple[Ban, ...] = ()
    prohibitions: tuple[Prohibition, ...] = ()
    permissions: tuple[tuple[Stems, Stems], ...] = ()
    limits: tuple[Limit, ...] = ()
    amounts: tuple[Amount, ...] = ()
    on_request: tuple[OnRequest, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    hand_over: str = ""
    deny: str = ""
    closed: str = ""
    no_advice: str = ""
    services: Stems = frozenset()
    writes: Stems = frozenset()
    things: Stems = frozenset()
    vocabulary: Stems = frozenset()
    speech: Speech = field(default_factory=Speech)
    texts: tuple[tuple[str, str], ...] = ()

    @cached_property
    def _by_id(self) -> dict[str, str]:
        return dict(self.texts)

    def text(self, item: str) -> str:
        """Return the text of an item."""
        return self._by_id.get(item, "")
