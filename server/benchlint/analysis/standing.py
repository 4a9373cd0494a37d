"""The verdicts of a session, found again by the text that they speak of.

A verdict is about one text of a task, and counts while some task has that
text. Beside it stands what else its request was made from: where that has
changed meanwhile the verdict is stale.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from benchlint.judges.protocol import NoVerdict, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from benchlint.benchmark.model import Task
    from benchlint.judges.panel import PanelVerdict
    from benchlint.judges.protocol import Metric

    Answer: TypeAlias = "Verdict | NoVerdict | PanelVerdict"

TextKey: TypeAlias = tuple[bytes, str]
"""A task's text: the hash of its slice, and its id. The policy's is empty."""

POLICY: TextKey = (b"", "")

_WORDS = ("the policy has", "the tools have", "the database has")


class Reads(NamedTuple):
    """What a request was made from besides the task: hashes, None for what it does not read.

    `asking` stands for who is asked, and how.
    """

    policy: bytes | None
    tools: bytes | None
    database: bytes | None
    asking: int

    def changed(self, now: Reads) -> str:
        """Say what has changed since; "" where nothing has."""
        return " and ".join(word for word, old, new in zip(_WORDS, self, now, strict=False) if old != new)


class Given(NamedTuple):
    """A verdict, or none, and what it was made from."""

    answer: Answer
    reads: Reads


def text_key(task: Task | None) -> TextKey:
    """Return the key of a task's text; of the policy's without a task."""
    return (task.slice.hash, task.id) if task is not None else POLICY


def is_given(answer: Answer) -> bool:
    """Say whether an answer is a verdict."""
    single = answer if isinstance(answer, (Verdict, NoVerdict)) else answer.verdict
    return isinstance(single, Verdict)


class Standing:
    """The verdicts of a session, for several threads. `revision` grows with every change."""

    def __init__(self) -> None:
        self.revision = 0
        self._lock = threading.Lock()
        self._given: dict[str, dict[TextKey, dict[Metric, Given]]] = {}

    def of(self, benchmark: str) -> Mapping[TextKey, Mapping[Metric, Given]]:
        """Return the verdicts on a benchmark by text and metric. What is returned is not to be changed."""
        return self._given.get(benchmark, {})

    def put(self, benchmark: str, key: TextKey, metric: Metric, given: Given) -> None:
        """Keep a verdict; where there is none this time, an earlier one stays."""
        with self._lock:
            texts = self._given.setdefault(benchmark, {})
            known = texts.get(key, {})
            earlier = known.get(metric)
            if earlier is not None and is_given(earlier.answer) and not is_given(given.answer):
                return
            texts[key] = {**known, metric: given}
            self.revision += 1

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._given = {}
            self.revision += 1

    def keep(self, benchmark: str, keys: Collection[TextKey], spare: int) -> None:
        """Forget texts that are there no more, where more than `spare` of them are kept."""
        with self._lock:
            texts = self._given.get(benchmark, {})
            if len(texts) > len(keys) + spare:
                self._given[benchmark] = {key: found for key, found in texts.items() if key in keys}
