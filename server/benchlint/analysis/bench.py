"""What judges say of a benchmark at one moment, in an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.analysis.hearing import Hearing
    from benchlint.analysis.judging import Heard
    from benchlint.analysis.standing import Answer, Reads, TextKey
    from benchlint.benchmark.model import Benchmark
    from benchlint.catalogue.rule import Rule
    from benchlint.judges.protocol import Metric


class Bench(NamedTuple):
    """What judges say of a benchmark at one moment.

    `metrics` are those that models are asked about here, `reads` what their
    requests are made from. `answers` are their verdicts by text, `stale` what
    of them has changed inputs: the text of the task and the metric; `complete`
    are the texts with all verdicts of now. `key` names the configuration.
    """

    benchmark: Benchmark
    hearing: Hearing
    wanted: Mapping[str, Rule]
    metrics: tuple[Metric, ...]
    reads: Mapping[Metric, Reads]
    heard: Heard
    answers: Mapping[TextKey, Mapping[Metric, Answer]]
    stale: Mapping[TextKey, tuple[Metric, ...]]
    complete: frozenset[TextKey]
    key: str

    @property
    def of_tasks(self) -> list[Metric]:
        """The metrics that tasks are judged on."""
        return [metric for metric in self.metrics if metric != "contradictions"]

    @property
    def of_policy(self) -> list[Metric]:
        """The metrics that the policy as such is judged on."""
        return [metric for metric in self.metrics if metric == "contradictions"]

    def texts(self) -> list[TextKey]:
        """Return the keys of the tasks' texts."""
        from benchlint.analysis.standing import text_key

        return [text_key(task) for task in self.benchmark.tasks]

    def stale_tasks(self) -> int:
        """Return how many tasks have stale verdicts."""
        return sum(bool(key[0]) for key in self.stale)

    def has(self, key: TextKey, metric: Metric) -> bool:
        """Say whether there is a verdict, stale or not."""
        from benchlint.analysis.standing import is_given

        answer = self.answers.get(key, {}).get(metric)
        return answer is not None and is_given(answer)

    def lacks(self, key: TextKey) -> bool:
        """Say whether a task's text lacks a verdict of now."""
        return key not in self.complete


def metrics_of(benchmark: Benchmark, hearing: Hearing, wanted: Mapping[str, Rule]) -> tuple[Metric, ...]:
    """Return the metrics that judges are asked about in a benchmark."""
    from benchlint.judges.prompt import SEES_POLICY

    if not hearing.judges:
        return ()
    share = hearing.prompts.share
    policy = benchmark.policy if "policy" in share else None
    return tuple(
        metric
        for metric in hearing.metrics(wanted)
        if (metric == "contradictions" or "task" in share)
        and (metric not in SEES_POLICY or (policy is not None and policy.items))
    )


def reads_of(benchmark: Benchmark, metric: Metric, hearing: Hearing, asking: int) -> Reads:
    """Return what a request on a metric is made from now."""
    from benchlint.analysis.standing import Reads
    from benchlint.judges.prompt import SEES_POLICY, SEES_TOOLS

    policy, tools, database = benchmark.policy, benchmark.tools, benchmark.database
    return Reads(
        _policy_hash(benchmark) if policy is not None and metric in SEES_POLICY else None,
        tools.hash if tools is not None and metric in SEES_TOOLS else None,
        database.hash
        if database is not None and "records" in hearing.prompts.share and metric != "contradictions"
        else None,
        asking,
    )


def _policy_hash(benchmark: Benchmark) -> bytes | None:
    """Return what a policy's items are made of: its text, and the items file where a person has reviewed them."""
    policy, items = benchmark.policy, benchmark.items
    if policy is None or policy.review is None or items is None:
        return policy.hash if policy is not None else None
    return policy.hash + items.hash
