"""The server: pygls with one module a request."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer

from benchlint import __version__
from benchlint.lsp.log import LOG
from benchlint.lsp.protocol import Protocol
from benchlint.lsp.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from pygls.exceptions import JsonRpcException, PyglsError

    from benchlint.lsp.capabilities import Client
    from benchlint.lsp.world import Json

REQUESTS: Final = (
    "initialize",
    "initialized",
    "shutdown",
    "did_open",
    "did_change",
    "did_save",
    "did_close",
    "did_change_watched_files",
    "did_change_configuration",
    "did_change_workspace_folders",
    "trust",
    "work_done_progress_cancel",
    "code_lens",
    "code_action",
    "code_action_resolve",
    "completion",
    "hover",
    "document_symbol",
)
PULL_REQUESTS: Final = ("diagnostic", "workspace_diagnostic")
COMMANDS: Final = (
    "judge_task",
    "judge_file",
    "judge_benchmark",
    "draft_task",
    "replay",
    "clear_cache",
    "show_report",
    "debug_dump",
)

_CHUNK: Final = 1 << 20
_ALIVE_SECONDS: Final = 2.0


class Server(LanguageServer):
    """The language server of one client."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            "benchlint",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self._session: Session | None = None
        self._client_process: int | None = None
        for name in REQUESTS:
            self._register(name)
        for name in COMMANDS:
            self._register_command(name)

    @property
    def session(self) -> Session:
        """The client's session, once it is initialized."""
        assert self._session is not None
        return self._session

    def begin(self, client: Client) -> Session:
        """Make the session of a client; offer to be pulled where that is what it gets."""
        if self.process_id is not None and sys.platform != "win32" and _is_alive(self.process_id):
            self._client_process = self.process_id
        if client.pull:
            for name in PULL_REQUESTS:
                self._register(name)
        self._session = Session(client, self._publish, self._refresh, self._tell, self.protocol.send, self.ask)
        return self._session

    def ask(self, method: str, params: Any, then: Callable[[Any], None] = lambda _: None) -> None:
        """Ask the client something; an error is no answer."""

        def done(future: Any) -> None:
            if not future.cancelled() and future.exception() is None:
                then(future.result())

        self.protocol.send_request(method, params).add_done_callback(done)

    def serve(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        """Speak the protocol on two streams until the client goes away."""
        self.protocol.set_writer(StdoutWriter(stdout))
        asyncio.run(self._serve(stdin))

    async def _serve(self, stdin: BinaryIO) -> None:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()

        def read() -> None:
            while True:
                try:
                    data = os.read(stdin.fileno(), _CHUNK)
                except OSError:
                    data = b""
                loop.call_soon_threadsafe(reader.feed_data if data else lambda _: reader.feed_eof(), data)
                if not data:
                    return

        threading.Thread(target=read, name="stdin", daemon=True).start()
        watch = loop.create_task(self._watch_parent())
        await run_async(threading.Event(), reader, self.protocol, LOG, self.report_server_error)
        watch.cancel()
        LOG.info("the client is gone")

    async def _watch_parent(self) -> None:
        """End the process where the client's is gone, whoever holds its end of the pipe.

        One that cannot be seen from here, in another container, is not watched.
        """
        while sys.platform != "win32":
            await asyncio.sleep(_ALIVE_SECONDS)
            if self._client_process is not None and not _is_alive(self._client_process):
                LOG.info("the client's process is gone")
                os._exit(1)

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Write an error of a handler to the log, and tell the user that there was one.

        A request that asks for what there is not is the client's error: it is answered with one.
        """
        if isinstance(error, JsonRpcInvalidParams | JsonRpcMethodNotFound):
            LOG.info("a request cannot be answered: %s", error)
            return
        LOG.error("%s: %s: %s", source.__name__, type(error).__name__, error)
        self._tell(f"an internal error: {type(error).__name__}: {error}")

    def _register(self, name: str) -> None:
        module = import_module(f"benchlint.lsp.requests.{name}")
        self.feature(module.METHOD, getattr(module, "OPTIONS", None))(module.handle)

    def _register_command(self, name: str) -> None:
        module = import_module(f"benchlint.lsp.requests.commands.{name}")

        async def run(*arguments: Any) -> Any:
            return await module.handle(self, *arguments)

        self.command(module.COMMAND)(run)

    def _publish(self, uri: str, diagnostics: list[Json], version: int | None) -> None:
        params: Json = {"uri": uri, "diagnostics": diagnostics}
        if version is not None:
            params["version"] = version
        self.protocol.send(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _refresh(self) -> None:
        self.ask(types.WORKSPACE_DIAGNOSTIC_REFRESH, None)

    def _tell(self, message: str) -> None:
        self.protocol.send(types.WINDOW_LOG_MESSAGE, {"type": types.MessageType.Info.value, "message": message})


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def start(log_file: str | None) -> None:
    """Serve on the standard streams. Whatever else would write there is silenced."""
    import gc

    from benchlint.lsp.log import start_log

    start_log(log_file)
    stdout = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    gc.disable()
    sys.setswitchinterval(0.001)
    LOG.info("benchlint %s serves", __version__)
    Server().serve(sys.stdin.buffer, stdout)
    # Not by the end of the interpreter: that would wait for whatever a judge waits for.
    logging.shutdown()
    os._exit(0)
