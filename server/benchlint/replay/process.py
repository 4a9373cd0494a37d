"""A child process that speaks JSON lines, has no secrets and is ended with all that it started."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ALLOWED: Final = frozenset(
    {
        "COMSPEC",
        "DYLD_LIBRARY_PATH",
        "LANG",
        "LANGUAGE",
        "LD_LIBRARY_PATH",
        "PATH",
        "PATHEXT",
        "PYENV_ROOT",
        "PYENV_VERSION",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONHOME",
        "PYTHONPATH",
        "PYTHONUTF8",
        "SYSTEMROOT",
        "TAU2_DATA_DIR",
        "TZ",
        "VIRTUAL_ENV",
        "WINDIR",
    }
)
"""The variables that a child process inherits, besides `LC_*`."""

_MARK: Final = "BENCHLINT_REPLAY"
_LONGEST: Final = 16 << 20
_LINES: Final = 1000
_SAID: Final = 4096


class ChildError(Exception):
    """A child process that does not answer. `kind` is timeout or died."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Child:
    """A running child. Raises `ChildError` where it cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        self._mark = secrets.token_hex(16)
        self._folder = tempfile.mkdtemp(prefix="benchlint-")
        try:
            self._process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env=environment(os.environ, self._folder, self._mark),
                start_new_session=True,
            )
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise ChildError("died", f"{command[0]} cannot be started: {(error.strerror or '').lower()}") from None
        self._lines: queue.Queue[bytes | None] = queue.Queue(_LINES)
        self._said = b""
        self._closed = False
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise ChildError("died", self._how()) from None

    def receive(self, timeout: float) -> dict[str, Any]:
        """Return the next message; ChildError where there is none within some seconds."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise ChildError("timeout", f"there was no answer within {timeout:g} s") from None
        if line is None:
            raise ChildError("died", self._how())
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise ChildError("died", f"it answered with what is no message: {line[:80].decode('utf-8', 'replace')}")
        return message

    def close(self) -> None:
        """End the process and all that it started, and remove its folder."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for _ in range(_LINES):
            left = _marked(self._mark)
            if not left:
                break
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        for _ in range(_LINES):
            with contextlib.suppress(queue.Empty):
                while True:
                    self._lines.get_nowait()
            if not any(thread.is_alive() for thread in self._threads):
                break
            self._threads[0].join(0.01)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        """Take lines from the process until it ends, or writes one that is too long."""
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while (line := self._process.stdout.readline(_LONGEST)).endswith(b"\n"):
                self._lines.put(line)
        self._lines.put(None)

    def _listen(self) -> None:
        """Keep the last of what the process says beside the protocol."""
        assert self._process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while some := os.read(self._process.stderr.fileno(), _SAID):
                self._said = (self._said + some)[-_SAID:]

    def _how(self) -> str:
        """Say how the process ended, and its last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._threads[1].join(1)
        code = self._process.poll()
        how = "it stopped to answer" if code is None else f"it ended by signal {-code}" if code < 0 else ""
        how = how or f"it ended with exit code {code}"
        words = self._said.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {words[-1].strip()}" if words else how


def environment(inherited: Mapping[str, str], folder: str, mark: str) -> dict[str, str]:
    """Return the variables of a child process: nothing that could be a secret."""
    kept = {name: value for name, value in inherited.items() if name in _ALLOWED or name.startswith("LC_")}
    base = inherited.get("PYTHONUSERBASE") or str(Path("~/.local").expanduser())
    return {
        **kept,
        "HOME": folder,
        "TMPDIR": folder,
        "PYTHONUSERBASE": base,
        "PYTHONHASHSEED": "0",
        "PYTHON_DOTENV_DISABLED": "1",
        "LOGURU_LEVEL": "ERROR",
        "OPENBLAS_NUM_THREADS": "1",
        _MARK: mark,
    }


def _marked(mark: str) -> list[int]:
    """Return the processes that have a child's mark in their environment, whatever session they are in."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found
