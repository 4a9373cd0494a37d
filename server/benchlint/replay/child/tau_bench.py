"""Environment folders of tau-bench v1: `data` with `load_data`, `tools` with `ALL_TOOLS`."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import types
from pathlib import Path
from typing import Any

_RESPOND = "respond"
"""What tau-bench calls an answer in words: an action of no tool."""


class Domain:
    """An environment by its folder."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder).resolve()
        if not self._folder.is_dir():
            raise FileNotFoundError(f"there is no folder {folder}")

    def identity(self) -> str:
        """Return what changes whenever the environment's code or data do."""
        found = hashlib.sha256()
        for path in sorted(self._folder.rglob("*")):
            if path.suffix in (".py", ".json") and path.is_file() and "task" not in path.name:
                found.update(str(path.relative_to(self._folder)).encode() + b"\0" + path.read_bytes())
        return f"tau-bench {found.hexdigest()}"

    def load(self) -> None:
        """Import the tools and read the data."""
        package = self._stand_in()
        self._data = importlib.import_module(f"{package}.data").load_data()
        tools = importlib.import_module(f"{package}.tools").ALL_TOOLS
        self._tools = {tool.get_info()["function"]["name"]: tool for tool in tools}

    def _stand_in(self) -> str:
        """Make the packages around the folder importable without running them.

        They would import the clients of models, which the tools do not need.
        """
        parts = [self._folder.name]
        parent = self._folder.parent
        while (parent / "__init__.py").is_file():
            parts.insert(0, parent.name)
            parent = parent.parent
        sys.path.insert(0, str(parent))
        for count in range(1, len(parts) + 1):
            module = types.ModuleType(".".join(parts[:count]))
            module.__path__ = [str(parent.joinpath(*parts[:count]))]
            sys.modules[module.__name__] = module
        return ".".join(parts)

    def prepare(self, initial: dict[str, Any] | None) -> None:
        """Accept a task without an initial state; there is no other in tau-bench."""
        if initial:
            raise ValueError("tau-bench has no initial states")

    def effect(self, requestor: str, name: str) -> str | None:
        """Return None: nothing says what a tool does."""

    def act(self, requestor: str, name: str, arguments: dict[str, Any]) -> str | None:
        """Call a tool; return its refusal, which tau-bench gives as a text."""
        if requestor != "assistant":
            raise ValueError("tau-bench has no tools of the user")
        if name == _RESPOND:
            return None
        if name not in self._tools:
            raise ValueError(f"there is no tool {name}")
        result = self._tools[name].invoke(data=self._data, **arguments)
        if isinstance(result, str) and result.startswith("Error"):
            return result[len("Error") :].lstrip(": ")
        return None

    def records(self) -> dict[tuple[str | int, ...], bytes]:
        """Return every record of the data, written as JSON, by collection and key."""
        found: dict[tuple[str | int, ...], bytes] = {}
        for name, collection in self._data.items():
            if isinstance(collection, dict):
                for key, record in collection.items():
                    place = ("assistant", name, key if isinstance(key, int) else str(key))
                    found[place] = json.dumps(record, default=str).encode()
            else:
                found["assistant", name] = json.dumps(collection, default=str).encode()
        return found
