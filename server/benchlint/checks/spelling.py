"""Forms of a text in which two ways of writing the same are equal."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

from benchlint.checks.mentions import days

if TYPE_CHECKING:
    from benchlint.checks.mentions import Day

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_SMALL = {
    **{word: value for value, word in enumerate(_ONES.split())},
    **{word: value for value, word in enumerate(_ORDINALS.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), 2)},
    **{f"{word[:-1]}ieth": 10 * value for value, word in enumerate(_TENS.split(), 2)},
    "dozen": 12,
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_WORD = "|".join(sorted((*_SMALL, *_SCALES), key=len, reverse=True))
_WORDS = rf"(?i:\b(?:{_WORD})(?:(?:\s+and\s+|[\s-]+)(?:{_WORD}))*\b)"
_SEPARATED = r"(?<=\d),(?=\d{3}(?!\d))"
_ORDINAL = r"(?i:(?<=\d)(?:st|nd|rd|th)\b)"


def fold(text: str) -> str:
    """Return a text in small letters, without accents, with plain quotation marks."""
    if not text.isascii():
        text = "".join(item for item in unicodedata.normalize("NFKD", text) if not unicodedata.combining(item))
        text = text.replace("\u2019", "'").replace("\u2018", "'")
    return text.casefold()


def squeeze(text: str) -> str:
    """Return the letters and digits of a text alone, folded."""
    return re.sub(r"[\W_]+", "", fold(text))


def figures(text: str) -> str:
    """Return a text with numbers in figures: "two hundred and five", "4th", "1,500" become 205, 4, 1500."""
    text = re.sub(_WORDS, _figure, text)
    return re.sub(_ORDINAL, "", re.sub(_SEPARATED, "", text))


def _figure(match: re.Match[str]) -> str:
    total = current = 0
    last: int | None = None
    pieces = []
    for word in re.findall(r"[a-z]+", match[0].lower()):
        if word == "and":
            continue
        if word in _SCALES:
            scale = _SCALES[word]
            if scale == 100:
                current = max(current, 1) * scale
            else:
                total += max(current, 1) * scale
                current = 0
            last = None
            continue
        value = _SMALL[word]
        if last is not None and not (last >= 20 and value < 10):
            pieces.append(str(total + current))
            total = current = 0
        current += value
        last = value
    pieces.append(str(total + current))
    return " ".join(pieces)


class Forms:
    """A text, and the forms of it in which values are looked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def folded(self) -> str:
        """See `fold`."""
        return fold(self.text)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether it is written in other letters than Latin ones, so that names may be spelled anew."""
        return any(character.isalpha() and character > "\u024f" for character in self.folded)

    @cached_property
    def figures(self) -> str:
        """See `figures`."""
        return figures(self.text)

    @cached_property
    def squeezed(self) -> str:
        """The letters and digits, numbers in figures."""
        return squeeze(self.text) + " " + squeeze(self.figures)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words and numbers, each by itself."""
        return frozenset(re.findall(r"[^\W_]+", f"{self.folded} {fold(self.figures)}"))

    @cached_property
    def days(self) -> tuple[Day, ...]:
        """The days that the text names."""
        return tuple(mention.value for mention in days(self.figures))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers, without thousands separators, "5k" as 5000."""
        found = re.findall(r"(?<![\d.])(\d+(?:\.\d+)?)(k\b)?", self.figures, re.IGNORECASE)
        return frozenset(float(number) * (1000 if thousand else 1) for number, thousand in found)
