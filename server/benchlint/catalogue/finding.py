"""A finding: one rule, one place, one message, its evidence and its fixes."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from msgspec import Struct

FoundBy = Literal["check", "guard", "judge", "panel", "replay", "offline"]


class Severity(IntEnum):
    """How much a finding matters; a greater number is worse."""

    HINT = 1
    INFORMATION = 2
    WARNING = 3
    ERROR = 4

    @property
    def label(self) -> str:
        """The severity's name in messages, reports and configuration."""
        return self.name.lower()

    @classmethod
    def parse(cls, label: str) -> Severity:
        """Return the severity of a label; ValueError where there is none."""
        for severity in cls:
            if severity.label == label:
                return severity
        raise ValueError(f"{label!r} is no severity: use {', '.join(item.label for item in cls)}")


class Anchor(Struct, frozen=True):
    """A place that survives edits elsewhere in its file.

    With a slice, `start` and `end` count bytes from the slice's start, else
    from the file's.
    """

    path: str
    start: int = 0
    end: int = 0
    slice: int | None = None


class Related(Struct, frozen=True):
    """Another place that a finding speaks of, and what stands there."""

    message: str
    anchor: Anchor


class Edit(Struct, frozen=True):
    """The replacement of a range by a text in the file's own syntax."""

    anchor: Anchor
    text: str


class Fix(Struct, frozen=True):
    """A change that removes a finding. The title says what it does.

    A safe fix keeps the task's meaning; an unsafe one needs an author's eye.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


class Finding(Struct, frozen=True):
    """What a rule found.

    `pointer` leads from the task's own root (from the file's, without a
    task) to the value at fault. `quote` is the text at fault, as its reader
    sees it. `path` and `task` name where it belongs, `anchor` where it shows.
    """

    rule: str
    severity: Severity
    message: str
    anchor: Anchor
    benchmark: str = ""
    task: str | None = None
    pointer: str = ""
    quote: str = ""
    found_by: FoundBy = "check"
    related: tuple[Related, ...] = ()
    policy_items: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
