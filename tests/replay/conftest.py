from __future__ import annotations

import json
import sys
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from benchlint.analysis.options import ReplayOptions
from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.config import ConfigLookup, load_config
from benchlint.config_schema import Config, ReplayConfig
from benchlint.replay.replay import replay
from benchlint.replay.settings import settings_of

if TYPE_CHECKING:
    from pathlib import Path

ORDERS = {"#W1": {"status": "delivered"}, "#W2": {"status": "pending"}}
TOOL = """
class {name}:
    @staticmethod
    def invoke(data, {arguments}):
{body}

    @staticmethod
    def get_info():
        return {{"function": {{"name": "{tool}"}}}}
"""
BASE = {
    "get_order": (
        "order_id",
        "return data['orders'][order_id]['status'] if order_id in data['orders'] else 'Error: no'",
    ),
    "set_status": ("order_id, status", "data['orders'][order_id]['status'] = status"),
}
EFFECTS = {"get_order": "read", "set_status": "write"}


def call(name: str, **arguments: object) -> dict:
    return {"action_id": "x", "name": name, "arguments": arguments}


@dataclass
class Shop:
    """A benchmark in tau2's format, and an environment folder of tau-bench for it."""

    folder: Path

    def write(
        self, *tasks: list[dict], tools: dict[str, tuple[str, str]] | None = None, scenario: str = "Hello."
    ) -> Shop:
        for name, text in {
            "data": f"def load_data():\n    return {{'orders': {ORDERS!r}}}\n",
            "tools": self._tools(tools),
        }.items():
            path = self.folder / "shop" / name / "__init__.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        content = [
            {"id": str(index), "user_scenario": {"instructions": scenario}, "evaluation_criteria": {"actions": actions}}
            for index, actions in enumerate(tasks)
        ]
        (self.folder / "tasks.json").write_text(json.dumps(content), encoding="utf-8")
        schema = {"type": "object", "properties": {}, "additionalProperties": True}
        listed = [
            {"name": name, "effect": EFFECTS.get(name, "write"), "parameters": schema}
            for name in {**BASE, **(tools or {})}
        ]
        (self.folder / "tools.json").write_text(json.dumps(listed), encoding="utf-8")
        return self

    @staticmethod
    def _tools(more: dict[str, tuple[str, str]] | None) -> str:
        text, names = "", []
        for tool, (arguments, body) in {**BASE, **(more or {})}.items():
            names.append("".join(word.capitalize() for word in tool.split("_")))
            inner = textwrap.indent(textwrap.dedent(body).strip(), " " * 8)
            text += TOOL.format(name=names[-1], arguments=arguments or "**_", body=inner, tool=tool)
        return f"{text}\n\nALL_TOOLS = [{', '.join(names)}]\n"

    def load(self):
        (layout,) = discover([str(self.folder)]).layouts
        return load(layout, Snapshot().read)

    def replay(self, *, cache: Path | None = None, **settings):
        """Return what came of each task, in their order, and the whole."""
        benchmark = self.load()
        wanted = ReplayConfig(**{"environment": str(self.folder / "shop"), "python": sys.executable, **settings})
        how = settings_of(benchmark.layout, Config(replay=wanted))
        found = replay(benchmark, how, use_cache=cache is not None, cache_directory=cache)
        return [found.of(task) for task in benchmark.tasks], found

    def lint(self, **options):
        """Lint with replay; `benchlint.toml` says how."""
        if not (self.folder / "benchlint.toml").exists():
            (self.folder / "benchlint.toml").write_text('[replay]\nenvironment = "shop"\n', encoding="utf-8")
        config = ConfigLookup(load_config(str(self.folder / "benchlint.toml")))
        wanted = Options(replay=ReplayOptions(cache=False), **options)
        return run([str(self.folder)], Snapshot(), config, wanted)


@pytest.fixture
def shop(tmp_path) -> Shop:
    return Shop(tmp_path)
