"""What a server knows of its client: open texts, folders, settings, and what was found last."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from benchlint.analysis.live_replay import LiveReplay
from benchlint.lsp.channel import Channel
from benchlint.lsp.diagnostics import Bridge
from benchlint.lsp.judging import Judges
from benchlint.lsp.linter import Linter
from benchlint.lsp.log import LOG
from benchlint.lsp.polling import Poller
from benchlint.lsp.replaying import Replays
from benchlint.lsp.settings import is_set, is_trusted, parse_settings
from benchlint.lsp.task_drafts import TaskDrafts
from benchlint.lsp.texts import Texts
from benchlint.lsp.uris import path_of
from benchlint.lsp.worker import Worker
from benchlint.lsp.world import Linted, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lsprotocol.types import TextDocumentContentChangeEvent

    from benchlint.analysis.run import Result
    from benchlint.benchmark.model import Benchmark
    from benchlint.catalogue.finding import Finding
    from benchlint.lsp.capabilities import Client
    from benchlint.lsp.coverage import Counts
    from benchlint.lsp.progress import Ask, Send
    from benchlint.lsp.world import Json
    from benchlint.text.document import Document

_MESSAGES: Final = 5
"""How many sentences of one lint are shown at once; the log has all."""

RESTRICTED: Final = (
    "the workspace is not trusted: its guards, its judges, its rule pages and replay are off, and so are the Python, "
    "the endpoints and the commands that its configuration names"
)
UNRESTRICTED: Final = "the workspace is trusted: what its configuration names is used"


class Session:
    """One client's session, on the event loop's thread.

    Every change makes another world and hands it to the worker. Requests
    read `linted`, which never changes; `settled` waits for that of now.
    """

    def __init__(
        self,
        client: Client,
        publish: Callable[[str, list[Json], int | None], None],
        refresh: Callable[[], None],
        tell: Callable[[str], None],
        send: Send,
        ask: Ask,
    ) -> None:
        self.client = client
        self.texts = Texts()
        self.world = World()
        self.linted = Linted(world=World(revision=-1))
        self.bridge = Bridge(client.encoding, related=client.related)
        self.bridge.uri = self.texts.uri
        self._loop = asyncio.get_running_loop()
        self.channel = Channel(self._publisher(publish), refresh, self._loop.call_later, pull=client.pull)
        self.judges = Judges(self, send, ask)
        self.replays = Replays(self, LiveReplay(), send, ask)
        self.task_drafts = TaskDrafts(self, send, ask)
        self.worker = Worker(
            Linter(self.bridge, self.judges.live, self.replays.live),
            self._from_worker(self._take),
            self._from_worker(self._failed),
        )
        self.poller = None if client.watches_files else Poller(self._from_worker(lambda _: self.files_changed()))
        self._tell = tell
        self.changed_at = 0.0
        self.previews_rewrites = False
        self._initial: Any = None
        self._said: set[str] = set()
        self._waiting: list[tuple[int, str | None, asyncio.Future[None]]] = []

    def start(self, roots: Iterable[str], settings: Any) -> None:
        """Begin to lint some folders."""
        self.world = replace(self.world, roots=tuple(roots), trusted=is_trusted(settings))
        self._initial = settings
        self.judges.status.is_wanted = is_set(settings, "status")
        self.previews_rewrites = is_set(settings, "previewRewrites")
        if not self.world.trusted:
            self.say(RESTRICTED)
        self.configure({})
        self.worker.start()
        if self.poller is not None:
            self.poller.watch({}, self.world.roots)
            self.poller.start()

    def configure(self, value: Any) -> None:
        """Take up settings; those that are not set are as they were at the start."""
        settings, problems = parse_settings(self._initial, value)
        for problem in problems:
            self.say(problem)
        if settings != self.world.settings or self.world.revision == 0:
            self._change(settings=settings)

    def trust(self, *, trusted: bool) -> None:
        """Use what the folders bring along, or no longer."""
        if trusted != self.world.trusted:
            self._change(trusted=trusted)
            self._said -= {RESTRICTED, UNRESTRICTED}
            if not trusted:
                self.replays.stop()
                self.task_drafts.stop()
            self.say(UNRESTRICTED if trusted else RESTRICTED)

    def open(self, uri: str, version: int, text: str) -> None:
        """Take up a text that was opened; from now on it counts in place of the file."""
        if self.texts.open(uri, version, text) is not None:
            self._change(files=self.world.files + 1)

    def edit(self, uri: str, version: int, changes: Sequence[TextDocumentContentChangeEvent]) -> None:
        """Apply the changes of an open text."""
        if self.texts.change(uri, version, changes, self.client.encoding):
            self._change()
            path = path_of(uri)
            if path is not None:
                self.judges.edited(path)

    def saved(self, uri: str) -> None:
        """Take up that a file was written: look at the disk where nobody else tells of it, judge what was changed."""
        if not self.client.watches_files:
            self.files_changed()
        path = path_of(uri)
        if path is not None:
            self.judges.saved(path)

    def judged(self) -> None:
        """Lint the same texts anew, with the verdicts that have come."""
        changed_at = self.changed_at
        self._change(judged=self.world.judged + 1)
        self.changed_at = changed_at

    def replayed(self, revision: int) -> None:
        """Lint anew with what replay has found."""
        self._change(replayed=revision)

    def close(self, uri: str) -> None:
        """Let a text go; from now on the file counts."""
        path = self.texts.close(uri)
        if path is not None:
            self.channel.closed(path)
            self._change(files=self.world.files + 1)

    def files_changed(self) -> None:
        """Look at the disk anew."""
        self._change(files=self.world.files + 1)

    def folders_changed(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Take up folders and let others go."""
        gone = set(removed)
        roots = dict.fromkeys([root for root in self.world.roots if root not in gone])
        roots.update(dict.fromkeys(added))
        self._change(roots=tuple(roots), files=self.world.files + 1)

    async def settled(self, path: str | None = None) -> Linted:
        """Return what was found in the texts of now, or of later ones.

        With a path, what was found early will do where it has that file.
        """
        revision = self.world.revision
        if not self._is_ready(revision, path):
            future: asyncio.Future[None] = self._loop.create_future()
            self._waiting.append((revision, path, future))
            self.worker.hurry()
            await future
        return self.linted

    def findings(self, path: str) -> tuple[Result, Sequence[Finding]] | None:
        """Return the findings of a file with the result they are from, as far as the file is known."""
        return self.linted.found.get(path)

    def covered(self, benchmark: Benchmark) -> Counts | None:
        """Return how many tasks challenge each item of a benchmark's policy, as far as that was counted."""
        return self.judges.coverage.of(benchmark, trusted=self.world.trusted)

    def document(self, uri: str) -> tuple[str, Document] | None:
        """Return the path and text of an open file."""
        path = path_of(uri)
        document = self.texts.documents.get(path) if path is not None else None
        return (path, document) if path is not None and document is not None else None

    def say(self, message: str) -> None:
        """Tell the user something, once."""
        LOG.info("%s", message)
        if message not in self._said:
            self._said.add(message)
            self._tell(message)

    def stop(self) -> None:
        """End the threads."""
        self.judges.stop()
        self.replays.stop()
        self.task_drafts.stop()
        self.worker.stop()
        if self.poller is not None:
            self.poller.stop()

    def _change(self, **changes: Any) -> None:
        self.changed_at = time.monotonic()
        revision = self.world.revision + 1
        self.world = replace(self.world, revision=revision, documents=self.texts.documents, **changes)
        self.worker.submit(self.world)

    def _take(self, linted: Linted) -> None:
        """Take what the worker found."""
        if linted.world.revision < self.linted.world.revision:
            return
        self.linted = linted
        settled = linted.world.revision == self.world.revision
        versions = {path: document.version for path, document in self.world.documents.items()}
        self.channel.take(linted, versions, settled=settled)
        self._wake()
        if self.poller is not None:
            self.poller.watch(linted.stamps, linted.world.roots)
        self.judges.linted(linted)
        if not linted.early:
            self._said.intersection_update(linted.messages)
            for message in linted.messages[:_MESSAGES]:
                self.say(message)

    def _failed(self, failure: tuple[World, str]) -> None:
        """Say that a lint failed; what was found before stays."""
        world, message = failure
        self.linted = replace(self.linted, world=world, early=False)
        self._wake()
        self.say(message)

    def _is_ready(self, revision: int, path: str | None) -> bool:
        linted = self.linted
        return linted.world.revision >= revision and (not linted.early or (path is not None and path in linted.found))

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for item in waiting:
            revision, path, future = item
            if future.done():
                continue
            if self._is_ready(revision, path):
                future.set_result(None)
            else:
                self._waiting.append(item)

    def _from_worker(self, take: Callable[..., None]) -> Callable[..., None]:
        """Return a function that hands what the worker has to the event loop."""

        def hand_over(*items: Any) -> None:
            item = items[0] if len(items) == 1 else items
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(take, item)

        return hand_over

    def _publisher(self, publish: Callable[[str, list[Json], int | None], None]) -> Callable[..., None]:
        def send(path: str, diagnostics: list[Json], version: int | None) -> None:
            publish(self.bridge.uri_of(path), diagnostics, version)

        return send
