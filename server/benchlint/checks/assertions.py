"""Criteria and descriptions that contradict the expected actions or the database."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from benchlint.benchmark.sentences import sentences
from benchlint.checks.against_identity import identity
from benchlint.checks.facts import Facts
from benchlint.checks.mentions import amounts, identifiers
from benchlint.checks.registry import Check
from benchlint.checks.wording import speaks_of_user

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.catalogue.finding import Finding, Fix
    from benchlint.checks.said import Fault
    from benchlint.checks.view import View

RULE = "inconsistent-assertion"

_SEVERAL = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u2019\u201d)\]*_`]*\s*\S|\n")
"""Where a text may have more than one sentence."""

_LONGEST = 2000
"""How many characters a sentence may have; in longer ones nothing belongs together."""


def _check(view: View) -> Iterator[Finding]:
    seen: set[tuple[object, ...]] = set()
    for fault in _faults(Facts(view.benchmark, view.task)):
        place = (fault.field.pointer, fault.span)
        if place not in seen:
            seen.add(place)
            fix = _fix(view, fault)
            yield view.finding(
                RULE,
                fault.message,
                fault.field.pointer,
                span=fault.span,
                related=tuple(view.related(item.message, view.task, item.pointer) for item in fault.evidence),
                fixes=(fix,) if fix else (),
            )


def _fix(view: View, fault: Fault) -> Fix | None:
    if fault.meant is None:
        return None
    text = fault.field.text
    start, end = fault.span
    title = f'Change "{text[start:end]}" to "{fault.meant}"'
    return view.replacement(title, fault.field.pointer, text[:start] + fault.meant + text[end:], safe=False)


def _faults(facts: Facts) -> Iterator[Fault]:
    task = facts.task
    if task.nl_assertions:
        from benchlint.checks.contradictions import in_assertion

        for field in task.nl_assertions:
            for start, end in _sentences(field.text):
                yield from in_assertion(facts, field, start, field.text[start:end])
    for field in task.purpose if facts.benchmark.database is not None else ():
        for start, text in _telling(field.text):
            from benchlint.checks.contradictions import in_description

            yield from in_description(facts, field, start, text)
    yield from identity(facts)


def _sentences(text: str) -> list[tuple[int, int]]:
    found = sentences(text) if _SEVERAL.search(text) else [(0, len(text))]
    return [(start, end) for start, end in found if end - start <= _LONGEST]


@lru_cache(4096)
def _telling(text: str) -> tuple[tuple[int, str], ...]:
    """Return the sentences of a description that could contradict something, and where they begin."""
    pieces = ((start, text[start:end]) for start, end in _sentences(text))
    return tuple(
        (start, piece) for start, piece in pieces if identifiers(piece) or amounts(piece) or speaks_of_user(piece)
    )


CHECKS = (Check((RULE,), _check, reads=("tools", "database", "policy")),)
