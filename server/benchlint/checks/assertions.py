"""Criteria and descriptions that contradict the expected actions or the database."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from benchlint.benchmark.sentences import sentences
from benchlint.checks.against_calls import (
    amounts_of_ids,
    amounts_of_things,
    choices,
    counts_of_things,
    days_of_calls,
    days_of_ids,
    days_of_nothing,
    labelled_ids,
    misspelt_names,
    other_ids,
    told_amounts,
)
from benchlint.checks.against_identity import identity
from benchlint.checks.against_records import possessions, reasons, speaks_of_user, standing, strangers, unknown_ids
from benchlint.checks.against_writes import forbidden_call, missing_call
from benchlint.checks.facts import Facts
from benchlint.checks.mentions import amounts, identifiers
from benchlint.checks.registry import Check
from benchlint.checks.said import Said
from benchlint.checks.wording import is_plain, main_clause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from benchlint.catalogue.finding import Finding
    from benchlint.checks.said import Fault
    from benchlint.checks.view import View

    Test = Callable[[Facts, Said], Iterator[Fault]]

RULE = "inconsistent-assertion"

_ACTED = (
    days_of_ids,
    days_of_calls,
    days_of_nothing,
    amounts_of_ids,
    amounts_of_things,
    counts_of_things,
    choices,
    labelled_ids,
    other_ids,
    missing_call,
)
"""What is asked of a sentence that states something without hedge, up to the reason it gives."""

_STATED = (unknown_ids, strangers, misspelt_names, told_amounts, standing, reasons)
_DESCRIBED = (unknown_ids, amounts_of_ids, possessions, standing)


def _check(view: View) -> Iterator[Finding]:
    seen: set[tuple[object, ...]] = set()
    task = view.task
    for fault in _faults(Facts(view.benchmark, task)):
        place = (fault.field.pointer, fault.span)
        if place not in seen:
            seen.add(place)
            yield view.finding(
                RULE,
                fault.message,
                fault.field.pointer,
                span=fault.span,
                related=tuple(view.related(item.message, task, item.pointer) for item in fault.evidence),
            )


def _faults(facts: Facts) -> Iterator[Fault]:
    for field in facts.task.nl_assertions:
        for start, end in sentences(field.text):
            text = field.text[start:end]
            main = Said(field, start, main_clause(text))
            yield from _ask(_STATED, facts, Said(field, start, text))
            yield from _ask(_ACTED if is_plain(main.text) else (forbidden_call,), facts, main)
    for field in facts.task.purpose if facts.benchmark.database is not None else ():
        for start, text in _telling(field.text):
            yield from _ask(_DESCRIBED, facts, Said(field, start, text))
    yield from identity(facts)


def _ask(tests: Iterable[Test], facts: Facts, said: Said) -> Iterator[Fault]:
    for test in tests:
        yield from test(facts, said)


@lru_cache(4096)
def _telling(text: str) -> tuple[tuple[int, str], ...]:
    """Return the sentences of a description that could contradict something, and where they begin."""
    pieces = ((start, text[start:end]) for start, end in sentences(text))
    return tuple(
        (start, piece) for start, piece in pieces if identifiers(piece) or amounts(piece) or speaks_of_user(piece)
    )


CHECKS = (Check((RULE,), _check, reads=("tools", "database", "policy")),)
