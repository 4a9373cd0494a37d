"""A policy as what the detectors need of it, each part bound to its item."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchlint.benchmark.policy_kind import is_conditional, label_end
from benchlint.judges.offline import lexicon
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.prose import Clause, read_prose
from benchlint.judges.offline.words import Word, is_noun_of_action, stem, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.benchmark.model import Policy, PolicyItem, Tools
    from benchlint.judges.offline.prose import Prose

Stems = frozenset[str]

_NEGATIVE_MODAL = re.compile(r"\b(?:cannot|can't|mustn't|shouldn't|(?:can|must|may|should|shall) (?:not|never))\b", re.I)
_SEGMENT_END = re.compile(r"[;.]|,\s+(?:and|but|so|or)\s+|\bbut\b")
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
    )
} | {"twenty": 20, "a": 1, "an": 1, "single": 1, "twice": 2, "both": 2}
_LIMIT = re.compile(
    r"\b(?:at most|no more than|not more than|up to|(?:a )?maximum of|only)\s+(?:an? (?:total|maximum) of\s+)?"
    r"(?P<number>\d+|[a-z]+)\b",
    re.I,
)
_MONEY = re.compile(
    r"(?P<sign>[$€£])\s?(?P<first>\d[\d,]*(?:\.\d+)?)"
    r"|(?P<second>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>[€£$]|dollars?\b|usd\b|euros?\b|eur\b|pounds?\b|gbp\b|credits?\b|points?\b)",
    re.I,
)
_CURRENCY = {"$": "dollar", "usd": "dollar", "€": "euro", "eur": "euro", "£": "pound", "gbp": "pound"}
_PER = re.compile(r"\b(?:per|for each|for every|times the number of|multiplied by the number of|each)\s+", re.I)
_STOP = frozenset("for of in to from with by via at who that which after before until so when if on as".split())


@dataclass(frozen=True, slots=True)
class Need:
    """Something that the agent has to obtain or to check before the acts of a flow.

    `options` are the stems of each piece of information that will do; none
    for a check of the rules. `phrase` is the policy's wording. `objects`
    narrow it to acts on these things, where the policy does.
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

    `family` is the verb's; `others` maps the families of further acts that
    its items speak of to the stems beside them. `names` tell it from other
    flows of the same family.
    """

    family: str
    names: Stems
    title: str
    needs: tuple[Need, ...]
    others: dict[str, Stems]
    vocabulary: Stems


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
    flow: str = ""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many of something; `families` are the acts it limits."""

    item: str
    text: str
    number: int
    noun: tuple[str, ...]
    families: Stems


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money for something, in units of `per` (stems of what is counted).

    `trigger` are words of the situation in which it is due; `things` what is
    paid or given.
    """

    item: str
    text: str
    value: float
    currency: str
    per: tuple[str, ...]
    things: Stems
    trigger: Stems
    heading: str


@dataclass(frozen=True, slots=True)
class OnRequest:
    """An item by which something may be given only to a user who asks."""

    item: str
    asked: Stems
    given: Stems


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An item by which nothing is given in some circumstances."""

    item: str
    text: str
    facts: tuple[Fact, ...]
    given: Stems


