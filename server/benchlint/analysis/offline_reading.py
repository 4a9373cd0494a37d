"""The offline reader over a benchmark that is edited: a policy is read once, and each text of a task once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.judges.offline.reading import PolicyReading
    from benchlint.judges.protocol import Verdict

    Pair = tuple[Verdict, Verdict]
    """On what is expected, and on what is asked for: violations."""

_SPARE: Final = 256
"""So many texts that are there no more are remembered."""


class OfflineReading:
    """What the offline reader has said of the texts of one benchmark.

    A text on which it crashes, whatever a policy may hold, has no verdict.
    """

    def __init__(self) -> None:
        self._inputs: Hashable = None
        self._reading: PolicyReading | None = None
        self._said: dict[int, tuple[Any, Pair | None]] = {}

    def read(
        self, benchmark: Benchmark, tasks: Sequence[Task], most: int | None, tick: Callable[[], None] = lambda: None
    ) -> tuple[dict[int, Pair], bool]:
        """Return what is said of some tasks, by the index in `tasks`, and whether that is all.

        At most so many new texts are read, all with None. `tick` is called
        between them, and may raise to end it.
        """
        reading = self._policy(benchmark)
        found: dict[int, Pair] = {}
        if reading is None:
            return found, True
        left = len(tasks) if most is None else most
        complete = True
        said = self._said
        for index, task in enumerate(tasks):
            known = said.get(id(task.value))
            if known is None or known[0] is not task.value:
                if not left:
                    complete = False
                    continue
                left -= 1
                tick()
                known = said[id(task.value)] = task.value, _assessed(reading, task)
            if known[1] is not None:
                found[index] = known[1]
        if len(said) > len(benchmark.tasks) + _SPARE:
            values = {id(task.value) for task in benchmark.tasks}
            self._said = {key: item for key, item in said.items() if key in values}
        return found, complete

    def _policy(self, benchmark: Benchmark) -> PolicyReading | None:
        policy, tools = benchmark.policy, benchmark.tools
        if policy is None:
            return None
        inputs = policy.hash, tools.hash if tools is not None else None
        if inputs != self._inputs:
            from benchlint.judges.offline import read

            self._said = {}
            try:
                self._reading = read(policy, tools)
            except Exception:  # a policy can hold any text
                self._reading = None
            self._inputs = inputs
        return self._reading


def _assessed(reading: PolicyReading, task: Task) -> Pair | None:
    from benchlint.analysis.spoken import offline_verdicts
    from benchlint.judges.offline import assess

    try:
        verdict = assess(reading, task)
    except Exception:  # as above
        return None
    return offline_verdicts(verdict.findings, verdict.violations)
