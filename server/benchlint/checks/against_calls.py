"""Sentences that contradict the expected actions."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from benchlint.checks.facts import day_of, is_money
from benchlint.checks.mentions import WORDS, Mention, amounts, counts, days, identifiers, names, number, numbers
from benchlint.checks.said import Evidence, Fault
from benchlint.checks.wording import alike, done, family, forms, is_exact, one_slip, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from benchlint.benchmark.model import Call
    from benchlint.checks.facts import Facts, Leaf
    from benchlint.checks.mentions import Day
    from benchlint.checks.said import Said
    from benchlint.checks.wording import Clause

_AMOUNT = re.compile(r"\$?[0-9][0-9,]*(?:\.[0-9]+)?")
_WORD = re.compile(r"[A-Za-z]+")
_TO_DAY = re.compile(
    r"[\s(:,]*(?:(?:on|for|at|leaving|departing|departs|dated|date|flights?|is|the)[\s(:]*)*", re.IGNORECASE
)
"""What may stand between an id and its day, or between a day and its ids."""

_FROM_DAY = re.compile(r"[\s(:]*(?:(?:with|using|via|by|on|the|in|flights?|numbers?)[\s(:]*)*", re.IGNORECASE)
_TO_AMOUNT = re.compile(
    r"[\s(:=]*(?:(?:dollars?|usd|will|should|be|is|was|are|charged?|paid|put|payment|on|to|onto|from|with|using|via|by"
    r"|in|the|a|his|her|their|user's|user|method|id|amount|of|for|worth|has|credit|gift|debit|card|certificate|account)"
    r"[\s(:=]*)*",
    re.IGNORECASE,
)
_INTO = re.compile(
    r"\b(?:to|into|as|reason|reason is|reason of|reason as|reason:)\s+[\"']?(?:an?\s+|the\s+)?\Z", re.IGNORECASE
)
_MORE = re.compile(r"\b(?:also|additionally|too|as well|further)\b", re.IGNORECASE)
_ARRIVING = re.compile(
    r"\b(?:arriv\w+|land\w*|valid|expir\w+|through|by)\s+(?:on\s+|at\s+|in\s+[A-Z]+\s+(?:on\s+)?)?\Z", re.IGNORECASE
)
_NUMBER_OF = re.compile(
    r"number of ([a-z]+)\b[^.]*?\b(?:is|to|be) (?:updated to |set to |changed to )?([0-9]{1,3}|"
    + "|".join(WORDS)
    + r")\b",
    re.IGNORECASE,
)
_PAYING = re.compile(r"\b(?:charg|pa(?:y|id)|put|bill|debit)", re.IGNORECASE)
_PAY = frozenset(chain.from_iterable(map(forms, ("use", "charge", "pay", "assign", "apply", "refund", "put", "bill"))))
"""What the agent does with a card."""

_SUMS = 8
"""Of how many values all sums are tried."""


def _evidence(leaves: Iterable[Leaf]) -> tuple[Evidence, ...]:
    """Point to scalars of the expected actions, each value once."""
    found: dict[Any, Evidence] = {}
    for leaf in leaves:
        found.setdefault(
            (leaf.call.name, leaf.key, leaf.value),
            Evidence(f"{leaf.key} of the expected {leaf.call.name} is {shown(leaf.value)}", leaf.pointer),
        )
    return tuple(found.values())[:5]


def shown(value: Any) -> str:
    """Write a scalar as it stands in a message."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _either(values: Iterable[Any]) -> str:
    texts = list(dict.fromkeys(map(shown, values)))
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}" if texts else ""


def _tools(leaves: Iterable[Leaf]) -> str:
    return _either(leaf.call.name for leaf in leaves)


def sums(values: Sequence[float]) -> set[float]:
    """Return the sums of some of the values; of many, only of one and of all."""
    sizes = range(1, len(values) + 1) if len(values) <= _SUMS else (1, len(values))
    return {round(sum(some), 2) for size in sizes for some in combinations(values, size)}


