"""Code lenses: what judges say of each task, and how many tasks challenge each item of a policy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from benchlint.judges.protocol import NoVerdict, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.run import Result
    from benchlint.analysis.standing import TextKey
    from benchlint.benchmark.model import Benchmark
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json
    from benchlint.text.document import Document

JUDGE_TASK: Final = "benchlint.judgeTask"
JUDGE_FILE: Final = "benchlint.judgeFile"
JUDGE_BENCHMARK: Final = "benchlint.judgeBenchmark"

_WORDS: Final = 4
_SCORES: Final = (("description_alignment", "description"), ("policy_alignment", "policy"))


def lenses(session: Session, path: str) -> Iterator[Json]:
    """Yield the lenses of a file, by what was found last."""
    known = session.findings(path)
    if known is None:
        return
    result = known[0]
    document = result.documents.get(path)
    if document is None:
        return
    for benchmark in result.benchmarks:
        if any(source.document is document for source in benchmark.sources):
            bench = session.judges.live.benches.get(benchmark.name)
            if bench is not None and bench.hearing.judges:
                yield from _offers(session, bench, document)
                yield from _tasks(session, bench, benchmark, document)
            return
    yield from _policy(session, result, document)


def _offers(session: Session, bench: Bench, document: Document) -> Iterator[Json]:
    """Yield at the top what could be judged, with its price as far as that is known."""
    stale, lacking = session.judges.lookups.offers(bench)
    top = session.bridge.range(document, 0, 0)
    uri = session.bridge.uri_of(document.path)
    if stale.tasks:
        title = f"judge {counted(stale.tasks, 'stale task')} again{priced(stale.price)}"
        yield _lens(top, title, JUDGE_BENCHMARK, {"uri": uri, "stale": True})
    if lacking.tasks:
        title = f"judge {counted(lacking.tasks, 'task')}{priced(lacking.price)}"
        yield _lens(top, title, JUDGE_BENCHMARK, {"uri": uri})


def _tasks(session: Session, bench: Bench, benchmark: Benchmark, document: Document) -> Iterator[Json]:
    from benchlint.analysis.standing import text_key

    uri, position, encoding = session.bridge.uri_of(document.path), document.position, session.bridge.encoding
    said = _Said(bench, session.judges.titles)
    for task in benchmark.tasks:
        if task.slice.document is not document:
            continue
        line, column = position(task.slice.start, encoding)
        at = {"line": line, "character": column}
        key = text_key(task)
        title = said.of(key) if bench.answers else "judge"
        yield _lens({"start": at, "end": at}, title, JUDGE_TASK, {"uri": uri, "task": task.id})


class _Said:
    """Says what judges have given each text; what was put into words once is kept as long as its verdicts."""

    def __init__(self, bench: Bench, kept: dict[str, tuple[object, dict[TextKey, str]]]) -> None:
        self._bench = bench
        name = bench.benchmark.name
        known = kept.get(name)
        if known is None or known[0] is not bench.answers:
            known = kept[name] = bench.answers, {}
        self._titles = known[1]

    def of(self, key: TextKey) -> str:
        """Return the title of a text's lens."""
        title = self._titles.get(key)
        if title is None:
            said = _said(self._bench.answers.get(key, {}), stale=key in self._bench.stale)
            title = self._titles[key] = f"{said} · judge again" if said else "judge"
        return title


def _said(answers: Mapping[Any, Any], *, stale: bool) -> str:
    """Say what there is: scores, and how many policy items the request runs into."""
    parts = []
    for metric, name in _SCORES:
        verdict = getattr(answers.get(metric), "verdict", answers.get(metric))
        if isinstance(verdict, Verdict) and verdict.score is not None:
            parts.append(f"{name} {verdict.score:g}")
    verdict = getattr(answers.get("violations"), "verdict", answers.get("violations"))
    if isinstance(verdict, Verdict):
        parts.append(f"challenges {counted(len({item.policy_item for item in verdict.violations}), 'item')}")
    missing = sum(isinstance(getattr(answer, "verdict", answer), NoVerdict) for answer in answers.values())
    if missing:
        parts.append(counted(missing, "verdict") + " missing")
    if not parts and answers:
        parts.append("judged")
    return ("stale: " if stale and parts else "") + " · ".join(parts)


def _policy(session: Session, result: Result, document: Document) -> Iterator[Json]:
    """Yield a lens for each rule of a policy; of several benchmarks with this policy the largest counts."""
    readers = [item for item in result.benchmarks if item.policy is not None and document.path in item.policy.paths]
    if not readers:
        return
    for item in readers:
        bench = session.judges.live.benches.get(item.name)
        if bench is not None and bench.stale:
            yield from _offers(session, bench, document)
            break
    benchmark = max(readers, key=lambda item: len(item.tasks))
    counts = session.covered(benchmark)
    if counts is None or benchmark.policy is None:
        return
    where = f" in {benchmark.name.rpartition('/')[2]}" if len(readers) > 1 else ""
    rules = [rule for rule in benchmark.policy.items if rule.path == document.path and rule.kind != "fact"]
    ranges = [session.bridge.range(document, rule.start, rule.start) for rule in rules]
    on_line = Counter(at["start"]["line"] for at in ranges)
    for rule, at in zip(rules, ranges, strict=True):
        named = f"“{_opening(rule.text)}” " if on_line[at["start"]["line"]] > 1 else ""
        yield _lens(at, f"{named}{counts.of(rule.id)}{where}", "", None)


def _opening(text: str) -> str:
    """Return the first words of a rule, to tell it from others on its line."""
    words = text.split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")


def _lens(at: Json, title: str, command: str, argument: Any) -> Json:
    arguments = {} if argument is None else {"arguments": [argument]}
    return {"range": at, "command": {"title": title, "command": command, **arguments}}


def priced(price: str) -> str:
    """Return a price in brackets, nothing where it is not seen yet."""
    return f" ({price})" if price else ""


def counted(count: int, noun: str) -> str:
    """Count things of one name."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
