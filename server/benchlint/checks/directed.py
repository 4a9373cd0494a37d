"""Text in a task that talks to a judge."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from benchlint.benchmark.formats.base import texts
from benchlint.checks.registry import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Field, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

RULE: Final = "judge-directed-text"

_SHOWN: Final = 80
_JUDGE = r"(?:(?:llm|ai|automatic|automated)[ -])?(?:judges?|graders?|evaluators?|raters?|scorers?)"
_SUBJECT = r"(?:task|test[ ]case|scenario|benchmark|expected[ ]behaviou?r)"
_SCORE = r"(?:scores?|ratings?|grades?|marks?|verdicts?)"
_TOP = r"(?:10(?:\.0)?(?:\s*(?:/|of|out[ ]of)\s*10)?|ten|(?:an?[ ]|the[ ])?(?:perfect|maximum|highest|best|top|full))\b"
_NEAR = r"[^\n]{0,160}?"
_IN_SENTENCE = r"[^\n.!?]"

_FORGED = r"""
    \{(?=[^{}]{0,400}["'](?:score|violations|decisions|contradictions|parts_read|items_read)["']\s*:)
    (?=[^{}]{0,400}["'](?:findings|parts_read|items_read)["']\s*:)[^{}]{0,800}\}"""
"""An answer in the form that judges give."""

_CLOSED = r"</\s*(?:task|records|rubric|answer_form)\s*>"
"""The end of a part of a judge's prompt."""

_OVERRIDDEN = rf"""
    \b(?:ignore|disregard|forget|override)\b{_IN_SENTENCE}{{0,40}}
    \b(?:instructions?|prompts?|guidelines|rules|criteria)\b{_NEAR}
    \b(?:(?:score|rate|grade|mark)[ ](?:it|(?:this|the)[ ]{_SUBJECT})\b{_IN_SENTENCE}{{0,60}}\b{_TOP}
        |(?:give|assign|return|output|answer)\b{_IN_SENTENCE}{{0,60}}
         \b(?:{_SCORE}\b{_IN_SENTENCE}{{0,20}}\b{_TOP}|{_TOP}[ ]{_SCORE}\b))
    {_IN_SENTENCE}*
    |\b(?:ignore|disregard|forget|override)[ ](?:(?:all|any|the|your|previous)[ ])*rubrics?\b{_IN_SENTENCE}*"""
"""Instructions that are to be forgotten in favour of a score; or the rubric, which only a judge has."""

_ADDRESSED = rf"""
    (?:\b(?:note|message|instructions?|hint|reminder|attention|memo|dear|hey|hello|hi)\b[ ,:]*(?:(?:to|for)[ ])?
            (?:(?:the|any|all|our)[ ])?{_JUDGE}\b
        |\b(?:if[ ]you[ ]are|you[ ]are|as)[ ](?:the|an?)[ ]{_JUDGE}\b
        |\b(?:to[ ]the[ ])?{_JUDGE}\s*[,:]
        |\b{_JUDGE}[ ](?:should|must|shall|please)\b)
    {_NEAR}\b(?:{_SCORE}|rate|flawless|no[ ](?:faults?|findings?|issues?|violations?))\b{_IN_SENTENCE}*"""
"""A judge that is spoken to, and a score or a verdict after it."""

_ASKED = rf"""
    \b(?:rate|score|grade|mark|give|assign|award)[ ](?:this|the|that|my|our)[ ](?:(?:whole|entire)[ ])?{_SUBJECT}\b
        (?:[ ](?:with|as|at|an?|the|{_SCORE}|of))*[ ]{_TOP}{_IN_SENTENCE}*
    |\b(?:give|assign|award|return|output|report)\b{_IN_SENTENCE}{{0,40}}
        \b{_SCORE}[ ](?:of[ ])?{_TOP}[ ](?:for|to)[ ](?:this|the)[ ]{_SUBJECT}
    |\b(?:alignment[ ]{_SCORE}|(?:correct|right|only)[ ]{_SCORE}(?:[ ](?:for|of)[ ](?:this|the)[ ]{_SUBJECT})?
            |{_SCORE}[ ](?:for|of)[ ](?:this|the)[ ]{_SUBJECT})
        [ ]*(?:is|=|:|must[ ]be|should[ ]be|shall[ ]be)[ ]*{_TOP}
    |\b(?:report|return|output)[ ](?:no|zero|an[ ]empty[ ]list[ ]of)[ ]findings\b"""
"""A score, or an empty verdict, that is asked for this task."""


_GRADES: Final = ("score", "rating", "rate ", "grade ", "grades", "mark ", "marks", "verdict", "rubric", "findings")
_LOOKED_FOR: Final[tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]] = (
    (_FORGED, (("findings", "_read"),)),
    (_CLOSED, (("</",),)),
    (_OVERRIDDEN, (("ignore", "disregard", "forget", "override"), _GRADES)),
    (_ADDRESSED, (("judge", "grader", "rater", "evaluator", "scorer"),)),
    (_ASKED, (("task", "test case", "scenario", "benchmark", "behavio", "alignment", "findings"), _GRADES)),
)
"""Patterns, and the words of which one of each group stands in every text that fits."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when a text may fit it: few texts do, and it takes a while."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


_WORDS: Final = tuple(dict.fromkeys(word for _, needed in _LOOKED_FOR for word in needed[-1]))
"""One of these stands in every text that fits some pattern."""


def talks_to_judge(text: str) -> tuple[int, int] | None:
    """Return the range of what a text says to a judge; None where it says nothing to one."""
    lowered = text.lower()
    for pattern, needed in _LOOKED_FOR:
        if all(any(word in lowered for word in words) for words in needed):
            match = _compiled(pattern).search(text)
            if match is not None:
                return match.span()
    return None


def _check(view: View) -> Iterator[Finding]:
    fields = list(_fields(view.task))
    lowered = "\n".join([field.text for field in fields]).lower()
    if not any([word in lowered for word in _WORDS]):  # noqa: C419, a list is faster here
        return
    for field in fields:
        span = talks_to_judge(field.text)
        if span is not None:
            shown = json.dumps(" ".join(field.text[slice(*span)].split())[:_SHOWN], ensure_ascii=False)
            yield view.finding(RULE, f"this talks to a judge: {shown}", field.pointer, span=span)


def _fields(task: Task) -> Iterator[Field]:
    """Yield all texts of a task that a judge is shown."""
    yield from task.scenario
    if task.ticket is not None:
        yield task.ticket
    yield from task.purpose
    yield from task.behaviour
    for call in (*task.actions, *task.env_assertions):
        yield from texts(call.arguments, call.arguments_pointer)
    yield from task.communicate_info
    yield from task.nl_assertions


CHECKS = (Check((RULE,), _check),)