@dataclass(frozen=True, slots=True)
class PolicyReading:
    """What the offline reader understands of a policy. Silence about an item means it did not."""

    flows: tuple[Flow, ...] = ()
    needs: tuple[Need, ...] = ()
    consents: tuple[ConsentRule, ...] = ()
    bans: tuple[Ban, ...] = ()
    permissions: tuple[tuple[Stems, str], ...] = ()
    limits: tuple[Limit, ...] = ()
    amounts: tuple[Amount, ...] = ()
    on_request: tuple[OnRequest, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    hand_over: str = ""
    """The id of the item that allows a handover only for what the agent cannot do."""
    deny: str = ""
    """The id of the item by which requests against the policy are denied."""
    closed: str = ""
    """The id of the item that forbids information and procedures from elsewhere."""
    no_advice: str = ""
    """The id of the item that forbids recommendations."""
    services: Stems = frozenset()
    """Families of the acts that the policy says the agent helps with."""
    writes: Stems = frozenset()
    """Families of all acts that change something."""
    things: Stems = frozenset()
    """Families whose noun is what other acts are done to: "cancel a booking"."""
    vocabulary: Stems = frozenset()
    roles: Stems = frozenset()
    texts: tuple[tuple[str, str], ...] = ()

    def text(self, item: str) -> str:
        """Return the text of an item."""
        return dict(self.texts).get(item, "")


def read(policy: Policy, tools: Tools | None = None) -> PolicyReading:
    """Read a policy, and the tools for the words and acts that they know."""
    return _Reader(policy, tools).reading()


def number_of(lower: str) -> int | None:
    """Return the number that a word or numeral names."""
    if lower.isdigit() and len(lower) < 7:
        return int(lower)
    return _NUMBERS.get(lower)


@dataclass(frozen=True, slots=True)
class _Item:
    """An item, its text without label and emphasis, and its clauses."""

    id: str
    text: str
    label: str
    headings: tuple[str, ...]
    kind: str
    prose: Prose
    found: tuple[Word, ...]
    stems: Stems

    @property
    def heading(self) -> str:
        """The nearest heading, or an empty text under the document's title alone."""
        return self.headings[-1] if self.headings else ""


class _Reader:
    def __init__(self, policy: Policy, tools: Tools | None) -> None:
        self.tools = tools
        self.roles = frozenset(_roles(policy.items))
        self.items = list(self._items(policy.items))
        self.services = frozenset(self._services())
        self.tool_families = frozenset(self._tool_families())
        self.headings = self._headings()
        self.consented: set[str] = set()

    def reading(self) -> PolicyReading:
        """Return all that is understood."""
        consents = tuple(self._consents())
        flows = tuple(self._flows())
        writes = set(self.services) | set(self.tool_families) | {flow.family for flow in flows}
        for rule in consents:
            writes |= rule.families or set()
        writes |= self.consented
        for flow in flows:
            writes |= set(flow.others)
        amounts = tuple(self._amounts())
        given = frozenset(thing for amount in amounts if amount.trigger for thing in amount.things)
        return PolicyReading(
            flows=flows,
            needs=tuple(self._general_needs()),
            consents=consents,
            bans=tuple(self._bans()),
            permissions=tuple((item.stems, item.id) for item in self.items if item.kind == "permission"),
            limits=tuple(self._limits()),
            amounts=amounts,
            on_request=tuple(self._on_request(given)),
            exclusions=tuple(self._exclusions(given)),
            hand_over=self._hand_over(),
            deny=self._first(_DENIES),
            closed=self._first(_CLOSED),
            no_advice=self._first(_NO_ADVICE),
            services=self.services,
            writes=frozenset(writes - _NEVER_WRITES),
            things=frozenset(family(name) for flow in flows for name in flow.names if family(name) != flow.family),
            vocabulary=self._vocabulary(),
            roles=self.roles,
            texts=tuple((item.id, item.text) for item in self.items),
        )

    def _items(self, items: Sequence[PolicyItem]) -> Iterator[_Item]:
        label = ""
        previous: PolicyItem | None = None
        for item in items:
            text = " ".join(item.text.split())
            cut = label_end(text)
            if cut:
                label = text[:cut]
            elif previous is None or not 0 <= item.start - previous.end <= 2 or previous.path != item.path:
                label = ""
            previous = item
            body = text[cut:]
            found = tuple(words(body))
            stems = frozenset(word.stem for word in found)
            yield _Item(
                item.id, body, label, item.headings[1:], item.kind, read_prose(body, "agent", self.roles), found, stems
            )

    def _first(self, pattern: re.Pattern[str]) -> str:
        return next((item.id for item in self.items if pattern.search(item.text)), "")

    def _services(self) -> Iterator[str]:
        """Yield the families of "you can help users book, modify or cancel bookings"."""
        for item in self.items:
            match = _HELPS.search(item.text)
            if match:
                for word in words(item.text[match.end() :]):
                    if word.stem in lexicon.COMMANDS and word.stem == stem(word.lower) and not is_noun_of_action(word.lower):
                        yield family(word.stem)

    def _tool_families(self) -> Iterator[str]:
        for tool in self.tools.by_name.values() if self.tools is not None else ():
            if tool.requestor == "assistant" and tool.effect == "write":
                yield family(stem(re.split(r"[_\W]+", tool.name.lower())[0]))

    def _headings(self) -> dict[str, tuple[str, Stems]]:
        """Map each heading that names an act to its family and objects."""
        found = {}
        for heading in {heading for item in self.items for heading in item.headings}:
            act = _act_of(heading)
            if act is not None:
                found[heading] = act
        return found

    def _vocabulary(self) -> Stems:
        found = {found_stem for item in self.items for found_stem in item.stems}
        found |= {stem(word) for item in self.items for word in re.findall(r"[a-z]+", (item.label + item.heading).lower())}
        for tool in self.tools.by_name.values() if self.tools is not None else ():
            text = " ".join((tool.name.replace("_", " "), tool.description, *tool.parameters))
            found |= {stem(word) for word in re.findall(r"[a-z]+", text.replace("_", " ").lower())}
        return frozenset(found)

    def _consents(self) -> Iterator[ConsentRule]:
        for item in self.items:
            if not _CONSENT_RULE.search(item.text) or not _BEFORE.search(item.text) or item.kind == "fact":
                continue
            families = frozenset(self._families_before(item))
            self.consented |= families & {family(word) for word in lexicon.COMMANDS}
            general = not families or families & _GENERAL or any(stem_ in item.stems for stem_ in _GENERAL_WORDS)
            yield ConsentRule(item.id, None if general else families)

    def _families_before(self, item: _Item) -> Iterator[str]:
        for clause in item.prose.clauses:
            if clause.link in ("before", "gerund", "relative", "topic", "condition"):
                for word in clause.words:
                    if word.stem in lexicon.COMMANDS or is_noun_of_action(word.lower):
                        yield family(word.stem)

    def _flows(self) -> Iterator[Flow]:
        for heading, (act, names) in sorted(self.headings.items(), key=lambda pair: self._place(pair[0])):
            items = [item for item in self.items if heading in item.headings]
            others: dict[str, set[str]] = {}
            for item in items:
                for other in _permitted(item):
                    others.setdefault(other, set()).update(item.stems - lexicon.GENERIC)
            vocabulary = frozenset().union(*(item.stems for item in items))
            yield Flow(
                act,
                names,
                heading,
                tuple({(need.options, need.objects): need for item in items for need in self._needs(item)}.values()),
                {other: frozenset(stems) for other, stems in others.items() if other != act},
                vocabulary | names,
            )

    def _place(self, heading: str) -> int:
        return next(index for index, item in enumerate(self.items) if heading in item.headings)

    def _general_needs(self) -> Iterator[Need]:
        """Yield needs of every flow: items outside of the flows that want the user identified."""
        for item in self.items:
            if self.headings.keys() & set(item.headings) or not _IDENTIFY.search(item.text) or item.kind == "fact":
                continue
            options = [
                frozenset({word.stem}) for word in item.found if word.stem in lexicon.IDENTIFYING
            ] or [frozenset({"id"})]
            yield Need(item.id, "who the user is", tuple(dict.fromkeys([*options, *_IDENTITY])))

    def _needs(self, item: _Item) -> Iterator[Need]:
        label = _act_of(item.label.rstrip(" :-–—")) if item.label else None
        objects = label[1] if label is not None else frozenset()
        for clause in item.prose.clauses:
            if clause.link != "main" or clause.negated or clause.head < 0:
                continue
            beside = item.prose.of_sentence(clause.sentence)
            if beside[0].link == "condition" or any(
                other.link == "condition" and other.parent is clause for other in beside
            ):
                continue
            binding = clause.modal in _BINDING or (item.kind == "obligation" and clause.modal not in ("can", "may"))
            if not binding:
                continue
            if _collects(clause):
                for phrase, options in _pieces(item.text, clause):
                    yield Need(item.id, phrase, options, objects)
            elif clause.subject == "agent" and _checks(clause) and item.kind != "fact":
                yield Need(item.id, "", (), objects)

    def _bans(self) -> Iterator[Ban]:
        for item in self.items:
            if item.kind == "prohibition" and not is_conditional(item.text):
                yield from self._modal_bans(item)

    def _modal_bans(self, item: _Item) -> Iterator[Ban]:
        for match in _NEGATIVE_MODAL.finditer(item.text):
            first = 0
            for end in _SEGMENT_END.finditer(item.text, 0, match.start()):
                first = end.end()
            left = words(item.text, first, match.start())
            stop = _SEGMENT_END.search(item.text, match.end())
            right = words(item.text, match.end(), stop.start() if stop else len(item.text))
            if not left and first:
                left = words(item.text, 0, first)
            ban = self._ban(item, left, right)
            if ban is not None:
                yield ban

    def _ban(self, item: _Item, left: list[Word], right: list[Word]) -> Ban | None:
        right = [word for word in right if not (word.lower in lexicon.SKIPPED or word.lower.endswith("ly"))]
        if not right or any(word.lower in ("if", "unless", "when", "without", "only") for word in (*left, *right)):
            return None
        passive = right[0].lower == "be" and len(right) > 1
        verb = right[1] if passive else right[0]
        if verb.stem not in lexicon.COMMANDS or verb.stem in _NO_ACT:
            return None
        rest = right[2:] if passive else right[1:]
        after = ""
        for index, word in enumerate(rest):
            if word.lower == "after":
                following = [later for later in rest[index + 1 :] if later.stem not in lexicon.GENERIC]
                after = _event(following)
                rest = rest[:index]
                if not after:
                    return None
                break
        if any(word.lower in ("before", "within", "until", "for", "than") for word in rest):
            return None
        if not passive:
            if not _names_actor(left, self.roles):
                return None
            objects = _content(rest)
            return Ban(item.id, item.text, family(verb.stem), objects, after=after, flow=item.heading) if objects else None
        objects, kinds, facts = _patient(left, self.roles)
        if not objects:
            return None
        return Ban(item.id, item.text, family(verb.stem), objects, kinds, facts, after, item.heading)

    def _limits(self) -> Iterator[Limit]:
        for item in self.items:
            for match in _LIMIT.finditer(item.text):
                number = number_of(match["number"].lower())
                if number is None or (match[0].lower().startswith("only") and not item.text[match.end() :].strip()):
                    continue
                noun = _noun_after(item.text, match.end())
                if noun and not match[0].lower().startswith("only"):
                    families = frozenset(
                        family(clause.verb)
                        for clause in item.prose.clauses
                        if clause.verb and clause.verb not in _NO_ACT and clause.start <= match.start()
                    )
                    yield Limit(item.id, item.text, number, noun, families)

    def _amounts(self) -> Iterator[Amount]:
        for item in self.items:
            previous = 0
            for match in _MONEY.finditer(item.text):
                value, currency = money(match)
                end = _SEGMENT_END.search(item.text, match.end())
                last = end.start() if end else len(item.text)
                per = units(item.text, match.end(), last)
                gives = any(clause.verb in _GIVES and clause.link == "main" for clause in item.prose.clauses)
                trigger = _trigger(item) if gives else frozenset()
                segment = words(item.text, previous, match.start())
                previous = match.end()
                things = _things(item, segment, trigger)
                if things:
                    yield Amount(item.id, item.text, value, currency, per, things, trigger, item.heading)

    def _on_request(self, given: Stems) -> Iterator[OnRequest]:
        for item in self.items:
            match = _UNLESS_ASKED.search(item.text)
            if match and re.match(r"(?:please )?(?:do not|don't|never|you (?:must|should|may|can) ?not)\b", item.text, re.I):
                asked = _content(words(item.text, match.end())[:6])
                here = frozenset(word.stem for word in words(item.text, 0, match.start())) & given
                yield OnRequest(item.id, asked, here or given)

    def _exclusions(self, given: Stems) -> Iterator[Exclusion]:
        for item in self.items:
            match = _NOT_IF.match(item.text)
            if match:
                verb = stem(match["verb"].lower())
                if verb not in lexicon.GIVE | {"compensat"}:
                    continue
                facts = _facts(words(item.text, match.end()))
            else:
                match = _GET_NONE.match(item.text)
                if not match or not {word.stem for word in words(match["what"])} & given:
                    continue
                facts = _facts(words(match["who"]))
            if facts:
                yield Exclusion(item.id, item.text, facts, given)

    def _hand_over(self) -> str:
        for item in self.items:
            if not hands_over_words(item.found) or not re.search(r"\bonly (?:if|when|where|in case)\b", item.text, re.I):
                continue
            if _BEYOND.search(item.text):
                return item.id
        return ""


_HELPS = re.compile(r"\byou (?:can |may |should )?(?:help|assist|serve)\s+(?:the\s+)?\w+\b", re.I)
_DENIES = re.compile(
    r"\b(?:deny|refuse|decline|reject)\b[^.]*\brequests?\b[^.]*\b(?:against|violat\w+|rules? out|contrar\w+|contradict\w*"
    r"|not allowed|forbid\w*|outside)\b",
    re.I,
)
_CLOSED = re.compile(
    r"\b(?:not|never)\b[^.]*\b(?:procedures?|information|knowledge|promise|invent|make up)\b[^.]*\b(?:tools?|policy)\b", re.I
)
_NO_ADVICE = re.compile(r"\b(?:not|never)\b[^.]*\b(?:recommendations?|opinions?|advice)\b", re.I)
_CONSENT_RULE = re.compile(
    r"\b(?:explicit(?:ly)?\s+(?:\w+\s+)?(?:confirm\w*|consent|approval|yes|permission|agree\w*)"
    r"|(?:obtain|get|ask for|receive|wait for|require|have|without|requires?|needs?)\s+(?:an?\s+|the\s+)?(?:[\w']+\s+){0,3}"
    r"(?:confirmation|consent|approval|permission|go-ahead|yes)\b"
    r"|(?:customer|user|guest|member|client)s?\s+(?:has|have|must)\s+(?:confirm\w*|agree\w*|approve\w*|consent\w*))",
    re.I,
)
_BEFORE = re.compile(r"\b(?:before|prior to|unless|until|without|first|requires?|needs?)\b", re.I)
_GENERAL_WORDS = frozenset(map(stem, "action database record system write consequential transaction".split()))
_GENERAL = frozenset({family(stem("change"))})
_NEVER_WRITES = frozenset(
    map(
        stem,
        "list ask tell inform provide help transfer hand check verify read take give settle complain stay offer keep call"
        " make hold".split(),
    )
)
_IDENTIFY = re.compile(
    r"\b(?:authenticate|identify|verify)\b[^.]*\b(?:user|customer|guest|member|client|caller|identity)\b"
    r"|\bfind out who\b|\bidentity\b",
    re.I,
)
_IDENTITY = (frozenset({"identiti"}), frozenset(map(stem, ["authenticate"])), frozenset(map(stem, ["identify"])))
_BINDING = frozenset({"must", "should", "needs", "shall", "ought"})
_NO_ACT = (
    frozenset(map(stem, "be have do use take hold make help go see know allow assist apply proceed happen keep stay".split()))
    | lexicon.TELL
    | lexicon.OFFER
)
_UNLESS_ASKED = re.compile(r"\bunless\b[^.]*?\b(?:asks? for|requests?|demands?|claims?)\s+", re.I)
_NOT_IF = re.compile(
    r"(?:please )?(?:do not|don't|never|you (?:must|should|may|can) ?not)\s+(?:\w+ly\s+)?(?P<verb>\w+)\b[^.]*?\bif\s+"
    r"(?:the\s+)?\w+\s+(?=is|has|are|have|was|did|does)",
    re.I,
)
_GET_NONE = re.compile(r"(?P<who>.{3,120}?)\s+(?:get|gets|receive|receives|are given|is given)\s+no\s+(?P<what>[^.]*)", re.I)
_BEYOND = re.compile(r"\b(?:cannot|can't|can not|not able|unable|outside|beyond|out of|scope)\b", re.I)


def hands_over_words(found: Iterable[Word]) -> bool:
    """Say whether words speak of handing the user over to a person."""
    stems = {word.stem for word in found}
    return bool(stems & lexicon.HAND_OVER) and bool(stems & lexicon.HUMANS)


def money(match: re.Match[str]) -> tuple[float, str]:
    """Return value and currency of a sum that `money_in` found."""
    number = match["first"] or match["second"]
    unit = (match["sign"] or match["unit"]).lower()
    return float(number.replace(",", "")), _CURRENCY.get(unit, stem(unit))


def money_in(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Find the sums of money in a part of a text."""
    return _MONEY.finditer(text, start, len(text) if end is None else end)


def units(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the stems of what a sum is multiplied by: "per guest and night"."""
    match = _PER.search(text, start, end)
    if match is None or match.start() - start > 25:
        return ()
    found: list[str] = []
    for word in words(text, match.end(), end):
        if word.kind != "word" or word.lower in _STOP:
            break
        if word.lower in ("and", "per", "each", "every", "the", "a"):
            continue
        if word.lower in lexicon.AUXILIARIES or word.lower in ("with", "concerned"):
            break
        if found and word.lower.endswith("s"):
            break
        found.append(word.stem)
        if len(found) == 2:
            break
    return tuple(found)


def _roles(items: Sequence[PolicyItem]) -> Iterator[str]:
    for item in items:
        match = re.search(r"\byou (?:can |may |should )?(?:help|assist|serve)\s+(?:the\s+|our\s+)?([a-z]+)\b", item.text, re.I)
        if match and match[1].lower() not in lexicon.DETERMINERS | {"with", "to"}:
            yield stem(match[1].lower())


def _act_of(heading: str) -> tuple[str, Stems] | None:
    """Read a heading that names an act: "Cancel pending order", "Line Suspension"."""
    found = [word for word in words(heading) if word.kind == "word"]
    if not found:
        return None
    first, last = found[0], found[-1]
    if len(found) == 1 and not is_noun_of_action(first.lower):
        return None
    talk = lexicon.TELL | lexicon.CHECK | lexicon.REFUSE | {"complain"}
    if first.stem in lexicon.COMMANDS - talk and not (first.lower.endswith("s") or is_noun_of_action(first.lower)):
        return family(first.stem), _content(found[1:])
    if is_noun_of_action(last.lower) and last.stem not in talk and len(found) < 5:
        return family(last.stem), _content(found[:-1])
    return None


def _content(found: Iterable[Word]) -> Stems:
    return frozenset(word.stem for word in found if word.kind == "word" and word.stem not in lexicon.GENERIC)


def _permitted(item: _Item) -> Iterator[str]:
    """Yield the families of the acts that an item speaks of."""
    for clause in item.prose.clauses:
        if clause.verb and clause.link == "main" and clause.modal in ("can", "may", "cannot"):
            act = family(clause.verb)
            if clause.verb in lexicon.COMMANDS and act not in _NO_ACT:
                yield act


def _collects(clause: Clause) -> bool:
    if clause.subject == "agent":
        return clause.verb in lexicon.ASK - {stem("require"), stem("prompt")}
    return clause.subject == "user" and clause.verb in _USER_GIVES


_USER_GIVES = frozenset(map(stem, "provide give supply state confirm present show".split()))


def _checks(clause: Clause) -> bool:
    if clause.verb == "mak":
        return any(word.lower == "sure" for word in clause.object_words)
    if clause.verb not in frozenset(map(stem, "check verify ensure validate".split())):
        return False
    return not any(word.stem in lexicon.IDENTIFYING or word.lower == "identity" for word in clause.object_words)


def _pieces(text: str, clause: Clause) -> Iterator[tuple[str, tuple[Stems, ...]]]:
    """Yield each piece of information that a clause asks for: its phrase and stems."""
    depth = 0
    group: list[Word] = []
    groups: list[list[Word]] = [group]
    for word in clause.object_words:
        depth += {"(": 1, ")": -1}.get(word.lower, 0)
        if depth > 0 or word.lower == ")":
            continue
        if word.lower in (",", "and", "then"):
            group = []
            groups.append(group)
        else:
            group.append(word)
    for group in groups:
        while group and (group[0].lower in ("for", "first", "also") or group[0].lower.endswith("ly")):
            group = group[1:]
        if any(word.lower in ("or", "number") and _is_count(group, word) for word in group):
            continue
        kept: list[Word] = []
        for word in group:
            if word.lower in _STOP and not (word.lower in ("of", "for") and kept and kept[-1].stem in _KEEPS):
                break
            kept.append(word)
        while kept and (kept[-1].lower in ("first", "instead") or kept[-1].kind == "mark"):
            kept.pop()
        stems = frozenset(
            word.stem
            for word in kept
            if word.kind == "word" and word.lower not in lexicon.DETERMINERS and not word.lower.endswith("'s")
        ) - {"of", "for", "first", "or"}
        if not stems & lexicon.IDENTIFYING or len(stems) > 5 or any(word.lower == "or" for word in kept):
            continue
        yield re.sub(r"\s*\([^)]*\)", "", text[kept[0].start : kept[-1].end]), (stems,)


_KEEPS = frozenset(map(stem, "date reason".split()))


def _is_count(group: list[Word], word: Word) -> bool:
    if word.lower == "or":
        return False
    place = group.index(word)
    return place + 1 < len(group) and group[place + 1].lower == "of"


def _event(found: list[Word]) -> str:
    """Return the stem of the event that words name: "arrival", "the booking has been made"."""
    for word in found:
        if word.kind == "word" and word.stem not in lexicon.GENERIC and word.stem != "mak":
            return word.stem
    return ""


def _names_actor(left: list[Word], roles: Stems) -> bool:
    people = lexicon.AGENTS | lexicon.USERS | roles
    return any(word.stem in people or word.lower in ("you", "it", "they", "we") for word in left)


def _patient(left: list[Word], roles: Stems) -> tuple[Stems, Stems, tuple[Fact, ...]]:
    """Read what a passive ban is about: its noun, the words that narrow it, and circumstances."""
    del roles
    head: list[Word] = []
    rest: list[Word] = []
    for index, word in enumerate(left):
        if word.kind != "word":
            continue
        if word.lower in lexicon.MODALS:
            break
        if word.lower in _STOP | {"that", "which", "who"}:
            rest = left[index:]
            break
        head.append(word)
    nouns = [word for word in head if word.stem not in lexicon.GENERIC and word.lower not in lexicon.DETERMINERS]
    if not nouns:
        return frozenset(), frozenset(), ()
    listed = any(word.lower in ("and", "or") for word in head)
    if listed:
        objects, kinds = frozenset(word.stem for word in nouns), frozenset[str]()
    else:
        objects, kinds = frozenset({nouns[-1].stem}), frozenset(word.stem for word in nouns[:-1])
    facts: tuple[Fact, ...] = ()
    if rest:
        telling = [word for word in rest[1:] if word.stem not in lexicon.GENERIC and word.kind == "word"]
        if rest[0].lower in ("that", "which", "who"):
            facts = (Fact(tuple(word.stem for word in telling)),) if telling else ()
        elif telling:
            kinds = kinds | frozenset(word.stem for word in (telling[:-1] or telling))
    return objects, kinds, facts


def _noun_after(text: str, start: int) -> tuple[str, ...]:
    found: list[str] = []
    for word in words(text, start)[:5]:
        if word.kind != "word" or word.lower in _STOP or word.lower in lexicon.MODALS | lexicon.AUXILIARIES | {"and", "or"}:
            break
        found.append(word.stem)
    return tuple(found[-2:]) if found else ()


def _trigger(item: _Item) -> Stems:
    """Return the words of the situation in which a sum is due: "if a guest complains about noise"."""
    found: set[str] = set()
    for clause in item.prose.clauses:
        if clause.link in ("condition", "content"):
            found |= _content(clause.words)
    return frozenset(found) - lexicon.USERS - {stem("complain")} - _STOP


def _things(item: _Item, segment: list[Word], trigger: Stems) -> Stems:
    """Return what a sum is for: the object of "offer", or the subject of "costs"."""
    for clause in item.prose.clauses:
        if clause.verb in _GIVES and clause.link == "main" and clause.object_words:
            thing = _first_noun(clause.object_words)
            if thing:
                return frozenset({thing})
    if trigger:
        return frozenset()
    nouns = [
        word
        for word in segment
        if word.kind == "word"
        and word.stem not in lexicon.GENERIC | _COSTS
        and word.lower not in _STOP | lexicon.AUXILIARIES | lexicon.MODALS
        and word.lower not in ("up", "at", "most", "least", "about")
    ]
    return frozenset({nouns[-1].stem}) if nouns else frozenset()


_GIVES = lexicon.GIVE | lexicon.OFFER
_COSTS = frozenset(map(stem, "cost price charge fee amount which worth extra additional per".split()))


def _first_noun(found: list[Word]) -> str:
    for word in found:
        if word.kind != "word" or word.lower in _STOP:
            return ""
        if word.stem not in lexicon.GENERIC and word.lower not in lexicon.DETERMINERS:
            return word.stem
    return ""


def _facts(found: list[Word]) -> tuple[Fact, ...]:
    """Read circumstances joined by "and": "has no insurance and flies economy"."""
    parts: list[list[Word]] = [[]]
    for word in found:
        if word.lower == "and":
            parts.append([])
        elif word.kind == "word":
            parts[-1].append(word)
    facts = []
    for part in parts:
        negated = any(word.lower in ("no", "not", "without") or word.lower.endswith("n't") for word in part)
        if len(part) > 1 and part[0].stem not in lexicon.GENERIC and part[0].lower.endswith(("s", "ed")):
            part = part[1:]
        stems = tuple(
            word.stem
            for word in part
            if word.stem not in lexicon.GENERIC | lexicon.USERS | lexicon.WANT
            and word.lower not in _STOP | lexicon.AUXILIARIES | {"no", "not", "without", "who", "through"}
        )
        if stems:
            facts.append(Fact(stems, negated))
    return tuple(facts)
