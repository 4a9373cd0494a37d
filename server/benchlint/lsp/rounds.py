"""Rounds of questions that were begun, each with its progress in the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchlint.lsp.log import LOG
from benchlint.lsp.spending import spent, verdicts

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Collection, Mapping

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.hearing import Hearing
    from benchlint.analysis.live_judging import LiveJudging
    from benchlint.analysis.standing import TextKey
    from benchlint.lsp.judge_pass import Pass, Work
    from benchlint.lsp.progress import Progress


class Rounds:
    """The rounds on their way, on the event loop's thread.

    `progress` makes a bar with a title. `came` is called where a verdict has
    come or a round is over, `warn` with what the user should see once.
    `to_loop` calls a function on the event loop, from any thread.
    """

    def __init__(
        self,
        live: LiveJudging,
        progress: Callable[[str], Progress],
        came: Callable[[], None],
        warn: Callable[[str], None],
        to_loop: Callable[..., None],
    ) -> None:
        self._live = live
        self._progress = progress
        self._came = came
        self._warn = warn
        self._to_loop = to_loop
        self._passes: dict[str, tuple[Pass, Progress]] = {}
        self._limited: dict[str, Hearing] = {}

    @property
    def open(self) -> int:
        """How many questions are not answered yet."""
        return sum(max(item.total - item.given, 1) for item, _ in self._passes.values())

    @property
    def dump(self) -> list[dict[str, Any]]:
        """What a bug report needs of them."""
        return [
            {"requests": item.total, "answered": item.given, "cancelled": item.is_cancelled}
            for item, _ in self._passes.values()
        ]

    def is_limited(self, bench: Bench) -> bool:
        """Say whether a benchmark's judges have come to a limit of what may be spent."""
        return self._limited.get(bench.key) is bench.hearing

    def start(self, title: str, works: list[Work], future: asyncio.Future[Pass] | None = None) -> None:
        """Begin a round; the future is given it at its end."""
        from benchlint.lsp.judge_pass import Pass

        progress = self._progress(title)

        def told() -> None:
            self._to_loop(self._heard, progress.token)

        def done(item: Pass) -> None:
            self._to_loop(self._done, progress.token, future)

        started = Pass(works, self._live.standing, ask=True, told=told, done=done)
        self._passes[progress.token] = started, progress
        self._report(started, progress)
        started.start()
        self._came()

    def _heard(self, token: str) -> None:
        """Take notice that a verdict has come, or that it is known how many will."""
        found = self._passes.get(token)
        if found is not None:
            self._report(*found)
        self._came()

    def _report(self, item: Pass, progress: Progress) -> None:
        whole = f"{item.given} of {item.total}" if item.total else "reading"
        percentage = 100 * item.given // item.total if item.total else None
        progress.report(f"{whole} · {spent(self._live.spent)} in this session", percentage)

    def _done(self, token: str, future: asyncio.Future[Pass] | None) -> None:
        item, progress = self._passes.pop(token)
        progress.end(self.summary(item)["message"])
        for work in item.works:
            if item.stopped is not None and "limit of" in item.stopped:
                self._limited[work.bench.key] = work.bench.hearing
            elif item.given and item.stopped is None:
                self._limited.pop(work.bench.key, None)
        if item.stopped is not None:
            self._warn(f"no more was asked: {item.stopped}")
        if item.failed is not None:
            self._warn(f"judging failed: {item.failed}")
        LOG.info("judged: %s", self.summary(item)["message"])
        self._came()
        if future is not None and not future.done():
            future.set_result(item)

    def summary(self, item: Pass) -> dict[str, Any]:
        """Return what came of a round, with a sentence for the user."""
        usage = self._live.spent
        said = verdicts(item.given - item.missing) + (f", {item.missing} missing" if item.missing else "")
        if item.is_cancelled:
            said = f"cancelled; {said}"
        elif not item.total:
            said = "all was known already"
        return {
            "verdicts": item.given - item.missing,
            "requests": item.total,
            "calls": item.calls,
            "cancelled": item.is_cancelled,
            "stopped": item.stopped or item.failed,
            "spent_usd": usage.usd,
            "message": f"{said}; {spent(usage)} in this session",
        }

    def cancel(self, token: Any) -> None:
        """End what a progress bar shows."""
        found = self._passes.get(str(token))
        if found is not None:
            found[0].cancel()

    def cancel_all(self) -> None:
        """End all that is on its way."""
        for item, _ in self._passes.values():
            item.cancel()

    def give_up_outdated(self, now: Mapping[str, Collection[TextKey]]) -> None:
        """End what is asked about texts that are there no more; `now` are those of each benchmark."""
        from benchlint.analysis.standing import text_key

        for item, _ in self._passes.values():
            keys = [(work.bench.benchmark.name, text_key(task)) for work in item.works for task in work.tasks]
            if keys and not any(key in now.get(name, ()) for name, key in keys):
                item.cancel()
