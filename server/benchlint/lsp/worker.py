"""The thread that lints: always the newest world, one at a time."""

from __future__ import annotations

import gc
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from benchlint.lsp.log import LOG

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.lsp.linter import Linter
    from benchlint.lsp.world import Linted, World

_QUIET: Final = 0.002
"""Seconds without a change after which a lint starts: one burst of changes is one lint."""

_LULL: Final = 0.3
"""Seconds without a change after which the files are linted that are not open."""

_IDLE: Final = 2.0
"""Seconds without work after which memory is searched for garbage."""

_PATIENCE: Final = 3
"""How many lints of the open files may be given up in a row for a newer world; the rest can always wait."""


class Superseded(Exception):  # noqa: N818
    """A newer world has come."""


class Worker:
    """Lints on a thread of its own.

    `deliver` is called there with what was found. Garbage is searched for
    only while there is nothing to do: it would stop everything for a tenth
    of a second at 14 MB.
    """

    def __init__(self, linter: Linter, deliver: Callable[[Linted], None], failed: Callable[[World, str], None]) -> None:
        self._linter = linter
        self._deliver = deliver
        self._failed = failed
        self._changed = threading.Condition()
        self._world: World | None = None
        self._done = -1
        self._jobs: list[tuple[Callable[[Linter], Any], Future[Any]]] = []
        self._stopped = False
        self._is_urgent = False
        self._given_up = 0
        self._thread = threading.Thread(target=self._loop, name="lint", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread after what it is doing."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def submit(self, world: World) -> None:
        """Lint a world, in place of all that came before it."""
        with self._changed:
            self._world = world
            self._changed.notify()

    def hurry(self) -> None:
        """Start at once: somebody waits for the newest world."""
        with self._changed:
            self._is_urgent = True
            self._changed.notify()

    def call(self, job: Callable[[Linter], Any]) -> Future[Any]:
        """Do something else on the thread, before the next lint."""
        future: Future[Any] = Future()
        with self._changed:
            self._jobs.append((job, future))
            self._changed.notify()
        return future

    @property
    def is_busy(self) -> bool:
        """Whether something is linted, or waits for it."""
        return self._has_work()

    def _loop(self) -> None:
        while True:
            with self._changed:
                idle = not self._changed.wait_for(self._has_work, _IDLE)
                if idle:
                    self._changed.release()
                    try:
                        gc.collect()
                    finally:
                        self._changed.acquire()
                    self._changed.wait_for(self._has_work)
                if self._stopped:
                    return
                jobs, self._jobs = self._jobs, []
                if not jobs:
                    self._wait_for_quiet()
                    world, self._is_urgent = self._world, False
            if jobs:
                for job, future in jobs:
                    self._do(job, future)
            elif world is not None:
                self._lint(world)

    def _wait_for_quiet(self) -> None:
        """Let a burst of changes come to its end, unless somebody waits.

        While nothing is open the first text to be opened is waited for a little.
        """
        while not self._is_urgent:
            world = self._world
            seconds = _QUIET if world is not None and world.documents else _LULL
            if not self._changed.wait_for(lambda seen=world: self._is_urgent or self._world is not seen, seconds):  # type: ignore[misc]
                return

    def _has_work(self) -> bool:
        return self._stopped or bool(self._jobs) or (self._world is not None and self._world.revision > self._done)

    def _do(self, job: Callable[[Linter], Any], future: Future[Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(job(self._linter))
        except Exception as error:  # the caller's to tell
            future.set_exception(error)

    def _lint(self, world: World) -> None:
        is_rest = False

        def check() -> None:
            if (self._world is not world and (is_rest or self._given_up < _PATIENCE)) or self._stopped:
                raise Superseded

        def early(linted: Linted) -> None:
            nonlocal is_rest
            is_rest = True
            self._deliver(linted)
            with self._changed:
                self._changed.wait_for(lambda: self._is_urgent or self._world is not world or self._stopped, _LULL)

        try:
            linted = self._linter.lint(world, check, early)
            while self._linter.judging.is_behind:
                is_rest = True
                self._deliver(linted)
                linted = self._linter.lint(world, check, lambda _: None)
        except Superseded:
            self._given_up = 0 if is_rest else self._given_up + 1
            return
        except Exception as error:
            LOG.exception("linting failed")
            self._failed(world, f"linting failed: {type(error).__name__}: {error}")
        else:
            self._deliver(linted)
        self._given_up = 0
        self._done = world.revision
