"""What is told of verdicts that were wanted and not given."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from benchlint.judges.panel import PanelVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.judges.prompt import Asked
    from benchlint.judges.protocol import NoVerdict, Verdict

_NAMED: Final = 10
"""So many tasks without a verdict are named in a note."""


def missing_verdicts(lacking: Sequence[tuple[Asked, NoVerdict]]) -> Iterator[str]:
    """Say which verdicts are missing: a sentence for each metric and reason."""
    names: dict[tuple[str, str], list[str]] = {}
    for asked, verdict in lacking:
        name = f'"{asked.task.id}"' if asked.task is not None else "the policy"
        names.setdefault((verdict.metric, verdict.reason), []).append(name)
    for (metric, reason), about in names.items():
        listed = ", ".join(about[:_NAMED]) + (f" and {len(about) - _NAMED} more" if len(about) > _NAMED else "")
        tasks = "" if about == ["the policy"] else f"{len(about)} task{'' if len(about) == 1 else 's'}: "
        yield f"no verdict on {metric.replace('_', ' ')} for {tasks}{listed} ({reason})"


def silent_judges(verdicts: Iterable[Verdict | NoVerdict | PanelVerdict]) -> Iterator[str]:
    """Say which judges of a panel gave no verdict where the others were enough for one."""
    counts = Counter(silent for verdict in verdicts if isinstance(verdict, PanelVerdict) for silent in verdict.silent)
    for (judge, reason), count in counts.items():
        requests = "1 request" if count == 1 else f"{count} requests"
        yield f"{judge} gave no verdict on {requests}, on which the rest of the panel is enough ({reason})"
