"""Sentences that tell of a change that the expected actions do not make, or rule out one that they make."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchlint.checks.mentions import amounts, identifiers
from benchlint.checks.said import Fault, called
from benchlint.checks.wording import alike, done, family, forms, refused, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchlint.benchmark.model import Call, Tool
    from benchlint.checks.facts import Facts
    from benchlint.checks.said import Said
    from benchlint.checks.wording import Clause
    from benchlint.text.tree import Pointer

_ID = r"#?[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*"
_NO_OBJECT = (
    "to|from|for|with|without|on|of|about|into|by|via|using|in|at|than|as|any|other|another|that|which|only|new|if|when"
)
_OBJECT = re.compile(
    rf"\s+(?:(?!(?:{_NO_OBJECT})\b)[a-z']+\s+){{0,4}}(?P<ids>{_ID}(?:(?:,\s*and|,|\s+and|\s*&)\s+{_ID})*)"
)
_OPEN = re.compile(
    r"\b(?:unless|until|if|when|without|before|after|except|more than|only|again|twice|other|another|rest|yet|first"
    r"|then|immediately|directly|while|but|or|both|right)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+")
_REFUSES = re.compile(r"\b(?:refus|den)", re.IGNORECASE)
_DETAILS = re.compile(
    r"(?:'s)?\s+(?:details?|info|information|status|numbers?|ids?|price|total|data|balance|to (?:the )?user"
    r"|to (?:the )?customer)\b",
    re.IGNORECASE,
)
_ANY = re.compile(r"\s+any\s+(?:of\s+)?(?:[a-z]+\s+)?(?P<noun>[a-z]+)\s*[.]?\s*\Z", re.IGNORECASE)
_NO_CHANGE = re.compile(r"\s+any\s+(?:changes?|modifications?|updates?)\s*[.]?\s*\Z", re.IGNORECASE)
_BARE = re.compile(
    r"\s+(?:(?:the|a|an|his|her|their|user's|both|all|this)\s+)*(?:[a-z]+\s+)?(?P<noun>[a-z]+)\s*[.]?\s*\Z",
    re.IGNORECASE,
)


def missing_call(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find "agent cancels reservation X" where no expected action does that to X."""
    clause = done(said.text)
    if clause is None:
        return
    tools = [tool for tool in _write_tools(facts) if clause.verb in _done_by(tokens(tool.name)[0])]
    if not tools or not _defines_target(facts):
        return
    same = [call for call in facts.task.actions if clause.verb in family(tokens(call.name)[0])]
    ids = _objects(said, clause)
    for start, end in ids:
        identifier = said.text[start:end]
        if _DETAILS.match(said.text, end):
            continue
        if _is_entity(facts, identifier) and not any(identifier in str(call.arguments) for call in same):
            phrase = said.text[min(start, clause.start) : max(end, clause.end)]
            yield Fault(
                said.field, said.span(start, end), f'no expected action does what "{phrase}" says', called(same)
            )
    bare = _BARE.match(said.text, clause.end)
    if bare and not ids and not same and clause.subject is None and _is_for(facts, bare["noun"], clause.verb, tools):
        end = bare.end("noun")
        phrase = said.text[clause.start : end]
        yield Fault(said.field, said.span(clause.start, end), f'no expected action does what "{phrase}" says')


def _done_by(verb: str) -> frozenset[str]:
    """Return the verbs that can only mean what a tool does: for `update`, "changes" too, for `send`, not "gives"."""
    return family(verb) if verb in forms("update") | forms("modify") | forms("change") else forms(verb)


def _is_for(facts: Facts, noun: str, verb: str, tools: Iterable[Tool]) -> bool:
    """Say whether some tools are for a thing: it stands in their names, or is a record that they are about."""
    if any(alike(noun, token) for tool in tools for token in tokens(tool.name)[1:]):
        return True
    own = any(verb in forms(tokens(tool.name)[0]) for tool in tools)
    things = [name for name in facts.collections if "." not in name and not facts.has_people(name)]
    return own and any(alike(noun, name) for name in things)


def forbidden_call(facts: Facts, said: Said) -> Iterator[Fault]:
    """Find "agent does not cancel reservation X" where an expected action does that to X."""
    clause = refused(said.text)
    if clause is None or _OPEN.search(said.text):
        return
    writes = [call for call in facts.task.actions if facts.is_write(call)]
    calls = [call for call in writes if clause.verb in family(tokens(call.name)[0])]
    ids = [place for place in _objects(said, clause) if _is_entity(facts, said.text[slice(*place)])]
    begin, end = clause.start, clause.end
    if ids and _REFUSES.search(said.text[:begin]) and _is_prepared(facts, said, ids):
        return
    if ids:
        begin, end = min(begin, ids[0][0]), max(end, ids[-1][1])
        calls = [call for call in calls if _is_meant(facts, said, call, ids, end)]
    elif clause.verb in forms("make") and (change := _NO_CHANGE.match(said.text, end)):
        calls, end = writes, change.end()
    elif every := _ANY.match(said.text, end):
        end = every.end("noun")
        calls = [call for call in calls if _names_thing(facts, call, every["noun"])]
    elif _is_same_amount(said, calls):
        end = len(said.text.rstrip(" ."))
    elif (bare := _BARE.match(said.text, end)) and _is_only_entity(facts, calls):
        end = bare.end("noun")
        calls = [call for call in calls if _names_thing(facts, call, bare["noun"])]
    elif not said.text[end:].strip(" .") and _is_only_entity(facts, calls):
        pass
    else:
        return
    if calls:
        phrase = said.text[begin:end].rstrip(" .")
        yield Fault(
            said.field,
            said.span(begin, begin + len(phrase)),
            f'the expected {calls[0].name} does what the sentence rules out: "{phrase}"',
            called(calls),
        )


