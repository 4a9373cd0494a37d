"""Tasks that a model drafts: asked for by a command, linted before anybody sees them, added where the author agrees."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchlint.lsp.background import in_background
from benchlint.lsp.drafting import wanted_item, writer_of
from benchlint.lsp.edits import EditWriter
from benchlint.lsp.judging import NOBODY
from benchlint.lsp.log import LOG
from benchlint.lsp.progress import Progress
from benchlint.lsp.spending import spent

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.analysis.bench import Bench
    from benchlint.analysis.run import Result
    from benchlint.catalogue.finding import Edit
    from benchlint.judges.drafts import TaskAnswer
    from benchlint.judges.protocol import NoVerdict, Verdict
    from benchlint.judges.session import Session as Judge
    from benchlint.lsp.drafting import Wanted
    from benchlint.lsp.linter import Linter
    from benchlint.lsp.progress import Ask, Send
    from benchlint.lsp.session import Session
    from benchlint.lsp.world import Json, World

UNTRUSTED: Final = "nothing is drafted: the workspace is not trusted"
BUSY: Final = "a task is being drafted; that can be cancelled where its progress is shown"
GONE: Final = "nothing is drafted: there is no such policy item, or no file to which a task can be added"
UNSHARED: Final = "nothing is drafted: [judge] share does not let a model see the policy and the records"
TEMPLATE: Final = "the action without a model adds a template"

_ROUNDS: Final = 2
"""So often a model is asked: once, and once more with the faults of its draft."""

_LONGEST: Final = 300
"""So many characters of what is wrong with a draft are shown at most."""

_TOLD: Final = 10
"""So many faults it is told at most."""

_APPLY: Final = "workspace/applyEdit"
_WARNING: Final = 2


class _Refused(Exception):  # noqa: N818
    """Why nothing is added, in a sentence."""


class _Cancelled(Exception):  # noqa: N818
    """The user does not want it any more."""


class _Written(NamedTuple):
    """A task that can be added: its id, the edit and the result that it is for, and what the author is asked."""

    task: str
    edit: Edit
    result: Result
    title: str


class TaskDrafts:
    """The drafts of one session, one at a time, on the event loop's thread."""

    def __init__(self, session: Session, send: Send, ask: Ask) -> None:
        self._session = session
        self._send = send
        self._ask = ask
        self._progress: Progress | None = None
        self._is_cancelled = False
        self._cancel: Callable[[], None] | None = None
        self._refused: dict[tuple[str, str], str] = {}
        """By policy and item: the drafts that were not used, with their faults. Whoever asks again wants another."""

    async def draft(self, path: str, item: str) -> dict[str, Any]:
        """Have a task drafted for an item of a policy; return what came of it, with a sentence for the user."""
        try:
            told = await self._draft(path, item)
        except _Cancelled:
            told = _nothing("cancelled; nothing was added")
        except _Refused as refusal:
            told = _nothing(str(refusal)) | {"stopped": str(refusal)}
            self._send("window/showMessage", {"type": _WARNING, "message": f"benchlint: {refusal}"})
        LOG.info("draft: %s", told["message"])
        return told

    def cancel(self, token: Any) -> None:
        """End what a progress bar shows."""
        if self._progress is not None and self._progress.token == str(token):
            self.stop()

    def stop(self) -> None:
        """End what is on its way."""
        self._is_cancelled = True
        if self._cancel is not None:
            self._cancel()

    async def _draft(self, path: str, item: str) -> Json:
        if self._progress is not None:
            raise _Refused(BUSY)
        shown = self._session.client.progress
        self._progress = progress = Progress("Drafting a task", self._send, self._ask, shown=shown)
        self._is_cancelled = False
        message = "nothing was added"
        try:
            await self._session.settled()
            judge = self._writer(*self._wanted(path, item))
            written = await self._written(path, item, judge)
            message = f'"{written.task}" was drafted by {judge.name}; {self._spent} in this session'
            return _nothing(message) | {"task": written.task, **self._handed_over(written)}
        finally:
            self._progress = self._cancel = None
            progress.end(message)
            self._session.judges.status.changed()

    def _handed_over(self, written: _Written) -> Json:
        """Ask the client to add a task; to one that shows rewrites itself, return what it should show."""
        writer = EditWriter(self._session.client, self._session.bridge)
        result, edits = written.result, [written.edit]
        if self._session.previews_rewrites:
            path = written.edit.anchor.path
            uri, version = self._session.bridge.uri_of(path), result.documents[path].version
            return {
                "preview": {
                    "uri": uri,
                    "version": version,
                    "edits": writer.plain(result, edits),
                    "title": written.title,
                }
            }
        edit = writer.edit(result, edits, label=written.title, safe=False)
        self._ask(_APPLY, {"label": written.title, "edit": edit or {"changes": {}}}, self._applied)
        return {}

    async def _written(self, path: str, item: str, judge: Judge) -> _Written:
        """Return a task without errors, for the text of now."""
        from benchlint.analysis.task_drafts import DraftError, with_faults

        earlier, faults = self._refused.pop((path, item), ""), [""]
        for _ in range(_ROUNDS):
            answer = await self._answer(*self._wanted(path, item), judge, earlier)
            await self._session.settled()
            wanted, _ = self._wanted(path, item)
            try:
                task, edit, faults = await self._checked(wanted, answer)
            except DraftError as error:
                faults = [str(error)]
            self._check_is_wanted()
            if not faults:
                return _Written(task, edit, wanted.result, f'Add the task "{task}", drafted by {judge.name}')
            earlier = "\n\n".join(filter(None, (earlier, with_faults(answer, faults[:_TOLD]))))
        self._refused[path, item] = earlier
        raise _Refused(f"the draft of {judge.name} is not used: {_on_one_line(faults[0])}; {TEMPLATE}")

    async def _answer(self, wanted: Wanted, bench: Bench, judge: Judge, earlier: str) -> TaskAnswer:
        """Ask the model, or take its answer from the cache."""
        from benchlint.analysis.task_drafts import question
        from benchlint.judges.protocol import Verdict
        from benchlint.judges.run import CANCELLED

        benchmark, prompts = wanted.benchmark, bench.hearing.prompts
        if self._progress is not None:
            what = "is told the faults of its draft" if earlier else "is asked"
            self._progress.report(f"{judge.name} {what} · {self._spent} in this session")

        def ask() -> Verdict | NoVerdict:
            # A large database takes half a second to look through.
            asked = question(benchmark, wanted.policy, wanted.item, prompts, earlier)
            judge.forget()
            run = judge.start([asked])
            self._cancel = run.cancel
            if self._is_cancelled:
                run.cancel()
            run.wait()
            return run.outcome.verdicts[0]

        verdict = await in_background("draft", ask)
        self._check_is_wanted()
        if not isinstance(verdict, Verdict) and verdict.reason == CANCELLED:
            raise _Refused("nothing was drafted: what is said of judges has changed meanwhile; ask again")
        if not isinstance(verdict, Verdict):
            raise _Refused(f"{judge.name} drafted nothing: {_on_one_line(verdict.reason)}; {TEMPLATE}")
        answer: TaskAnswer = verdict.answer
        return answer

    def _check_is_wanted(self) -> None:
        if self._is_cancelled:
            raise _Cancelled

    async def _checked(self, wanted: Wanted, answer: TaskAnswer) -> tuple[str, Edit, list[str]]:
        """Return the id of a task, the edit that adds it, and what is wrong with it. Raises DraftError."""
        from benchlint.analysis.new_tasks import form_of
        from benchlint.analysis.task_drafts import drafted, unknown_ids

        benchmark, world = wanted.benchmark, self._session.world
        task, edit = drafted(benchmark, wanted.policy, wanted.item, answer)
        unknown = await in_background("draft", lambda: unknown_ids(benchmark, answer))
        form = form_of(benchmark)
        name = form.id if form is not None else ""
        job = self._session.worker.call(lambda linter: _errors(linter, world, wanted.result, edit, task, name))
        return task, edit, [*unknown, *await asyncio.wrap_future(job)]

    def _wanted(self, path: str, name: str) -> tuple[Wanted, Bench]:
        """Return what a draft is about, in the texts of the last lint, and who judges there."""
        session = self._session
        if not session.world.trusted:
            raise _Refused(UNTRUSTED)
        wanted = wanted_item(session, path, name)
        if wanted is None:
            raise _Refused(GONE)
        bench = session.judges.live.benches.get(wanted.benchmark.name)
        if bench is None:
            raise _Refused(f"nothing is drafted: {next(iter(session.judges.live.problems), NOBODY)}")
        return wanted, bench

    def _writer(self, wanted: Wanted, bench: Bench) -> Judge:
        """Return the model that writes."""
        from benchlint.analysis.task_drafts import can_ask

        judge = writer_of(bench)
        if judge is None:
            raise _Refused(f"nothing is drafted: {NOBODY}")
        if not can_ask(wanted.benchmark, bench.hearing.prompts):
            raise _Refused(UNSHARED)
        return judge

    def _applied(self, answer: Any) -> None:
        """Say why the client has not made the edit, where it says so."""
        reason = getattr(answer, "failure_reason", None)
        if reason:
            self._send("window/showMessage", {"type": _WARNING, "message": f"benchlint: nothing was added: {reason}"})

    @property
    def _spent(self) -> str:
        return spent(self._session.judges.live.spent)


