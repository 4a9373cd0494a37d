"""Work on a thread of its own, which never keeps the process alive."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


async def in_background(name: str, work: Callable[[], _T]) -> _T:
    """Do some work on a thread with a name; return what it returns, raise what it raises.

    The executors of asyncio will not do: a loop waits for them at its end,
    and a model may take minutes.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(done: Callable[[], None]) -> None:
        def once() -> None:
            if not future.done():
                done()

        if not loop.is_closed():
            loop.call_soon_threadsafe(once)

    def run() -> None:
        try:
            result = work()
        except Exception as error:  # whoever waits is told
            failure = error
            settle(lambda: future.set_exception(failure))
        else:
            settle(lambda: future.set_result(result))

    threading.Thread(target=run, name=name, daemon=True).start()
    return await future