def _is_prepared(facts: Facts, said: Said, ids: Iterable[tuple[int, int]]) -> bool:
    """Say whether an id is changed more than once, so that what is refused at first may be done in the end."""
    words = {said.text[slice(*place)] for place in ids}
    changes = [
        call
        for call in facts.task.actions
        if facts.is_write(call) and any(facts.mentions(call, word) for word in words)
    ]
    return len(changes) > 1


def _objects(said: Said, clause: Clause) -> list[tuple[int, int]]:
    """Return the places of the ids to which a verb is done."""
    if clause.subject:
        return [clause.subject]
    match = _OBJECT.match(said.text, clause.end)
    if match is None:
        return []
    start = match.start("ids")
    found = (item.span() for item in re.finditer(_ID, match["ids"]) if _looks_like_id(item[0]))
    return [(start + begin, start + end) for begin, end in found]


def _looks_like_id(word: str) -> bool:
    return any(map(str.isdigit, word)) or (word.isupper() and len(word) > 3)


def _is_meant(facts: Facts, said: Said, call: Call, ids: Iterable[tuple[int, int]], end: int) -> bool:
    """Say whether a call is on one of some ids, and no word beside them means another kind of change."""
    if not any(facts.mentions(call, said.text[slice(*place)]) for place in ids):
        return False
    rest = re.sub(r"\s+by (?:the )?agent\b", "", said.text[end:]).strip(" .")
    inside = identifiers(rest)
    if inside:
        return all(facts.mentions(call, mention.value) for mention in inside)
    values = [leaf.value for leaf in facts.leaves if leaf.call is call and isinstance(leaf.value, str)]
    chosen = re.fullmatch(r"to ([a-z]+(?: [a-z]+)??)(?: class| cabin)?", rest, re.IGNORECASE)
    if chosen and chosen[1].lower().replace(" ", "_") in values:
        return True
    return len(rest.split()) <= 1 and all(_names_thing(facts, call, word) for word in _WORD.findall(rest))


def _names_thing(facts: Facts, call: Call, noun: str) -> bool:
    """Say whether a noun is what a call is about: a word of its tool's name, or the record that it changes."""
    names = tokens(call.name)
    if any(alike(noun, token) for token in names[1:]):
        return True
    return len(names) == 2 and any(alike(noun, name) for name in facts.collections if "." not in name)


def _is_entity(facts: Facts, word: str) -> bool:
    """Say whether a word is the id of a record."""
    return any(word in collection.records for collection in facts.collections.values())


def _is_same_amount(said: Said, calls: Iterable[Call]) -> bool:
    """Say whether a sentence names a call's thing and its amount: "a certificate of $50"."""
    values = {mention.value for mention in amounts(said.text)}
    nouns = re.findall(r"[A-Za-z]+", said.text)
    return any(
        any(alike(noun, tokens(call.name)[-1]) for noun in nouns)
        and any(type(value) in (int, float) and value in values for value in (call.arguments or {}).values())
        for call in calls
    )


def _is_only_entity(facts: Facts, calls: list[Call]) -> bool:
    """Say whether the calls change the one record of its kind that the task speaks of."""
    changed = {leaf.value for leaf in facts.leaves if leaf.call in calls and isinstance(leaf.value, str)}
    kinds = {name for name, identifier in facts.own if identifier in changed and not _is_user(facts, identifier)}
    return bool(kinds) and all(sum(name == kind for name, _ in facts.own) == 1 for kind in kinds)


def _is_user(facts: Facts, identifier: str) -> bool:
    return facts.person is not None and facts.person[1] == identifier


def _write_tools(facts: Facts) -> list[Tool]:
    tools = facts.benchmark.tools
    return [tool for tool in tools.by_name.values() if tool.effect == "write"] if tools else []


def _defines_target(facts: Facts) -> bool:
    """Say whether the expected actions are all known and count, so that what they leave out must not be done."""
    task = facts.task
    basis = task.reward_basis if task.reward_basis is not None else facts.benchmark.default_reward_basis
    pointer = task.criteria_pointers.get("actions")
    return (
        pointer is not None
        and isinstance(_at(task.value, pointer), list)
        and facts.complete
        and bool({"DB", "ACTION"} & set(basis))
    )


def _at(value: object, pointer: Pointer) -> object:
    for part in pointer:
        value = value.get(part) if isinstance(value, dict) else None
    return value
