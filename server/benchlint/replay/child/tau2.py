"""Domains of the tau2 package: `tau2.domains.retail`."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_EFFECTS = {"read": "read", "write": "write", "think": "generic", "generic": "generic"}


class Domain:
    """A domain by its name. `load` is slow and comes before all but `identity`."""

    def __init__(self, name: str) -> None:
        if not name.replace("_", "").isalnum():
            raise ValueError(f"{name!r} is no name of a domain")
        self._name = name

    def identity(self) -> str:
        """Return what changes whenever the domain's code or data do; imports nothing."""
        package = self._package()
        found = hashlib.sha256(self._name.encode())
        for path in self._files(package):
            found.update(str(path).encode() + b"\0" + path.read_bytes())
        return f"tau2:{self._name} {found.hexdigest()}"

    def _package(self) -> Path:
        spec = importlib.util.find_spec("tau2")
        if spec is None or spec.origin is None:
            raise ImportError("there is no package tau2 in this Python")
        package = Path(spec.origin).parent
        if not (package / "domains" / self._name).is_dir():
            known = sorted(path.parent.name for path in (package / "domains").glob("*/environment.py"))
            raise ImportError(f'tau2 has no domain "{self._name}"; it has {", ".join(known)}')
        return package

    def _files(self, package: Path) -> Iterator[Path]:
        yield from sorted(package.rglob("*.py"))
        roots = [package / "data", package.parent.parent / "data"]
        if os.environ.get("TAU2_DATA_DIR"):
            roots.insert(0, Path(os.environ["TAU2_DATA_DIR"]))
        for root in roots:
            for folder in (root / "tau2" / "domains" / self._name, root / "domains" / self._name):
                yield from sorted(path for path in folder.rglob("*") if path.is_file() and "task" not in path.name)

    def load(self) -> None:
        """Import the domain and read its databases."""
        self._package()
        module = importlib.import_module(f"tau2.domains.{self._name}.environment")
        self._state_type = importlib.import_module("tau2.data_model.tasks").InitialState
        self._environment = module.get_environment()
        sides = (("assistant", self._environment.tools), ("user", self._environment.user_tools))
        self._sides = {side: tools for side, tools in sides if tools is not None}
        self._known = {side: set(tools.tools) for side, tools in self._sides.items()}

    def prepare(self, initial: dict[str, Any] | None) -> None:
        """Bring the environment into a task's initial state."""
        state = self._state_type.model_validate(initial or {})
        self._environment.set_state(
            initialization_data=state.initialization_data,
            initialization_actions=state.initialization_actions,
            message_history=state.message_history or [],
        )

    def effect(self, requestor: str, name: str) -> str | None:
        """Return what the package says that a tool does."""
        if name not in self._known.get(requestor, ()):
            return None
        kind = self._sides[requestor].tool_type(name)
        return _EFFECTS.get(str(getattr(kind, "value", kind)))

    def act(self, requestor: str, name: str, arguments: dict[str, Any]) -> str | None:
        """Call a tool as in a conversation: then the sides are brought into accord."""
        self._environment.make_tool_call(name, requestor=requestor, **arguments)
        self._environment.sync_tools()
        return None

    def records(self) -> dict[tuple[str | int, ...], bytes]:
        """Return every record of the databases, written as JSON, by side, collection and key."""
        found: dict[tuple[str | int, ...], bytes] = {}
        for side, tools in self._sides.items():
            database = tools.db
            for name in type(database).model_fields if database is not None else ():
                value = getattr(database, name)
                if isinstance(value, dict):
                    for key, record in value.items():
                        found[side, name, key if isinstance(key, int) else str(key)] = _written(record)
                elif isinstance(value, list):
                    for index, record in enumerate(value):
                        found[side, name, index] = _written(record)
                else:
                    found[side, name] = _written(value)
        return found


def _written(value: Any) -> bytes:
    serializer = getattr(value, "__pydantic_serializer__", None)
    if serializer is not None:
        data: bytes = serializer.to_json(value, warnings=False)
        return data
    return json.dumps(value, default=_plain).encode()


def _plain(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if dump is not None else str(value)
