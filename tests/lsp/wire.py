"""A bare client: a server process, and the messages to and from it in their order."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

SECONDS = 60
"""How long a test waits for what must come, before it fails."""

PULL = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "diagnostics": {"refreshSupport": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create"],
            "changeAnnotationSupport": {"groupsOnLabel": True},
        },
    },
    "textDocument": {
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown"]},
    },
}
PUSH: dict[str, Any] = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}


class Client:
    """A client of a server over its standard streams."""

    def __init__(self, *arguments: str, command: list[str] | None = None, cwd: Path | None = None) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(
            command or [str(Path(sys.executable).parent / "benchlint"), "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=cwd,
        )
        self.settings: Any = {}
        self.notifications: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._incoming: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._next = 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def initialize(self, *folders: Path, capabilities: Any = None, options: Any = None) -> dict[str, Any]:
        """Introduce the client, with the folders of its workspace."""
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folders[0].as_uri() if folders else None,
                "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name} for folder in folders] or None,
                "capabilities": PULL if capabilities is None else capabilities,
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})
        return result["capabilities"]

    def open(self, path: Path | str, text: str, version: int = 1) -> str:
        uri = path.as_uri() if isinstance(path, Path) else path
        self.write(opening(uri, text, version))
        return uri

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)},
        )

    def pull(self, uri: str, previous: str | None = None) -> dict[str, Any]:
        params = {"textDocument": {"uri": uri}}
        return self.request(
            "textDocument/diagnostic", params if previous is None else {**params, "previousResultId": previous}
        )

    def published(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """Return the diagnostics that are pushed for a version."""

        def fits(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            return (
                message["method"] == "textDocument/publishDiagnostics"
                and params["uri"] == uri
                and (version is None or params.get("version") == version)
            )

        return self.wait(fits)["params"]["diagnostics"]

    def wait(self, fits: Any) -> dict[str, Any]:
        """Return the first notification that fits, and leave out those before it the next time."""
        at = 0
        while True:
            while at < len(self.notifications):
                if fits(self.notifications[at]):
                    return self.notifications.pop(at)
                at += 1
            self._take()

    def wait_asked(self, method: str) -> dict[str, Any]:
        """Return a request of the server's, once it has come."""
        while True:
            for index, message in enumerate(self.asked):
                if message["method"] == method:
                    return self.asked.pop(index)
            self._take()

    def request(self, method: str, params: Any) -> Any:
        answer = self.answer(self.send(method, params))
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def send(self, method: str, params: Any) -> int:
        self._next += 1
        self._write({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        return self._next

    def answer(self, number: int) -> dict[str, Any]:
        while number not in self._answers:
            self._take()
        return self._answers.pop(number)

    def notify(self, method: str, params: Any) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def stop(self) -> int:
        """Shut down and return the exit code; what the server wrote to stderr must be nothing."""
        if self.process.poll() is None:
            try:
                self.request("shutdown", None)
                self.notify("exit", None)
                self.process.wait(SECONDS)
            finally:
                self.process.kill()
        self.process.wait(SECONDS)
        assert self.process.stderr is not None
        if self.process.stderr.closed:
            return self.process.returncode
        errors = self.process.stderr.read()
        assert errors == b"", errors.decode()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return self.process.returncode

    def _take(self) -> None:
        message = self._incoming.get(timeout=SECONDS)
        assert message is not None, "the server is gone"
        if "method" not in message:
            self._answers[message["id"]] = message
        elif "id" in message:
            self.asked.append(message)
            known = {"workspace/configuration": [self.settings], "workspace/applyEdit": {"applied": True}}
            result = known.get(message["method"])
            self._write({"jsonrpc": "2.0", "id": message["id"], "result": result})
        else:
            self.notifications.append(message)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif not line.strip():
                self._incoming.put(json.loads(stream.read(length)))
        self._incoming.put(None)

    def _write(self, message: dict[str, Any]) -> None:
        self.write(encoded(message))

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()


def encoded(message: dict[str, Any]) -> bytes:
    """Return a message as it is sent."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def opening(uri: str, text: str, version: int = 1) -> bytes:
    """Return the message that opens a text."""
    document = {"uri": uri, "languageId": "json", "version": version, "text": text}
    return encoded({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}})
