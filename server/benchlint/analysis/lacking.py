"""What is told of verdicts: which were wanted and not given, what was dropped, and whose are mixed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from benchlint.checks.traits import joined
from benchlint.judges.panel import PanelVerdict
from benchlint.judges.protocol import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import NoVerdict

_NAMED: Final = 10
"""So many tasks without a verdict are named in a note."""


def missing_verdicts(lacking: Sequence[tuple[Asked, NoVerdict]]) -> Iterator[str]:
    """Say which verdicts are missing: a sentence for each reason, and for each set of tasks that it holds of."""
    names: dict[tuple[str, str], list[str]] = {}
    for asked, verdict in lacking:
        name = f'"{asked.task.id}"' if asked.task is not None else "the policy"
        names.setdefault((verdict.reason, verdict.metric), []).append(name)
    metrics: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (reason, metric), named in names.items():
        metrics.setdefault((reason, tuple(named)), []).append(metric.replace("_", " "))
    for (reason, about), missing in metrics.items():
        listed = ", ".join(about[:_NAMED]) + (f" and {len(about) - _NAMED} more" if len(about) > _NAMED else "")
        tasks = "" if about == ("the policy",) else f"{len(about)} task{'' if len(about) == 1 else 's'}: "
        yield f"no verdict on {joined(missing)} for {tasks}{listed} ({reason})"


def silent_judges(verdicts: Iterable[Verdict | NoVerdict | PanelVerdict]) -> Iterator[str]:
    """Say which judges of a panel gave no verdict where the others were enough for one."""
    counts = Counter(silent for verdict in verdicts if isinstance(verdict, PanelVerdict) for silent in verdict.silent)
    for (judge, reason), count in counts.items():
        requests = "1 request" if count == 1 else f"{count} requests"
        yield f"{judge} gave no verdict on {requests}, on which the rest of the panel is enough ({reason})"


def dropped_findings(verdicts: Iterable[Verdict | NoVerdict | PanelVerdict]) -> Iterator[str]:
    """Say how many findings of judges cannot be shown."""
    single = (verdict.verdict if isinstance(verdict, PanelVerdict) else verdict for verdict in verdicts)
    count = sum(verdict.dropped for verdict in single if isinstance(verdict, Verdict))
    if count:
        were = "1 finding of a judge was" if count == 1 else f"{count} findings of judges were"
        yield f"{were} dropped: a finding quotes words of the text, and names a rule and policy items that were shown"


def mixed_judges(verdicts: Iterable[Verdict | NoVerdict | PanelVerdict]) -> Iterator[str]:
    """Say where cached verdicts of several models make up one number."""
    judges: dict[str, set[str]] = {}
    for verdict in verdicts:
        if isinstance(verdict, Verdict):
            judges.setdefault(verdict.metric, set()).add(verdict.judge)
    mixed = [metric.replace("_", " ") for metric, names in judges.items() if len(names) > 1]
    if mixed:
        models = ", ".join(sorted(set().union(*(names for names in judges.values() if len(names) > 1))))
        yield (
            f"the verdicts on {joined(mixed)} are of several models ({models}), which do not compare: "
            "name one with --judge or as [judge] models"
        )