def _nothing(message: str) -> Json:
    return {"task": None, "stopped": None, "message": message}


def _on_one_line(text: str) -> str:
    """Write a sentence that may hold a model's words: one line of what can be seen, of a length that can be read."""
    from benchlint.analysis.spoken import clipped

    return clipped("".join(sign if sign.isprintable() else " " for sign in text), _LONGEST)


def _errors(linter: Linter, world: World, result: Result, edit: Edit, task: str, form: str) -> list[str]:
    """Return the messages of the errors that a task has once it is added; not those that its form has, too."""
    from benchlint.analysis.fixing import splice
    from benchlint.analysis.run import run
    from benchlint.catalogue.finding import Severity
    from benchlint.text.document import Document

    piece = splice(edit, result)
    data = result.documents[piece.path].data
    changed = Document(piece.path, data[: piece.start] + piece.data + data[piece.end :])
    snapshot, config = linter.snapshot(world)
    found = run([piece.path], snapshot.with_documents([changed]), config, world.options)
    if not any(item.id == task for benchmark in found.benchmarks for item in benchmark.tasks):
        return ["its file would not hold it"]
    errors = [item for item in found.findings if item.severity >= Severity.ERROR]
    inherited = {item.message for item in errors if item.task == form}
    own = dict.fromkeys(item.message for item in errors if item.task == task)
    return [message for message in own if message not in inherited]
