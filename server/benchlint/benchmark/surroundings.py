"""Policy, tools, database and splits beside tasks, by the names that benchmarks use."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, NamedTuple

_POLICY = re.compile(r"policy|policies|manual|\bwiki\b|\brules?\b", re.IGNORECASE)
_PROMPT = re.compile(r"prompt", re.IGNORECASE)
_MARKDOWN: Final = (".md", ".markdown")
_TOOLS: Final[tuple[str, ...]] = ("tools.json", "user_tools.json", "tools.py", "user_tools.py")
_DATABASE: Final = tuple(f"{stem}{suffix}" for stem in ("db", "database", "user_db") for suffix in (".json", ".toml"))
_DATABASE_FOLDERS: Final = ("data", "db", "database")
_ITEMS: Final = (".items.yaml", ".items.yml")
_TAU2_SOURCE: Final = Path("src", "tau2", "domains")

DATABASE_SUFFIXES: Final = (".json", ".csv", ".toml")
"""The files of a folder that are read as a database."""


class Listing(NamedTuple):
    """The names in a folder, sorted. `error` says why there are none."""

    path: str
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    identity: tuple[int, int] = (0, 0)
    """What is the same for a folder under all its names."""
    error: str | None = None


class Surroundings(NamedTuple):
    """What stands beside the tasks of a folder."""

    policy: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    database: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


def listing(path: str) -> Listing:
    """Return the names in a folder."""
    files: list[str] = []
    folders: list[str] = []
    try:
        status = Path(path).stat()
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.name)
                elif entry.is_file():
                    files.append(entry.name)
    except OSError as error:
        return Listing(path, error=(error.strerror or str(error)).lower())
    return Listing(path, tuple(sorted(files)), tuple(sorted(folders)), (status.st_dev, status.st_ino))


def within(folder: str, name: str) -> str:
    """Return the path of a name in a folder."""
    return str(Path(folder, name))


def surroundings(folder: Listing) -> Surroundings:
    """Return what stands in the folder of some tasks.

    Tools of tau2-bench's own domains stand in another part of its
    repository, and are looked for there.
    """
    tools = _tools(folder) or _tau2_tools(folder.path)
    return Surroundings(_policy(folder), tools, _database(folder), _paths(folder, _items(folder)))


def split_file(folder: Listing, tasks: str) -> str | None:
    """Return the splits of a tasks file: `split_tasks.json` for `tasks.json`."""
    name = f"split_{Path(tasks).stem}.json"
    return within(folder.path, name) if name in folder.files else None


def role(path: str) -> str | None:
    """Say what a file is to a benchmark by its name, None where its content decides."""
    name, suffix = Path(path).name.lower(), Path(path).suffix.lower()
    if name in _TOOLS:
        return "the tools"
    if name.endswith(_ITEMS):
        return "the policy's items"
    if name in _DATABASE:
        return "the database"
    if name.startswith("split_") and suffix == ".json":
        return "the splits"
    if name == "rules.py" or (suffix in _MARKDOWN and (_POLICY.search(name) or _PROMPT.search(name))):
        return "the policy"
    return None


def _paths(folder: Listing, names: list[str]) -> tuple[str, ...]:
    return tuple(within(folder.path, name) for name in names)


def _policy(folder: Listing) -> tuple[str, ...]:
    """Return the policy; a prompt is one where nothing else is.

    What tau2-bench calls `solo` is the same policy for another setting.
    """
    pages = [name for name in folder.files if Path(name).suffix.lower() in _MARKDOWN]
    stems = {Path(name).stem for name in pages}
    found = [name for name in pages if _POLICY.search(Path(name).stem.replace("_", " "))]
    found = [name for name in found if Path(name).stem.removesuffix("_solo") not in stems - {Path(name).stem}]
    found += [name for name in folder.files if name == "rules.py"]
    return _paths(folder, found or [name for name in pages if _PROMPT.search(name)])


def _items(folder: Listing) -> list[str]:
    """Return the items files that have the name of a policy beside them."""
    stems = {Path(path).stem for path in _policy(folder)} if any(name.endswith(_ITEMS) for name in folder.files) else ()
    return [name for name in folder.files if name.endswith(_ITEMS) and name.rpartition(".items.")[0] in stems]


def _tools(folder: Listing) -> tuple[str, ...]:
    found = [name for name in _TOOLS if name in folder.files]
    if not found and "tools" in folder.folders:
        inside = listing(within(folder.path, "tools"))
        found = ["tools"] if any(name.endswith((".py", ".json")) for name in inside.files) else []
    return _paths(folder, found)


def _tau2_tools(folder: str) -> tuple[str, ...]:
    """Return the sources of a domain whose data is in tau2-bench's repository."""
    full = Path(os.path.abspath(folder))  # noqa: PTH100
    for parent in full.parents:
        source = parent / _TAU2_SOURCE / full.name
        if not (source / "tools.py").is_file():
            continue
        shown = str(source) if Path(folder).is_absolute() else os.path.relpath(source)
        return tuple(within(shown, name) for name in ("tools.py", "user_tools.py") if (source / name).is_file())
    return ()


def _database(folder: Listing) -> tuple[str, ...]:
    found = [name for name in _DATABASE if name in folder.files]
    for name in () if found else _DATABASE_FOLDERS:
        if name in folder.folders:
            inside = listing(within(folder.path, name)).files
            records = [file for file in inside if file.endswith(DATABASE_SUFFIXES)]
            if records and not any(file.startswith("tasks") for file in records):
                found = [name]
                break
    return _paths(folder, found)