def days_of_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a day beside an id (a flight's number), where the expected actions give this id another day."""
    found = days(said.text)
    clause = done(said.text) if found else None
    if clause is None:
        return
    bound = {
        identifier: [leaf for leaf in leaves if clause.verb in family(tokens(leaf.call.name)[0])]
        for identifier, leaves in facts.days_by_id.items()
    }
    places = [mention for mention in identifiers(said.text) if bound.get(mention.value)]
    for mention in found:
        before, behind = _neighbours(mention, places)
        partner = None
        if before and _TO_DAY.fullmatch(said.text, before.end, mention.start):
            partner = before
        elif behind and _FROM_DAY.fullmatch(said.text, mention.end, behind.start):
            partner = behind
        if partner is None:
            continue
        ids = dict.fromkeys(place.value for place in places) if len(found) == 1 else {partner.value: None}
        leaves = [leaf for identifier in ids for leaf in bound[identifier]]
        if any(_has_day(leaf.value, mention.value) for leaf in leaves):
            continue
        if any(_recorded(facts, identifier, partial(_has_day, day=mention.value)) for identifier in ids):
            continue
        yield _day_fault(said, mention, leaves, f" for {_either(ids)}")


def _neighbours(
    mention: Mention[Any], places: Sequence[Mention[str]]
) -> tuple[Mention[str] | None, Mention[str] | None]:
    """Return the ids before and after a mention that are closest to it."""
    before = next((place for place in reversed(places) if place.end <= mention.start), None)
    behind = next((place for place in places if place.start >= mention.end), None)
    return before, behind


def _has_day(value: Any, day: Day) -> bool:
    return isinstance(value, str) and len(value) < 40 and any(day.matches(mention.value) for mention in days(value))


def _day_fault(said: Said, mention: Mention[Any], leaves: Sequence[Leaf], of: str = "") -> Fault:
    words = said.text[mention.start : mention.end]
    tool = _tools(leaves)
    values = _either(leaf.value for leaf in leaves)
    return Fault(
        said.field,
        said.span(mention.start, mention.end),
        f'"{words}" contradicts the expected {tool}, which has {values}{of}',
        _evidence(leaves),
    )


def _recorded(facts: Facts, identifier: str, fits: Callable[[Any], bool]) -> bool:
    """Say whether an object in the records has an id and, beside it, a fitting value."""

    def inside(value: Any) -> bool:
        if isinstance(value, list):
            return any(map(inside, value))
        if not isinstance(value, dict):
            return False
        items = list(value.values())
        return (identifier in items and any(map(fits, items))) or any(map(inside, items))

    return any(map(inside, facts.reached.values()))


def amounts_of_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an amount beside an id (of a card), where the expected actions give this id another amount."""
    found = amounts(said.text)
    if not found or not facts.money_by_id or not is_exact(said.text):
        return
    bound = facts.money_by_id
    places = [mention for mention in identifiers(said.text) if mention.value in bound]
    places = sorted([*places, *_named_places(facts, said.text)], key=lambda place: place.start)
    for mention in found:
        before, behind = _neighbours(mention, places)
        partner = None
        if behind and _TO_AMOUNT.fullmatch(said.text, mention.end, behind.start):
            partner = behind.value
        elif before and _TO_AMOUNT.fullmatch(said.text, before.end, mention.start):
            partner = before.value
        if partner is None or _is_paid(facts, partner, mention.value):
            continue
        leaves = bound[partner]
        yield Fault(
            said.field,
            said.span(mention.start, mention.end),
            f'"{said.text[mention.start : mention.end]}" contradicts the expected {_tools(leaves)},'
            f" which has {_either(leaf.value for leaf in leaves)} for {partner}",
            _evidence(leaves),
        )


def _is_paid(facts: Facts, identifier: str, amount: float) -> bool:
    """Say whether an amount is what an id pays, in one call or in all, a total, or recorded with the id."""
    leaves = facts.money_by_id[identifier]
    calls = [leaf.call for leaf in leaves]
    beside = [leaf.value for leaf in facts.leaves if leaf.call in calls and is_money(leaf)]
    return (
        amount in sums([leaf.value for leaf in leaves])
        or amount in sums(beside)
        or _recorded(facts, identifier, lambda value: value == amount)
    )


def _named_places(facts: Facts, text: str) -> Iterator[Mention[str]]:
    """Find ids by what their records call them: "mastercard" where one card of the actions has that brand."""
    if not _PAYING.search(text):
        return
    called: dict[str, set[str]] = {}
    for identifier in facts.money_by_id:
        for collection in facts.collections.values():
            record = collection.records.get(identifier)
            for value in record.values() if isinstance(record, dict) else ():
                if isinstance(value, str) and value != identifier and len(value) >= 4:
                    called.setdefault(value.replace("_", "").replace(" ", "").lower(), set()).add(identifier)
    words = list(_WORD.finditer(text))
    for size in (2, 1):
        for group in zip(*(words[at:] for at in range(size)), strict=False):
            ids = called.get("".join(word[0] for word in group).lower(), set())
            if len(ids) == 1:
                yield Mention(next(iter(ids)), group[0].start(), group[-1].end())


def days_of_calls(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find the only day of a sentence that spells out an expected call, where the call has another."""
    found = days(said.text)
    if len(found) != 1 or _MORE.search(said.text):
        return
    day = found[0].value
    if any(day.matches(mention.value) for mention in days(facts.told)):
        return
    words = [word.lower() for word in _WORD.findall(said.text)]
    present = {*identifiers_and_codes(said.text)}
    for call in facts.task.actions:
        top = [leaf for leaf in facts.leaves if leaf.call is call and leaf.top]
        dated = [leaf for leaf in top if day_of(leaf)]
        codes = [
            leaf.value for leaf in top if isinstance(leaf.value, str) and re.fullmatch(r"#?[A-Z0-9]{3,}", leaf.value)
        ]
        if len(dated) != 1 or not codes or not present.issuperset(codes):
            continue
        if not all(any(word in family(token) or alike(word, token) for word in words) for token in tokens(call.name)):
            continue
        same = [leaf for leaf in facts.leaves if leaf.call.name == call.name and day_of(leaf)]
        if not any(day.matches(day_of(leaf)) for leaf in same):  # type: ignore[arg-type]
            yield _day_fault(said, found[0], dated)
            return


def identifiers_and_codes(text: str) -> Iterator[str]:
    """Yield the ids of a text and its words in capitals (of three letters or more)."""
    for match in re.finditer(r"#?(?<!\w)[A-Z0-9]{3,}(?!\w)", text):
        yield match[0]
    for mention in identifiers(text):
        yield mention.value


def days_of_nothing(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a day of what the agent changes that is in no fact, where the expected actions have other days."""
    found = days(said.text)
    if not found:
        return
    clause = done(said.text)
    dated = [leaf for leaf in facts.leaves if day_of(leaf) and facts.is_write(leaf.call)]
    if clause is not None:
        dated = [leaf for leaf in dated if clause.verb in family(tokens(leaf.call.name)[0])]
    elif not any(mention.value in facts.days_by_id for mention in identifiers(said.field.text)):
        return
    unknown = [
        mention
        for mention in found
        if not _matches_any(mention.value, map(day_of, facts.leaves))
        and not _ARRIVING.search(said.text[: mention.start])
    ]
    if not dated or not unknown:
        return
    policy = facts.benchmark.policy
    purpose = "\n".join(field.text for field in facts.task.purpose)
    known = [mention.value for text in (facts.told, purpose, policy.text if policy else "") for mention in days(text)]
    for mention in unknown:
        if not _matches_any(mention.value, known) and not _matches_any(mention.value, facts.reached_days):
            yield _day_fault(said, mention, dated)


def _matches_any(day: Day, known: Iterable[Day | None]) -> bool:
    return any(other is not None and day.matches(other) for other in known)


def amounts_of_things(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find the amount of what a tool sends or charges ("a $150 certificate"), where the expected call has another."""
    found = amounts(said.text)
    if not found or not is_exact(said.text):
        return
    paying: dict[str, list[Leaf]] = {}
    for leaf in facts.leaves:
        if leaf.top and is_money(leaf):
            paying.setdefault(leaf.call.name, []).append(leaf)
    clause = done(said.text)
    for tool, leaves in paying.items():
        noun = tokens(tool)[-1]
        if clause is None or clause.verb not in family(tokens(tool)[0]):
            continue
        allowed = sums([leaf.value for leaf in leaves])
        for mention in found:
            if mention.value in allowed or not _is_amount_of(said.text, mention, noun):
                continue
            words = said.text[mention.start : mention.end]
            values = _either(leaf.value for leaf in leaves)
            yield Fault(
                said.field,
                said.span(mention.start, mention.end),
                f'"{words}" contradicts the expected {tool}, which has {values}',
                _evidence(leaves),
            )


def _is_amount_of(text: str, mention: Mention[float], noun: str) -> bool:
    """Say whether an amount stands right before or after a noun: "$50 certificate", "certificate of $50"."""
    behind = re.match(r"[\s-]*(?:dollars?\b|usd\b)?[\s-]*([A-Za-z]+)(?:\s([A-Za-z]+))?", text[mention.end :])
    before = re.search(
        r"([A-Za-z]+)\s+(?:of|for|worth|in the amount of|with a value of|valued at)\s+\Z", text[: mention.start]
    )
    nouns = [*(behind.groups() if behind else ()), *(before.groups() if before else ())]
    return any(word and alike(word, noun) for word in nouns)


def counts_of_things(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find how many of something ("3 bags"), where the expected calls have another number of them."""
    clause = done(said.text)
    told = _NUMBER_OF.search(said.text)
    if told:
        value = int(told[2]) if told[2].isdigit() else WORDS[told[2].lower()]
        yield from _count_fault(facts, said, value, told[1].lower(), told.span(2), facts.task.actions)
    if clause is None or not is_exact(said.text):
        return
    calls = [
        call
        for call in facts.task.actions
        if clause.verb in family(tokens(call.name)[0]) or clause.verb in family("add")
    ]
    for count in counts(said.text):
        if count.start < clause.end:
            continue
        for noun in count.nouns:
            if noun in ("and", "for", "from", "to", "with", "in", "on", "of", "at", "per"):
                break
            yield from _count_fault(facts, said, count.value, noun, (count.start, count.end), calls)


def _count_fault(
    facts: Facts, said: Said, value: int, noun: str, place: tuple[int, int], calls: Iterable[Call]
) -> Iterator[Fault]:
    chosen = [
        call for call in calls if any(alike(noun, token) for key in (call.arguments or {}) for token in tokens(key))
    ]
    if not chosen:
        return
    leaves: list[Leaf] = []
    allowed: set[float] = set()
    singles: list[int] = []
    for call in chosen:
        numbers = []
        for key, item in (call.arguments or {}).items():
            if not any(alike(noun, token) for token in tokens(key)):
                continue
            if type(item) is int:
                numbers.append(item)
            elif isinstance(item, list) and _can_be_counted(item):
                numbers.append(len(item))
            else:
                return
            leaves += [leaf for leaf in facts.leaves if leaf.call is call and leaf.key == key and leaf.top][:1]
            allowed |= _recorded_counts(facts, call, key, numbers[-1])
        allowed.update(numbers)
        allowed.update(abs(left - right) for left, right in combinations(numbers, 2))
        singles += numbers[:1]
    allowed |= sums(singles)
    if not leaves or value in allowed or not singles:
        return
    words = said.text[place[0] : place[1]]
    tool = _either(dict.fromkeys(call.name for call in chosen))
    yield Fault(
        said.field,
        said.span(*place),
        f'"{words}" contradicts the expected {tool}, which has {_either(singles)}',
        _evidence(leaves),
    )


def _can_be_counted(items: list[Any]) -> bool:
    """Say whether a list holds ids or people: of flights, a trip of two may be called one."""
    return all(isinstance(item, str) or (isinstance(item, dict) and "last_name" in item) for item in items)


def _recorded_counts(facts: Facts, call: Call, key: str, value: int) -> set[float]:
    """Return what a count was in the record that a call changes, and the difference."""
    found: set[float] = set()
    for (_, identifier), record in facts.own.items():
        if isinstance(record, dict) and facts.mentions(call, identifier) and key in record:
            before = record[key]
            number = len(before) if isinstance(before, list) else before
            if type(number) is int:
                found |= {number, abs(value - number)}
    return found


def choices(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a value that a tool's schema allows for an argument, where the expected calls have another of them."""
    clause = done(said.text)
    tools = facts.benchmark.tools
    if clause is None or tools is None:
        return
    text = re.split(r"\b(?:since|because|as|due to|although|though|even|so|which|who|that)\b", said.text)[0]
    options: dict[str, tuple[tuple[str, ...], list[Leaf]]] = {}
    ids = {mention.value for mention in identifiers(said.text)}
    for leaf in facts.leaves:
        tool = tools.get(leaf.call.requestor, leaf.call.name)
        parameter = tool.parameters.get(leaf.key) if tool and leaf.top else None
        values = parameter.schema.get("enum") if parameter else None
        if not isinstance(values, list) or clause.verb not in family(tokens(leaf.call.name)[0]):
            continue
        words = tuple(value for value in values if isinstance(value, str) and len(value) > 3)
        if len(words) > 1:
            options.setdefault(leaf.key, (words, []))[1].append(leaf)
    for words, leaves in options.values():
        concerned = [leaf for leaf in leaves if any(facts.mentions(leaf.call, identifier) for identifier in ids)]
        if not concerned and len({leaf.call.pointer for leaf in leaves}) > 1:
            continue
        expected = {leaf.value for leaf in concerned or leaves}
        found = _options_in(text, words)
        wrong = next(
            (item for item in found if item[1][0] >= clause.end and _is_chosen(text, item[1][0], clause)), None
        )
        if wrong is None or any(value in expected for value, _ in found):
            continue
        tool_name = _tools(concerned or leaves)
        yield Fault(
            said.field,
            said.span(*wrong[1]),
            f'"{said.text[slice(*wrong[1])]}" contradicts the expected {tool_name}, which has {_either(sorted(expected))}',
            _evidence(concerned or leaves),
        )


def _is_chosen(text: str, start: int, clause: Clause) -> bool:
    """Say whether an option is what the agent brings about, not what was there before."""
    return clause.verb in family("book") or _INTO.search(text[:start]) is not None


def _options_in(text: str, options: Sequence[str]) -> list[tuple[str, tuple[int, int]]]:
    """Find options as words, the longest first: "basic economy" is not "economy"."""
    plain = text.replace("-", " ").replace("_", " ").lower()
    found: list[tuple[str, tuple[int, int]]] = []
    for option in sorted(options, key=len, reverse=True):
        words = option.replace("-", " ").replace("_", " ").lower()
        start = plain.find(words)
        while start >= 0:
            end = start + len(words)
            apart = not plain[max(0, start - 1) : start].isalnum() and not plain[end : end + 1].isalnum()
            if apart and not any(start < right and left < end for _, (left, right) in found):
                found.append((option, (start, end)))
            start = plain.find(words, end)
    return sorted(found, key=lambda item: item[1])


def labelled_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an id under the name of an argument ("payment id X"), where the expected calls have another there."""
    clause = done(said.text)
    if clause is None:
        return
    for mention in identifiers(said.text):
        label = re.search(
            r"((?:[a-z]+[ _])?[a-z]+)\s+(?:id|ID|method|number)\s*(?:as|is|to|[:=#])*\s*$", said.text[: mention.start]
        )
        if label is None or mention.value in facts.strings:
            continue
        word = label[1].lower().replace(" ", "_").split("_")[-1]
        leaves = [
            leaf
            for leaf in facts.leaves
            if isinstance(leaf.value, str)
            and word in tokens(leaf.key)
            and facts.is_write(leaf.call)
            and _kind(leaf.value) == _kind(mention.value)
        ]
        if leaves:
            yield Fault(
                said.field,
                said.span(mention.start, mention.end),
                f'"{mention.value}" contradicts the expected {_tools(leaves)},'
                f" which has {_either(leaf.value for leaf in leaves)}",
                _evidence(leaves),
            )


def _kind(identifier: str) -> str:
    return re.sub(r"[0-9]+", "0", re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", identifier)))


def other_ids(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an id of a record (a flight, a card) in what the agent does, where the expected calls have others of its kind."""
    clause = done(said.text)
    if clause is None:
        return
    mentions = identifiers(said.text)
    here = {mention.value for mention in mentions}
    paying = clause.verb in _PAY
    for mention in mentions:
        word = mention.value
        if word in facts.strings or word in facts.told_ids:
            continue
        kinds = [name for name, item in facts.collections.items() if word in item.records]
        leaves = [
            leaf
            for leaf in facts.leaves
            if isinstance(leaf.value, str)
            and any(leaf.value in facts.collections[kind].records for kind in kinds)
            and (clause.verb in family(tokens(leaf.call.name)[0]) or (paying and "payment" in leaf.key))
        ]
        concerned = [leaf for leaf in leaves if any(facts.mentions(leaf.call, other) for other in here)] or leaves
        if not concerned or here.issuperset(leaf.value for leaf in concerned):
            continue
        if (paying and here.isdisjoint(leaf.value for leaf in concerned)) or word not in facts.reached_strings:
            yield Fault(
                said.field,
                said.span(mention.start, mention.end),
                f'"{word}" contradicts the expected {_tools(concerned)},'
                f" which has {_either(leaf.value for leaf in concerned)}",
                _evidence(concerned),
            )


def misspelt_names(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find a person's name that is that of the expected actions but for a letter or two."""
    known = _people(facts)
    if not known:
        return
    for mention in names(said.text):
        pair = (mention.value[0].casefold(), mention.value[1].casefold())
        if pair in known or f"{pair[0]} {pair[1]}" in facts.told.casefold() or _is_recorded_name(facts, pair):
            continue
        for other, leaf in known.items():
            index = 0 if pair[1] == other[1] else 1 if pair[0] == other[0] else None
            if index is None or not one_slip(pair[index], other[index]):
                continue
            right = f"{leaf.owner.get('first_name')} {leaf.owner.get('last_name')}"
            yield Fault(
                said.field,
                said.span(mention.start, mention.end),
                f'"{said.text[mention.start : mention.end]}" contradicts the expected {leaf.call.name}, which has {right}',
                _evidence([leaf]),
                right,
            )
            break


def _people(facts: Facts) -> dict[tuple[str, str], Leaf]:
    found = {}
    for leaf in facts.leaves:
        first, last = leaf.owner.get("first_name"), leaf.owner.get("last_name")
        if isinstance(first, str) and isinstance(last, str) and leaf.key == "last_name":
            found[first.casefold(), last.casefold()] = leaf
    return found


def _is_recorded_name(facts: Facts, pair: tuple[str, str]) -> bool:
    def inside(value: Any) -> bool:
        if isinstance(value, list):
            return any(map(inside, value))
        if not isinstance(value, dict):
            return isinstance(value, str) and value.casefold() == " ".join(pair)
        if (str(value.get("first_name")).casefold(), str(value.get("last_name")).casefold()) == pair:
            return True
        return any(map(inside, value.values()))

    return any(map(inside, facts.reached.values()))


def told_amounts(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find an amount that differs by one digit from one that the agent must say, and that no other sentence has."""
    found = amounts(said.text)
    if not found or not facts.task.communicate_info:
        return
    asserted = {
        mention.value for field in facts.task.nl_assertions for mention in (*numbers(field.text), *amounts(field.text))
    }
    told = {
        field: number(field.text.lstrip("$")) for field in facts.task.communicate_info if _AMOUNT.fullmatch(field.text)
    }
    acted = {leaf.value for leaf in facts.leaves if type(leaf.value) in (int, float)}
    for mention in found:
        if mention.value in told.values() or mention.value in acted:
            continue
        for field, value in told.items():
            if value in asserted or len(shown(value)) < 3 or not one_slip(shown(mention.value), shown(value)):
                continue
            words = said.text[mention.start : mention.end]
            yield Fault(
                said.field,
                said.span(mention.start, mention.end),
                f'"{words}" contradicts what the agent must say: "{field.text}"',
                (Evidence("the text that the agent must say", field.pointer),),
            )
