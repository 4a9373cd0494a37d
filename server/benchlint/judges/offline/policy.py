"""Reads a policy into what the detectors need of it."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from benchlint.judges.offline import lexicon
from benchlint.judges.offline.amounts import amounts_of_all, exclusion, on_request
from benchlint.judges.offline.bans import bans_of, limits_of, permissions_of
from benchlint.judges.offline.items import act_named, hands_over, is_act_noun, prepare, services, speech_of
from benchlint.judges.offline.lexicon import family
from benchlint.judges.offline.needs import act_before, identity_need, needs_of
from benchlint.judges.offline.prohibitions import prohibitions_of
from benchlint.judges.offline.reading import ConsentRule, Flow, PolicyReading
from benchlint.judges.offline.words import stem, stem_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Policy, Tools
    from benchlint.judges.offline.items import Item
    from benchlint.judges.offline.reading import Stems
    from benchlint.judges.offline.words import Word

_DENIES: Final = re.compile(
    r"\b(?:deny|refuse|decline|reject)\b[^.]*\brequests?\b[^.]*"
    r"\b(?:against|violat\w+|rules? out|contrar\w+|contradict\w*|not allowed|forbid\w*|outside)\b",
    re.IGNORECASE,
)
_CLOSED: Final = re.compile(
    r"\b(?:not|never)\b[^.]*\b(?:procedures?|information|knowledge|promise|invent|make up)\b[^.]*\b(?:tools?|policy)\b",
    re.IGNORECASE,
)
_NO_ADVICE: Final = re.compile(r"\b(?:not|never)\b[^.]*\b(?:recommendations?|opinions?|advice)\b", re.IGNORECASE)
_ONLY_IF: Final = re.compile(r"\bonly (?:if|when|where|in case)\b", re.IGNORECASE)
_BEYOND: Final = re.compile(r"\b(?:cannot|can't|can not|not able|unable|outside|beyond|out of|scope)\b", re.IGNORECASE)
_OF_USER: Final = (
    r"the\s+(?!manager|supervisor|team|specialist|staff|agent|department|officer|office|bank|system|tool|clerk|api"
    r"|colleague|assistant|desk|head|owner of)\w+"
)
"""Somebody who consents, and is no other person than the user."""
_CONSENT: Final = re.compile(
    r"\b(?:explicit(?:ly)?\s+(?:\w+\s+)?(?:confirm\w*|consent|approval|yes|permission|agree\w*)"
    r"|(?:obtain|get|ask for|receive|wait for|have|without|requires?|needs?)\s+(?:an?\s+|the\s+)?"
    r"(?:[\w']+\s+){0,3}[\"'“]?(?:confirmation|consent|approval|permission|go-ahead|yes)\b"
    r"|(?:customer|user|guest|member|client)s?\s+(?:has|have|must)\s+(?:confirm\w*|agree\w*|approve\w*|consent\w*)"
    rf"|be\s+(?:confirmed|approved|agreed)\s+(?:to\s+)?by\s+{_OF_USER}"
    rf"|{_OF_USER}\s+(?:has\s+said|says)\s+[\"'“]?yes\b"
    rf"|(?:have|let|make)\s+{_OF_USER}\s+(?:confirm|agree|approve|consent)\b"
    rf"|(?:after|once|until|unless|when)\s+{_OF_USER}\s+(?:has|have)\s+(?:\w+ly\s+)?"
    r"(?:confirmed|agreed|approved|consented)\b"
    rf"|(?:after|once|until|unless|when)\s+{_OF_USER}\s+(?:confirms|agrees|approves|consents)\b)",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"\b(?:before|prior to|unless|until|without|first|only (?:after|with|once|upon)|requires?|needs?)\b", re.IGNORECASE
)
_PERMITTED: Final = re.compile(
    r"\b(?:can|may|cannot)\s+(?:(?:not|also|only|always|still|be)\s+)*(?P<verb>[a-z]+)\b", re.IGNORECASE
)
_GENERAL: Final = stem_set("action database record system write consequential transaction")
_PLAIN: Final = lexicon.HELP | stem_set("make take give do have get use handle settle stay provide hold keep complain")
_NEVER_WRITES: Final = stem_set(
    "list ask tell inform provide help transfer hand check verify read take give settle complain stay offer keep"
    " call make use hold execute write"
)
_SAYS: Final = lexicon.TELL | lexicon.RECOMMEND | lexicon.LIST | lexicon.CHECK | lexicon.CONSENT
"""What changes nothing, even where a rule about changes names it: "summarise each change"."""
_CARRIES_OUT: Final = lexicon.CARRY_OUT | lexicon.PROCEED | stem_set("make")
"""Verbs that leave open what is done: "before making it"."""
_AFTER_NOUN: Final = lexicon.PREPOSITION_WORDS | lexicon.COORDINATOR_WORDS | lexicon.FINITE_WORDS


def _nouns_of_acts(item: Item) -> Iterator[str]:
    """Yield the families of the acts that an item names by nouns, or one by one in parentheses."""
    depth = 0
    for word, following in zip_longest(item.words, item.words[1:]):
        depth += {"(": 1, ")": -1}.get(word.lower, 0)
        is_last = following is None or following.kind == "mark" or following.lower in _AFTER_NOUN
        if (is_act_noun(word) and is_last) or (depth > 0 and word.lower.endswith("ing") and word.kind == "word"):
            yield family(word.stem)


def read(policy: Policy, tools: Tools | None = None) -> PolicyReading:
    """Read a policy, and the tools for the words and acts that they know."""
    return _Reader(policy, tools).reading()


class _Reader:
    def __init__(self, policy: Policy, tools: Tools | None) -> None:
        self.tools = tools
        self.speech = speech_of(policy.sentences, tools)
        self.items = list(prepare(policy.sentences, self.speech))
        self.services = frozenset(services(self.items, self.speech))
        self.headings = self._headings()

    def reading(self) -> PolicyReading:
        """Return all that is understood."""
        consents, consented = self._consents()
        flows = (*self._flows(), *self._flows_of_items())
        amounts = tuple(amounts_of_all(self.items))
        given = frozenset(thing for amount in amounts if amount.trigger for thing in amount.things)
        requests = (on_request(item, given) for item in self.items)
        exclusions = (exclusion(item, given) for item in self.items)
        outside = [item for item in self.items if self.headings.keys().isdisjoint(item.headings)]
        families = {flow.family for flow in flows}
        writes = self._others(self.items, "").keys() | consented | set(self._tool_families())
        return PolicyReading(
            flows=flows,
            needs=tuple(need for need in map(identity_need, outside) if need is not None),
            consents=consents,
            bans=tuple(ban for item in self.items for ban in bans_of(item, self.speech)),
            prohibitions=tuple(rule for item in self.items for rule in prohibitions_of(item, self.speech)),
            permissions=tuple(permission for item in self.items for permission in permissions_of(item)),
            limits=tuple(limit for item in self.items for limit in limits_of(item)),
            amounts=amounts,
            on_request=tuple(rule for rule in requests if rule is not None),
            exclusions=tuple(rule for rule in exclusions if rule is not None),
            hand_over=self._hand_over(),
            deny=self._first(_DENIES),
            closed=self._first(_CLOSED),
            no_advice=self._first(_NO_ADVICE),
            services=self.services,
            writes=frozenset(((writes | families) - _NEVER_WRITES - _SAYS) | (self.services - _PLAIN)),
            things=frozenset(family(name) for flow in flows for name in flow.names if family(name) != flow.family),
            vocabulary=self._vocabulary(),
            speech=self.speech,
            texts=tuple((item.id, item.text) for item in self.items),
        )

    def _first(self, pattern: re.Pattern[str]) -> str:
        return next((item.id for item in self.items if pattern.search(item.text)), "")

    def _tool_families(self) -> Iterator[str]:
        for tool in self.tools.by_name.values() if self.tools is not None else ():
            if tool.requestor == "assistant" and tool.effect == "write":
                yield family(stem(re.split(r"[_\W]+", tool.name.lower())[0]))

    def _headings(self) -> dict[str, tuple[str, Stems]]:
        """Map each heading that names an act to its family and objects, in the order of the policy."""
        found = {}
        for heading in dict.fromkeys(heading for item in self.items for heading in item.headings):
            act = act_named(heading, self.speech)
            if act is not None:
                found[heading] = act
        return found

    def _vocabulary(self) -> Stems:
        texts = [" ".join((item.label, *item.headings, item.text)) for item in self.items]
        tools = self.tools.by_name.values() if self.tools is not None else ()
        texts += [" ".join((tool.name, tool.description, *tool.parameters)) for tool in tools]
        return frozenset(stem(word) for text in texts for word in re.findall(r"[^\W\d_]+", text.lower()))

    def _consents(self) -> tuple[tuple[ConsentRule, ...], Stems]:
        """Return the items that want consent, and all families that they name."""
        rules = []
        named: Stems = frozenset()
        for item in self.items:
            if not _CONSENT.search(item.text) or not _BEFORE.search(item.text):
                continue
            families = frozenset(self._families_before(item)) - _CARRIES_OUT
            named |= families & frozenset(map(family, self.speech.commands))
            named |= frozenset(_nouns_of_acts(item))
            by_words = not item.stems.isdisjoint(_GENERAL)
            if by_words:
                named |= {family(stem("replace"))}
            if not families and not by_words:
                families = frozenset(self.headings[name][0] for name in item.headings if name in self.headings)
            general = not families or family(stem("change")) in families or by_words
            rules.append(ConsentRule(item.id, None if general else families))
        return tuple(rules), named

    def _families_before(self, item: Item) -> Iterator[str]:
        for clause in item.prose.clauses:
            if clause.link in ("before", "gerund", "relative", "topic", "condition"):
                for word in clause.words:
                    is_noun = clause.head < 0 and word.stem in lexicon.AMBIGUOUS
                    if (word.stem in self.speech.commands and not is_noun) or is_act_noun(word):
                        yield family(word.stem)
            elif clause.link == "main" and clause.passive and "only" in clause.lowers:
                yield from (
                    family(word.stem) for word in clause.words if word.lower.endswith("ed") and self._is_act(word)
                )
            elif clause.link == "main" and clause.negated and clause.subject == "agent":
                for before, word in zip((None, *clause.words), clause.words, strict=False):
                    is_noun = before is not None and before.lower in lexicon.DETERMINER_WORDS
                    if not is_noun and self._is_act(word):
                        yield family(word.stem)

    def _is_act(self, word: Word) -> bool:
        return word.stem in self.speech.commands and word.lower != "not"

    def _flows(self) -> Iterator[Flow]:
        """Yield a flow for each heading that names an act."""
        for heading, (act, names) in self.headings.items():
            items = [item for item in self.items if heading in item.headings]
            needs = {(need.options, need.objects): need for item in items for need in needs_of(item, self.speech)}
            yield Flow(act, names, heading, tuple(needs.values()), self._others(items, act))

    def _others(self, items: list[Item], act: str) -> dict[str, Stems]:
        """Map the families of the further acts that items permit or forbid to the stems around them."""
        found: dict[str, Stems] = {}
        for item in items:
            verbs = {stem(match["verb"].lower()) for match in _PERMITTED.finditer(item.text)}
            verbs |= {
                clause.verb
                for clause in item.prose.clauses
                if clause.link == "main" and clause.modal in ("can", "may", "cannot")
            }
            for other in map(family, verbs & self.speech.commands):
                if other != act and other not in _NEVER_WRITES and other not in _PLAIN:
                    found[other] = found.get(other, frozenset()) | (item.stems - lexicon.GENERIC)
        return found

    def _flows_of_items(self) -> Iterator[Flow]:
        """Yield a flow for each item outside of them that names its act itself: "Before you cancel a booking, ..."."""
        for item in self.items:
            if not self.headings.keys().isdisjoint(item.headings):
                continue
            act = act_before(item)
            needs = tuple(needs_of(item, self.speech)) if act is not None else ()
            if act is not None and needs:
                yield Flow(act[0], act[1], act[2], needs, narrow=True)

    def _hand_over(self) -> str:
        for item in self.items:
            if hands_over(item.stems) and _ONLY_IF.search(item.text) and _BEYOND.search(item.text):
                return item.id
        return ""
