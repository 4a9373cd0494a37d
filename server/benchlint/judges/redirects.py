"""Redirects of a model's endpoint are refused.

What follows one sends policy and records to an address that nobody has
agreed to. litellm reaches its many providers through httpx clients of its
own making, so the refusal stands where all of them send; it holds only for
calls made under `refused`.
"""

from __future__ import annotations

import functools
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

_seen: ContextVar[list[str] | None] = ContextVar("_seen", default=None)


@contextmanager
def refused() -> Iterator[list[str]]:
    """Follow no redirect meanwhile. Yields a list, to which is added where each would have led."""
    seen: list[str] = []
    token = _seen.set(seen)
    try:
        yield seen
    finally:
        _seen.reset(token)


@cache
def install() -> None:
    """Make httpx clients heed `refused`; imports httpx."""
    import httpx as library

    send, asend = library.Client.send, library.AsyncClient.send

    @functools.wraps(send)
    def checked(self: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        seen = _seen.get()
        if seen is None:
            return send(self, request, **options)
        return _noted(send(self, request, **{**options, "follow_redirects": False}), seen)

    @functools.wraps(asend)
    async def achecked(self: httpx.AsyncClient, request: httpx.Request, **options: Any) -> httpx.Response:
        seen = _seen.get()
        if seen is None:
            return await asend(self, request, **options)
        return _noted(await asend(self, request, **{**options, "follow_redirects": False}), seen)

    library.Client.send = checked  # type: ignore[method-assign]
    library.AsyncClient.send = achecked  # type: ignore[method-assign]


def _noted(response: httpx.Response, seen: list[str]) -> httpx.Response:
    if response.has_redirect_location:
        seen.append(f"{_address(response.headers['location'])} (HTTP {response.status_code})")
        response.next_request = None
    return response


def _address(location: str) -> str:
    """Return where a redirect leads, without user, password, query and fragment."""
    try:
        parts = urlsplit(location)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, host, parts.path, "", ""))
    except ValueError:
        return "an address that cannot be read"
