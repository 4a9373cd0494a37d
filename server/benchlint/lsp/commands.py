"""What the commands do."""

from __future__ import annotations

import json
import platform
import sys
import threading
from dataclasses import asdict
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from benchlint import __version__

if TYPE_CHECKING:
    from benchlint.lsp.judging import Judges
    from benchlint.lsp.session import Session

_LIBRARIES: Final = ("pygls", "lsprotocol", "pydantic", "tree-sitter", "PyYAML", "rapidfuzz")


async def clear_cache(session: Session) -> str:
    """Empty the cache of verdicts, and forget those of the session; return what was done."""
    from benchlint.judges.cache import VerdictCache, default_directory

    session.judges.forget()
    directory = default_directory()
    if not directory.is_dir():
        return "the cache of verdicts is empty"
    cache = VerdictCache(directory)
    try:
        count = cache.clear()
    finally:
        cache.close()
    return f"{count} verdicts were removed from {directory}"


async def report(session: Session) -> str:
    """Return the report of all that is linted, as `benchlint lint` prints it."""
    from benchlint.api import report_of
    from benchlint.reports.formats import Options
    from benchlint.reports.text import render

    linted = await session.settled()
    texts = [render(report_of(result), Options()) for result in linted.results]
    return "\n".join(text for text in texts if text)


async def report_page(session: Session) -> str:
    """Return the report of all that is linted as a page, with what judges have said so far."""
    import asyncio

    from benchlint.lsp.report_page import page

    linted = await session.settled()
    return await asyncio.to_thread(page, linted.results, session.judges.benches)


async def debug_dump(session: Session) -> str:
    """Return what a bug report needs: no texts, no keys, nothing of the environment."""
    linted = session.linted
    dump: dict[str, Any] = {
        "benchlint": __version__,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "libraries": {name: version(name) for name in _LIBRARIES},
        "client": {**asdict(session.client), "encoding": session.client.encoding.value},
        "settings": {**asdict(session.world.settings)},
        "folders": len(session.world.roots),
        "trusted": session.world.trusted,
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "open": [
            {"path": path, "bytes": len(document.data), "version": document.version}
            for path, document in session.world.documents.items()
        ],
        "revision": {"now": session.world.revision, "linted": linted.world.revision},
        "benchmarks": [
            {
                "name": benchmark.name,
                "format": benchmark.format,
                "tasks": len(benchmark.tasks),
                "findings": sum(finding.benchmark == benchmark.name for finding in result.findings),
            }
            for result in linted.results
            for benchmark in result.benchmarks
        ],
        "messages": list(linted.messages),
        "judges": _judges(session.judges),
    }
    return json.dumps(dump, indent=2, default=str)


def _judges(judges: Judges) -> dict[str, Any]:
    """Return what a bug report needs of the judges."""
    return {
        **judges.status.now,
        "litellm": find_spec("litellm") is not None,
        "rounds": judges.rounds.dump,
        "benchmarks": [
            {
                "name": bench.benchmark.name,
                "judges": [judge.name for judge in bench.hearing.judges],
                "metrics": list(bench.metrics),
                "complete": len(bench.complete),
            }
            for bench in judges.benches
        ],
    }
