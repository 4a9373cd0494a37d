"""The protocol layer of pygls, with its text synchronisation and its serialisation taken out.

pygls keeps texts as strings and applies a change to 14 MB in 80 ms, and it
unstructures every answer attribute by attribute. Here texts are the
session's, and an answer that is plain JSON goes out as it is.
"""

from __future__ import annotations

import json
import os
import uuid
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

if TYPE_CHECKING:
    from collections.abc import Generator


class Protocol(LanguageServerProtocol):
    """The protocol of a server that keeps its texts itself."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: Any) -> Generator[Any, Any, None]:
        """Hand the notification on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: Any) -> Generator[Any, Any, None]:
        """Hand the notification on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: Any) -> Generator[Any, Any, None]:
        """Hand the notification on."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> Generator[Any, Any, None]:
        """End the process: well where the client asked to shut down first."""
        yield from ()
        os._exit(0 if self._shutdown else 1)

    def _send_response(self, msg_id: Any, result: Any = None, error: Any = None) -> None:
        """Send an answer; plain JSON as it is."""
        if error is None and isinstance(result, (dict, list, str, type(None))):
            self._result_types.pop(msg_id, None)
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result})
        else:
            super()._send_response(msg_id, result, error)

    def _send_data(self, data: Any) -> None:
        """Write a message. Half a character, at which some clients drop all of it, becomes a question mark."""
        if not data or self.writer is None:
            return
        try:
            body = json.dumps(data, default=self._serialize_message, ensure_ascii=False).encode("utf-8", "replace")
            self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        except BrokenPipeError:
            raise
        except Exception as error:
            self._server._report_server_error(error, JsonRpcInternalError)

    def send(self, method: str, params: Any) -> None:
        """Send a notification whose parameters are plain JSON."""
        self._send_data({"jsonrpc": self.VERSION, "method": method, "params": params})

    def send_request(self, method: str, params: Any = None, *rest: Any, **named: Any) -> Future[Any]:
        """Send a request; plain JSON as it is."""
        if not isinstance(params, dict):
            return super().send_request(method, params, *rest, **named)
        number, future = str(uuid.uuid4()), Future[Any]()
        self._request_futures[number] = future
        self._result_types[number] = self.get_result_type(method)
        self._send_data({"jsonrpc": self.VERSION, "id": number, "method": method, "params": params})
        return future

    def plain(self, item: Any) -> dict[str, Any]:
        """Return what came from the client as plain JSON."""
        plain: dict[str, Any] = self._converter.unstructure(item)
        return plain
