"""What a command is about, as a client says it: `{"uri": ..., "task": ...}`, or one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pygls.exceptions import JsonRpcInvalidParams

from benchlint.lsp.uris import path_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class Place(NamedTuple):
    """A file, perhaps a task or a policy item in it, and whether only what is stale is meant."""

    path: str
    task: str | None = None
    stale: bool = False
    item: str | None = None

    @property
    def needed_task(self) -> str:
        """The task; raises JsonRpcInvalidParams where there is none."""
        if self.task is None:
            raise JsonRpcInvalidParams(message='the command needs a task: {"uri": ..., "task": ...}')
        return self.task

    @property
    def needed_item(self) -> str:
        """The policy item's id; raises JsonRpcInvalidParams where there is none."""
        if self.item is None:
            raise JsonRpcInvalidParams(message='the command needs a policy item: {"uri": ..., "item": ...}')
        return self.item


def place_of(arguments: Sequence[Any]) -> Place:
    """Read arguments; raises JsonRpcInvalidParams where they name no file."""
    first = arguments[0] if arguments else None
    given = first if isinstance(first, dict) else dict(zip(("uri", "task"), arguments, strict=False))
    uri, task, item = given.get("uri"), given.get("task"), given.get("item")
    path = path_of(uri) if isinstance(uri, str) else None
    if path is None:
        raise JsonRpcInvalidParams(message='the command needs a file: {"uri": ...}')
    return Place(
        path,
        str(task) if task is not None else None,
        given.get("stale") is True,
        str(item) if item is not None else None,
    )
