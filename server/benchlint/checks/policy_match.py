"""Tasks that stand beside the policy of another domain."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from benchlint.catalogue.finding import Anchor, Related
from benchlint.checks.registry import Check
from benchlint.checks.vocabulary import task_text, telling_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.model import Task
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

RULE: Final = "mismatched-policy"

_LEAST: Final = 5
"""So few tasks show no vocabulary."""

_MOST: Final = 60
"""So many tasks show it as well as more."""

_COMMON: Final = 0.2
"""The share of the tasks in which a word stands that is typical of them."""

_TYPICAL: Final = 8
"""How many typical words tasks and policy must have at least."""

_TOP: Final = 15
"""How many of the words that a policy repeats most are typical of it."""

_REPEATED: Final = 2
"""How often a policy must have a word that is typical of it."""

_MANY: Final = 25
"""Of so many tasks the shares say more."""

_LIMITS: Final = {True: (0.6, 0.85), False: (0.5, 0.65)}
"""Below both of these tasks and policy are strangers: the share of the tasks' typical words that the policy has,
and the sum of that and of the share of tasks in which a typical word of the policy stands; for many and few tasks."""


def _check(view: View) -> Iterator[Finding]:
    counts = Counter(stem for stem, _ in telling_words(view.policy.text))
    own = [stem for stem, count in counts.most_common(_TOP) if count >= _REPEATED]
    if len(own) < _TYPICAL:
        return
    shown: dict[str, str] = {}
    for stem, word in telling_words(view.policy.text):
        shown.setdefault(stem, word.lower())
    by_file: dict[str, list[Task]] = {}
    for task in view.benchmark.tasks:
        by_file.setdefault(task.slice.document.path, []).append(task)
    together = max(map(len, by_file.values()), default=0) < _LEAST
    for tasks in [list(view.benchmark.tasks)] if together else by_file.values():
        if len(tasks) >= _LEAST:
            yield from _strangers(view, tasks, frozenset(counts), own, shown)


def _strangers(
    view: View, tasks: Sequence[Task], policy: frozenset[str], own: list[str], shown: dict[str, str]
) -> Iterator[Finding]:
    """Report tasks whose typical words the policy lacks, and that lack the policy's."""
    sample = tasks[:: -(-len(tasks) // _MOST)]
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for task in sample:
        found = telling_words(task_text(task))
        counts.update({stem for stem, _ in found})
        for stem, word in found:
            if word.islower():
                written.setdefault(stem, word)
    least = max(2, _COMMON * len(sample))
    typical = {stem: count for stem, count in counts.items() if count >= least and stem in written}
    if len(typical) < _TYPICAL:
        return
    known = sum(count for stem, count in typical.items() if stem in policy) / sum(typical.values())
    told = sum(counts[stem] for stem in own) / (len(own) * len(sample))
    most, sum_of_both = _LIMITS[len(sample) >= _MANY]
    if known >= most or known + told >= sum_of_both:
        return
    theirs = [written[stem] for stem, _ in Counter(typical).most_common() if stem not in policy][:4]
    its = [shown[stem] for stem in own if counts[stem] < _COMMON * len(sample)][:4]
    name = view.policy.paths[0].replace("\\", "/").rpartition("/")[2]
    message = (
        f"the tasks do not belong to {name}: they speak of {', '.join(theirs)}, which it does not know, "
        f"and it of {', '.join(its)}, which few of them do"
    )
    first = tasks[0]
    pointer = (first.scenario or first.behaviour)[0].pointer if first.scenario or first.behaviour else first.id_pointer
    anchor = view.anchor(first, pointer)
    quote = first.slice.data[anchor.start : anchor.end].decode("utf-8", "replace")[:200]
    related = Related("the policy", Anchor(view.policy.paths[0], 0, 0))
    yield view.file_finding(RULE, message, anchor, related=(related,), quote=quote)


CHECKS = (Check((RULE,), _check, "benchmark", needs=("policy",), reads=("policy",)),)
