"""The text of a first `benchlint.toml`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from benchlint.benchmark.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Layout

_SETTINGS = """\
# The configuration of benchlint. Every setting is optional; the values of
# those that are commented out are examples.

# rules = ["my-rules/"]                  # folders of rule pages of your own
max-file-size = "100MB"                  # larger files are refused

[lint]
# select = ["tools", "unscored-criterion"]  # rules or groups; default: all
# ignore = ["duplicate-task"]               # rules or groups to leave out
min-severity = "hint"                    # hint, information, warning or error
fail-on = "error"                        # the exit code is 1 from here on; or "never"
# baseline = "benchlint-baseline.json"   # known findings: benchlint lint --write-baseline

# [severity]                             # the severity of single rules
# unknown-argument = "warning"

# [[ignore]]                             # findings that are meant to stay
# rule = "unknown-entity"
# task = "21"                            # default: all tasks; patterns fit several
# path = "tasks.json"                    # default: all files
# reason = "the user asks for a product that does not exist"
"""

_FOUND = """\
# The benchmarks in this folder, as they were found. benchlint finds them
# without these tables too; they say what belongs together.
"""

_EXAMPLE = """\
# No benchmark was found in this folder. This is how to declare one.
# [[benchmark]]
# name = "retail"
# tasks = "tasks.json"                   # a file, a folder, a pattern or a list
# policy = ["policy.md"]
# tools = "tools.json"                   # OpenAI or MCP schemas, Python files, or a folder
# database = "db.json"                   # JSON, TOML, CSV, or a folder
# splits = "split_tasks.json"
# format = "mapped"                      # tau2, tau-bench, intellagent, native, or mapped

# [benchmark.mapping]                    # where your own files have the parts of a task
# tasks = "data.examples"
# id = "uid"
# description = ["scenario.text", "scenario.persona"]
# behaviour = "gold.text"
# actions = "gold.calls"
# action-name = "tool"
# action-arguments = "args"
# communicate = "gold.say"
# assertions = "gold.checks"
"""


def init(folder: str) -> str:
    """Return a `benchlint.toml` for a folder, with the benchmarks that are found in it."""
    layouts = discover([folder]).layouts
    tables = [_FOUND, *(_table(layout, folder) for layout in layouts)] if layouts else [_EXAMPLE]
    return "\n".join([_SETTINGS, *tables])


def _table(layout: Layout, folder: str) -> str:
    return "\n".join(["[[benchmark]]", *_lines(layout, folder), ""])


def _lines(layout: Layout, folder: str) -> Iterator[str]:
    tasks = layout.tasks if len(layout.tasks) == 1 else (str(Path(layout.tasks[0]).parent),)
    together = (str(Path(layout.together[0]).parent),) if layout.together else ()
    yield _line("tasks", (*tasks, *together), folder)
    if together:
        yield "together = true"
    for key in ("policy", "tools", "database"):
        paths = getattr(layout, key)
        if paths:
            yield _line(key, paths, folder)
    if layout.splits:
        yield _line("splits", (layout.splits,), folder)


def _line(key: str, paths: tuple[str, ...], folder: str) -> str:
    """Write paths relative to the folder as a line of TOML."""
    shown = [os.path.relpath(path, folder).replace(os.sep, "/") for path in paths]
    value = shown[0] if len(shown) == 1 else shown
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"
