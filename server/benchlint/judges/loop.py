"""The event loop on which models are asked: on a thread of its own, so that no other loop waits for a judge."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from concurrent.futures import Future

T = TypeVar("T")


class LoopThread:
    """A running event loop. The thread does not keep the process alive."""

    def __init__(self, name: str = "benchlint-judge") -> None:
        self._loop = asyncio.new_event_loop()
        # more threads would only wait for each other, and the loop for all of them
        self._helper = ThreadPoolExecutor(1, name)
        self._loop.set_default_executor(self._helper)
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine on the loop, from any thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def close(self) -> None:
        """Cancel what runs, and end the loop and its thread."""
        self.submit(_end_others()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._helper.shutdown(wait=False, cancel_futures=True)
        self._loop.close()


class SharedLoop:
    """A share in the one loop of the process. litellm's own state belongs to a loop, and it fails on two at once.

    The loop starts with the first share and ends with the last.
    """

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _thread: ClassVar[LoopThread | None] = None
    _shares: ClassVar[int] = 0

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        with SharedLoop._lock:
            SharedLoop._shares += 1
            if SharedLoop._thread is None:
                SharedLoop._thread = LoopThread()
            self._loop = SharedLoop._thread

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine on the loop, from any thread."""
        return self._loop.submit(self._noted(coroutine))

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel what this share has started, run a last coroutine, and give the share back."""
        self._loop.submit(self._ended(last)).result()
        with SharedLoop._lock:
            SharedLoop._shares -= 1
            if not SharedLoop._shares:
                SharedLoop._thread = None
                self._loop.close()

    async def _noted(self, coroutine: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            return await coroutine
        finally:
            self._tasks.discard(task)

    async def _ended(self, last: Coroutine[Any, Any, None]) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await last


async def _end_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
