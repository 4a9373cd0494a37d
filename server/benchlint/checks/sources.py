"""What tells the agent a value: scenario, initial state, database, policy and tools."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from benchlint.checks.arguments import scalars, words
from benchlint.checks.kinds import LARGEST
from benchlint.checks.mentions import Day
from benchlint.checks.spelling import Forms, figures, fold, squeeze

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from benchlint.benchmark.database import Database
    from benchlint.benchmark.model import Benchmark, Field, Task, Tools
    from benchlint.checks.kinds import Kind

_BIRTH = frozenset({"birth", "birthdate", "birthday", "born", "dob"})

_NEAR = 400
"""How many days around a known day "next month" or "last year" may mean."""

_RELATIVE = re.compile(r"\b(?:ago|since|last|years?|decades?|months?|weeks?|anniversary)\b")


def scenario_text(task: Task) -> str:
    """Return all that the simulated user, or the ticket, says."""
    fields = [field.text for field in task.scenario if not _is_history(field)]
    return "\n".join((*fields, task.ticket.text) if task.ticket else fields)


def initial_text(task: Task) -> str:
    """Return all that a task's initial state holds: data, calls, and messages."""
    parts = [field.text for field in task.scenario if _is_history(field)]
    _collect([task.initial_data, [call.arguments for call in task.initial_calls]], parts)
    return "\n".join(parts)


def _is_history(field: Field) -> bool:
    return "message_history" in field.pointer


@lru_cache(4)
def _shared(text: str) -> Forms:
    """Return the forms of a text that many tasks share."""
    return Forms(text)


