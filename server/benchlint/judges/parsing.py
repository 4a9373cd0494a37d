"""From the text of a reply to the answer in it.

Models wrap their JSON in fences, in prose and in thoughts. What is looked
for is one object of the metric's form; a reply that holds none, or two that
differ, is no answer.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import ValidationError

    from benchlint.judges.protocol import Metric

_LONGEST: Final = 400_000
_MOST: Final = 64
"""At how many braces an object may be tried to begin."""

_THOUGHTS = re.compile(r"\s*<think>.*?</think>", re.DOTALL)


class UnusableError(Exception):
    """A reply without an answer. `repairable` where asking once more may help."""

    def __init__(self, reason: str, *, repairable: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.repairable = repairable


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; UnusableError where it gives a key twice with values that differ."""
    found = dict(pairs)
    if len(found) < len(pairs):
        for name, value in pairs:
            if found[name] != value:
                raise UnusableError(f'the reply gives "{name[:40]}" twice, with values that differ')
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)


def parse_reply(text: str, finish_reason: str | None, metric: Metric) -> dict[str, Any]:
    """Return the answer in a reply as JSON, in the metric's form.

    `finish_reason` is the provider's. Raises UnusableError, with what is
    wrong in a plain sentence.
    """
    if finish_reason == "length":
        raise UnusableError("the reply was cut at the limit of its length", repairable=False)
    if finish_reason in ("content_filter", "refusal"):
        raise UnusableError("the provider's content filter withheld the reply", repairable=False)
    if len(text) > _LONGEST:
        raise UnusableError(f"the reply has {len(text):,} characters, more than are read", repairable=False)
    text = _THOUGHTS.sub("", text, count=1).strip()
    if not text:
        raise UnusableError("the reply is empty")
    fitting: list[dict[str, Any]] = []
    problem = None
    for candidate in _objects(text):
        found = mismatch(candidate, metric)
        if found is None:
            if candidate not in fitting:
                fitting.append(candidate)
        elif problem is None or len(candidate) > problem[0]:
            problem = len(candidate), found
    if len(fitting) > 1:
        raise UnusableError("the reply holds two answers that differ")
    if fitting:
        return fitting[0]
    raise UnusableError(problem[1] if problem else _nothing(text))


def mismatch(data: Any, metric: Metric) -> str | None:
    """Say in a sentence where data is not of a metric's form; None where it is."""
    from pydantic import ValidationError

    from benchlint.judges.prompt import answer_model

    try:
        answer_model(metric).model_validate(data)
    except ValidationError as error:
        return _sentence(error)
    return None


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects in a text that lie in no other."""
    at = text.find("{")
    for _ in range(_MOST):
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _nothing(text: str) -> str:
    if text.removeprefix("```json").lstrip("`\n ")[:1] == "[":
        return "the reply is a list, not an object"
    if "{" not in text:
        return "the reply holds no JSON object"
    if text.count("{") > text.count("}"):
        return "the reply breaks off within its JSON"
    return "the JSON of the reply cannot be read"


_WORDS = {
    "missing": "is missing",
    "list_type": "must be a list",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a number",
    "string_type": "must be a text",
    "string_too_short": "must not be empty",
    "string_too_long": "is too long",
    "model_type": "must be an object",
    "dict_type": "must be an object",
}


def _sentence(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_input=False)
    first = problems[0]
    place = ".".join(str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"])
    what = _WORDS.get(first["type"]) or first["msg"].lower().replace("input should be", "must be")
    more = f" ({len(problems) - 1} more problems)" if len(problems) > 1 else ""
    return f'in the reply "{place}" {what}{more}' if place else f"the reply {what}{more}"
