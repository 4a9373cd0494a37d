"""Texts that the agent must say, but cannot come to say."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from benchlint.checks.arguments import is_creating, words
from benchlint.checks.arithmetic import MOST, is_derivable
from benchlint.checks.expression import evaluate
from benchlint.checks.facts import Facts, scalars_of
from benchlint.checks.mentions import identifiers, number, numbers
from benchlint.checks.registry import Check
from benchlint.checks.sources import Sources
from benchlint.checks.spelling import figures
from benchlint.checks.traits import is_trait
from benchlint.checks.wording import one_slip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Benchmark, Call, Field, Task, Tools
    from benchlint.catalogue.finding import Finding, Fix
    from benchlint.checks.facts import Leaf
    from benchlint.checks.view import View

RULE = "unreachable-communication"

_LITERAL = ("tau2", "tau-bench")
"""Formats whose frameworks look for the text itself in the agent's messages, commas taken out of these."""

_AGENT = re.compile(
    r"(?:that )?(?:the |an? )?(?:agent|assistant)\s+"
    r"(?P<aid>(?:(?:should|must|has|have|had|did|does|needs?|not|to|correctly|successfully|clearly|also|politely)\s+)*)"
    r"(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"(?:acknowledg|advis|answer|apologi[sz]|ask|clarif(?:y|i)|communicat|complement|compliment|confirm|declin|deni"
    r"|deny|describ|explain|gave|giv|greet|identif|inform|list|mention|notif(?:y|i)|note|offer|point|promis|provid"
    r"|recogni[sz]|recommend|refus|reject|remind|repl(?:y|i)|report|request|respond|said|say|stat|suggest"
    r"|summari[sz]|tell|thank|told|verif(?:y|i)|warn)(?P<ending>[a-z]*)",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"(?:that )?(?:the )?(?:user|customer)\s+(?:is|was|has been|should be|must be|gets?|got)\s+(?:[a-z]+ly\s+)?"
    r"(?:told|given|[a-z]+ed)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\$?[0-9]+(?:\.[0-9]+)?")
_ELSEWHERE_WORDS = "browse docs document documents file files internet kb knowledge page pages web wiki"
_ELSEWHERE = frozenset(_ELSEWHERE_WORDS.split())
"""Words in the names of tools that read more than the database."""

_NO_AMOUNT = 9
"""From how many digits on a number is an id."""

_QUANTITY = re.compile(r"[$€£]?[0-9]{1,8}(?:[.:][0-9]+)?[ -]?[A-Za-z%]*")
_OPERATION = re.compile(r"[0-9)]\s*[-+*/]\s*[0-9($]")
_PAST = frozenset({"said", "told", "gave"})
_YEARS = (1900, 2100)
_LONG = 5
_DIGITS = 3
"""How many digits a number must have to be no count of anything, and a code to be none that everybody knows."""


def _check(view: View) -> Iterator[Finding]:
    task, benchmark = view.task, view.benchmark
    if not task.communicate_info or not _counts(task, benchmark):
        return
    facts = Facts(benchmark, task)
    for field in task.communicate_info:
        if benchmark.format in _LITERAL and "," in field.text:
            yield _comma(view, field)
        elif _NUMBER.fullmatch(field.text) and ("." in field.text or len(field.text) < _NO_AMOUNT):
            yield from _amount(view, facts, field)
        elif re.search(r"[0-9]", field.text) and len(field.text) >= _LONG:
            yield from _code(view, facts, field)


def _counts(task: Task, benchmark: Benchmark) -> bool:
    """Say whether a task scores what the agent says; where that is not known, it does."""
    basis = benchmark.default_reward_basis if task.reward_basis is None else task.reward_basis
    return "COMMUNICATE" in basis or (task.reward_basis is None and not basis)


def _comma(view: View, field: Field) -> Finding:
    plain = field.text.replace(",", "")
    fix = view.replacement(f'Change the text to "{plain}"', field.pointer, plain, safe=True) if plain.strip() else None
    return view.finding(
        RULE,
        f'"{field.text}" is never found: commas are taken out of what the agent says before it is searched',
        field.pointer,
        fixes=(fix,) if fix else (),
    )


def _is_code(text: str) -> bool:
    """Say whether a text is one id or long number that nobody says by chance."""
    found = identifiers(text)
    return len(found) == 1 and found[0].value == text and sum(map(str.isdigit, text)) >= _DIGITS


def _code(view: View, facts: Facts, field: Field) -> Iterator[Finding]:
    """Report an id that stands nowhere and that no tool can have made, and a slip in a record's own text."""
    text, benchmark, task = field.text, view.benchmark, view.task
    database, tools = benchmark.database, benchmark.tools
    if database is None or tools is None or facts.exists(text) or not facts.complete:
        return
    if any(text in value for value in (facts.told, *facts.strings, *facts.reached_strings)):
        return
    known = () if _QUANTITY.fullmatch(text) else (*facts.strings, *facts.reached_strings)
    near = sorted({value for value in known if one_slip(text, value)})
    if len(near) != 1 and (
        not _is_code(text) or _reads_more(tools) or any(_makes_codes(tools, call) for call in task.actions)
    ):
        return
    if Sources(task, benchmark, database).tells("", text, "code"):
        return
    meant = f"; the database has {near[0]}" if len(near) == 1 else ""
    fix = view.replacement(f'Change the text to "{near[0]}"', field.pointer, near[0], safe=False) if meant else None
    yield view.finding(
        RULE,
        f'nothing tells the agent "{text}": it stands neither in the scenario nor in the database, the policy or the'
        f" tools{meant}",
        field.pointer,
        fixes=(fix,) if fix else (),
    )


def _reads_more(tools: Tools) -> bool:
    """Say whether some tool reads more than the database."""
    return any(not _ELSEWHERE.isdisjoint(words(tool.name)) for tool in tools.by_name.values())


def _makes_codes(tools: Tools, call: Call) -> bool:
    """Say whether a call may return an id that was not there before."""
    tool = tools.get(call.requestor, call.name)
    return tool is None or tool.effect == "unknown" or is_creating(call.name)


def _amount(view: View, facts: Facts, field: Field) -> Iterator[Finding]:
    """Report a number that is not what an expected calculation gives, or that no numbers give."""
    value = number(field.text.lstrip("$"))
    text = _written(value)
    if sum(map(str.isdigit, text)) < _DIGITS:
        return
    results = {_written(abs(result)): leaf for leaf in facts.leaves if (result := _result(leaf)) is not None}
    near = [item for item in results if one_slip(text, item) and text not in item]
    if near and text not in results and not _tells(facts, value):
        leaf = results[near[0]]
        yield view.finding(
            RULE,
            f'"{field.text}" is not what the expected {leaf.call.name} gives, which is {near[0]}',
            field.pointer,
            related=(view.related("the expected calculation", view.task, leaf.pointer),),
            fixes=_replacing(view, field, near[0]),
        )
    elif not results and _is_underivable(facts, value):
        yield view.finding(
            RULE,
            f'nothing tells the agent "{field.text}": it stands neither in the scenario nor in the database, the policy'
            " or the tools, and no calculation gives it",
            field.pointer,
        )


def _replacing(view: View, field: Field, meant: str) -> tuple[Fix, ...]:
    text = f"${meant}" if field.text.startswith("$") else meant
    fix = view.replacement(f'Change the text to "{text}"', field.pointer, text, safe=False)
    return (fix,) if fix else ()


def _written(value: float) -> str:
    """Write an amount to the cent, without zeros at its end."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _result(leaf: Leaf) -> float | None:
    """Return what an expression comes to; None for what is no calculation."""
    if not isinstance(leaf.value, str) or not _OPERATION.search(leaf.value):
        return None
    return evaluate(leaf.value)


def _tells(facts: Facts, value: float) -> bool:
    """Say whether a number stands in the scenario, in the expected actions, or in a record that they reach."""
    near = (facts.told, *(text for text in facts.strings if not _OPERATION.search(text)))
    if any(value == mention.value for text in near for mention in numbers(text)):
        return True
    return any(_is_same(value, item) for item in (*(leaf.value for leaf in facts.leaves), *facts.reached_values))


def _is_same(value: float, item: Any) -> bool:
    if isinstance(item, str):
        return _NUMBER.fullmatch(item) is not None and number(item.lstrip("$")) == value
    return type(item) in (int, float) and item == value


def _is_underivable(facts: Facts, value: float) -> bool:
    """Say whether no number of a domain, all of which are known and few, gives a value."""
    benchmark, task = facts.benchmark, facts.task
    if benchmark.database is None or benchmark.policy is None or benchmark.tools is None or not facts.complete:
        return False
    recorded = _few_numbers(benchmark.database)
    if recorded is None or _reads_more(benchmark.tools) or (value.is_integer() and _YEARS[0] <= value <= _YEARS[1]):
        return False
    texts = [facts.told, benchmark.policy.text, *facts.strings]
    told = {mention.value for text in texts for mention in numbers(figures(text))}
    acted = {leaf.value for leaf in facts.leaves if type(leaf.value) in (int, float)}
    sources = Sources(task, benchmark, benchmark.database)
    return not sources.tells("", value, "amount") and not is_derivable(value, recorded | told | acted)


@lru_cache(4)
def _few_numbers(database: Database) -> frozenset[float] | None:
    """Return all numbers of a database; None where there are more than a calculation could be told by."""
    found: set[float] = set()
    for item in scalars_of(database.data):
        if type(item) in (int, float):
            found.add(item)
        elif isinstance(item, str):
            found.update(mention.value for mention in numbers(item))
        if len(found) > MOST:
            return None
    return frozenset(found)


def _descriptions(view: View) -> Iterator[Finding]:
    """Report sentences about the agent in the place of what it must say."""
    benchmark = view.benchmark
    if benchmark.format not in _LITERAL:
        return
    having = [task for task in benchmark.tasks if task.communicate_info and _counts(task, benchmark)]
    hits = [
        (task, fields)
        for task in having
        if (fields := [item for item in task.communicate_info if describes(item.text)])
    ]
    if is_trait(len(hits), len(having)):
        task, fields = hits[0]
        view.of(task)
        yield view.finding(
            RULE,
            f"{len(hits)} of {len(having)} tasks have sentences about the agent in the place of texts that it must say,"
            f' such as "{fields[0].text}": no agent says them',
            fields[0].pointer,
            related=tuple(view.related("here, too", other, more[0].pointer) for other, more in hits[1:10]),
        )
        return
    for task, fields in hits:
        view.of(task)
        yield view.finding(
            RULE,
            f'"{fields[0].text}" is a sentence about the agent: no agent says it word for word',
            fields[0].pointer,
            related=tuple(view.related("here, too", task, field.pointer) for field in fields[1:]),
        )


def describes(text: str) -> bool:
    """Say whether a text reports what the agent does, or what is said to the user."""
    match = _AGENT.match(text)
    if match:
        report = _REPORTS.fullmatch(match["verb"])
        return report is not None and bool(
            match["aid"] or report["ending"].endswith(("s", "d")) or report[0].lower() in _PAST
        )
    return _TOLD.match(text) is not None


CHECKS = (
    Check((RULE,), _check, reads=("tools", "database", "policy")),
    Check((RULE,), _descriptions, "benchmark"),
)
