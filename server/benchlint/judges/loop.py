"""An event loop on a thread of its own, so that no other loop waits for a judge."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

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

    def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Cancel what runs, run a last coroutine, and end the loop and its thread."""
        self.submit(_after_others(last)).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._helper.shutdown(wait=False, cancel_futures=True)
        self._loop.close()


async def _after_others(last: Coroutine[Any, Any, None]) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last
