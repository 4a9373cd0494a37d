"""All that is asked of the sentences of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchlint.checks.against_amounts import amounts_of_ids, amounts_of_things, told_amounts
from benchlint.checks.against_arguments import choices, counts_of_things, labelled_ids, misspelt_names, other_ids
from benchlint.checks.against_days import days_of_calls, days_of_ids, days_of_nothing
from benchlint.checks.against_records import possessions, reasons, standing, strangers, unknown_ids
from benchlint.checks.against_writes import forbidden_call, missing_call
from benchlint.checks.said import Said
from benchlint.checks.wording import is_plain, main_clause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from benchlint.benchmark.model import Field
    from benchlint.checks.facts import Facts
    from benchlint.checks.said import Fault

    Test = Callable[[Facts, Said], Iterator[Fault]]

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
"""What is asked of a sentence that states something without hedge, up to the reason that it gives."""

_STATED = (unknown_ids, strangers, misspelt_names, told_amounts, standing, reasons)
_DESCRIBED = (unknown_ids, amounts_of_ids, possessions, standing)


def in_assertion(facts: Facts, field: Field, start: int, text: str) -> Iterator[Fault]:
    """Yield what a sentence of an assertion contradicts."""
    main = Said(field, start, main_clause(text))
    yield from _ask(_STATED, facts, Said(field, start, text))
    yield from _ask(_ACTED if is_plain(main.text) else (forbidden_call,), facts, main)


def in_description(facts: Facts, field: Field, start: int, text: str) -> Iterator[Fault]:
    """Yield what a sentence about a task contradicts."""
    return _ask(_DESCRIBED, facts, Said(field, start, text))


def _ask(tests: Iterable[Test], facts: Facts, said: Said) -> Iterator[Fault]:
    for test in tests:
        yield from test(facts, said)