class Sources:
    """All from which the agent of one task can learn a value."""

    def __init__(self, task: Task, benchmark: Benchmark, database: Database) -> None:
        self._task = task
        self._benchmark = benchmark
        self._database = database

    @cached_property
    def scenario(self) -> Forms:
        """See `scenario_text`."""
        return Forms(self._said)

    @cached_property
    def _said(self) -> str:
        return scenario_text(self._task)

    @cached_property
    def _texts(self) -> tuple[Forms, ...]:
        policy, tools = self._benchmark.policy, self._benchmark.tools
        domain = (_shared(policy.text if policy else ""), _shared(_schemas(tools) if tools else ""))
        return (self.scenario, Forms(initial_text(self._task)), *domain)

    def has(self, value: str | float) -> bool:
        """Say whether scenario or database have a value as it is written."""
        if not isinstance(value, str):
            return self._database.contains_value(value)
        if self._database.collections_of(value):
            return True
        likely = value in self._said
        if likely and _stands(fold(value), self.scenario.folded):
            return True
        return self._database.contains_value(value) or (not likely and _stands(fold(value), self.scenario.folded))

    def tells(self, argument: str, value: str | float, kind: Kind) -> bool:
        """Say whether a value of a kind stands anywhere, in any form, or may be calculated."""
        text = str(value)
        if kind in ("name", "address") and (self.scenario.is_foreign or Forms(text).is_foreign):
            return True
        if kind == "name":
            return all(map(self._tells_word, re.findall(r"[^\W\d_]+", fold(text))))
        if kind == "amount":
            return self._tells_amount(float(value))
        if self._database.search(text):
            return True
        if kind == "date":
            return self._tells_day(argument, text)
        if kind == "address":
            return self._tells_address(text)
        return self._tells_phone(text) if kind == "phone" else self._tells_code(text)

    def _tells_phone(self, value: str) -> bool:
        """Compare the last seven digits: area and country are not always said."""
        digits = re.sub(r"\D", "", value)
        first, last = digits[-7:-4], digits[-4:]
        return any(first + last in forms.squeezed for forms in self._texts) or any(
            self._database.search(f"{first}{mark}{last}") for mark in ("", "-", " ", ".")
        )

    def _tells_code(self, value: str) -> bool:
        plain = squeeze(value)
        if any(plain in forms.squeezed for forms in self._texts):
            return True
        if "@" in value:
            return all(map(self._tells_word, re.findall(r"[^\W_]+", fold(value.partition("@")[0]))))
        return all(self._tells_part(part) for part in re.findall(r"[^\W_]+", value) if re.search(r"\d", part))

    def _tells_part(self, part: str) -> bool:
        folded = fold(part)
        return any(folded in forms.squeezed for forms in self._texts) or (
            len(part) >= 4 and self._database.search(part)
        )

    def _tells_word(self, word: str) -> bool:
        if len(word) == 1 or any(word in forms.words for forms in self._texts):
            return True
        marks = " _.-@'"
        return self._database.search(f"\n{word}\n") or any(
            self._database.search(f"{mark}{word}") or self._database.search(f"{word}{mark}") for mark in marks
        )

    def _tells_address(self, value: str) -> bool:
        parts = re.findall(r"[^\W_]+", fold(figures(value)))
        for index, part in enumerate(parts):
            if any(part in forms.words or (len(part) > 1 and part in forms.squeezed) for forms in self._texts):
                continue
            if not re.search(r"\d", part):
                if self._is_slip(part):
                    return False
                continue
            pair = parts[index : index + 2] if index + 1 < len(parts) else parts[max(index - 1, 0) : index + 1]
            if len(pair) < 2 or not self._database.search(" ".join(pair)):
                return False
        return True

    def _is_slip(self, word: str) -> bool:
        """Say whether a word is a slip of one that scenario and database share."""
        if len(word) < 4 or self._tells_word(word):
            return False
        from rapidfuzz.distance import OSA

        for spoken in re.findall(r"[^\W\d_]{4,}", self.scenario.text):
            other = fold(spoken)
            if OSA.distance(word, other, score_cutoff=1) == 1 and word.rstrip("s") != other.rstrip("s"):
                return self._database.search(spoken)
        return False

    def _tells_amount(self, value: float) -> bool:
        known: set[float] = set()
        for forms in self._texts:
            known |= forms.numbers
        if abs(value) in known or any(f"{abs(value):g}" in forms.words for forms in self._texts):
            return True
        from benchlint.checks.arithmetic import is_derivable

        numbers = {*(number for number in known if 9 < number < LARGEST), *self._reached_numbers(value)}
        return any(is_derivable(amount, numbers) for amount in (value, value / 100, value * 100))

    def _reached_numbers(self, value: float) -> Iterator[float]:
        """Yield the numbers of the actions, of the records that they name, and of those that these name."""
        found = [item for call in self._task.actions for _, _, item in scalars(call.arguments or {})]
        yield from (float(item) for item in found if _is_number(item) and item != value)
        named = {item for item in found if isinstance(item, str)}
        seen: set[str] = set()
        for keys in (named, None):
            records = [
                self._database.record(collection, key)
                for key in (named if keys else seen - named)
                for collection in self._database.collections_of(key)
            ]
            inside = [item for record in records for item in _narrowed(record, named)]
            yield from (float(item) for item in inside if _is_number(item))
            seen |= {item for item in inside if isinstance(item, str)}

    def _tells_day(self, argument: str, text: str) -> bool:
        from calendar import monthrange
        from datetime import date

        try:
            day = date(*map(int, text[:10].split("-")))
        except ValueError:
            return False
        known = [item for forms in self._texts for item in forms.days]
        value = Day(day.year, day.month, day.day)
        if any(item.matches(value) for item in known) or self._writes_day(day):
            return True
        if any({str(day.day), str(day.year)} <= forms.words for forms in self._texts):
            return True
        birth = bool(frozenset(words(argument)) & _BIRTH)
        dates = [found for item in known if (found := _date(item))]
        if not birth and (
            not dates
            or any((item.month, item.day) == (day.month, day.day) for item in dates)
            or day.day in (1, monthrange(day.year, day.month)[1])
            or _RELATIVE.search(self.scenario.folded)
        ):
            return True
        today = [found for item in self._texts[2].days if (found := _date(item))]
        return any(abs((item - day).days) <= _NEAR for item in today) or (not birth and day >= min(dates))

    def _writes_day(self, day: date) -> bool:
        """Say whether some text has a day in figures alone: 4/4, 04.04.85, 19850404."""
        either = rf"(?:0?{day.month}\s?[/.-]\s?0?{day.day}|0?{day.day}\s?[/.-]\s?0?{day.month})"
        year = rf"(?:\s?[/.-]\s?(?:{day.year}|{day.year % 100:02}))?"
        short = re.compile(rf"(?<![\d/.-])(?:{day.year % 100:02}[/.-])?{either}{year}(?![/.-]?\d)|{day.year}{day:%m%d}")
        if any(short.search(forms.figures) for forms in self._texts):
            return True
        month = f"{day:%B}".casefold()
        forms = (
            f"{day:%Y-%m-%d}",
            f"{day:%Y%m%d}",
            f"{day:%m/%d/%Y}",
            f"{day:%d/%m/%Y}",
            f"{day:%d.%m.%Y}",
            f"{month} {day.day}, {day.year}",
            f"{day.day} {month} {day.year}",
        )
        return any(map(self._database.search, forms))


def _stands(value: str, text: str) -> bool:
    """Say whether a text has a value that is no part of a longer word."""
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(value, at + 1)
    return False


def _date(day: Day) -> date | None:
    from datetime import date

    try:
        return date(day.year, day.month, day.day) if day.year else None
    except ValueError:
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST


def _narrowed(value: Any, keys: set[str]) -> Iterator[Any]:
    """Yield the values of a record; where it has keys that the calls name, only what is under those."""
    if isinstance(value, dict):
        for item in [item for key, item in value.items() if key in keys] or value.values():
            yield from _narrowed(item, keys)
    elif isinstance(value, list):
        for item in value:
            yield from _narrowed(item, keys)
    else:
        yield value


def _schemas(tools: Tools) -> str:
    """Return all text of the tools' descriptions and schemas."""
    parts: list[str] = []
    for tool in tools.by_name.values():
        parts.append(tool.description)
        for parameter in tool.parameters.values():
            _collect(parameter.schema, parts)
    return "\n".join(parts)


def _collect(value: Any, parts: list[str]) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _collect(item, parts)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _collect(item, parts)
    elif value is not None:
        parts.append(str(value))
