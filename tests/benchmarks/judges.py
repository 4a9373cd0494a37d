"""Asking a judge 492 times beside bare aiohttp, on the same loopback endpoint in the same run.

promptfoo is measured beside them where it is installed
(`npm install --global promptfoo`).
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
from tests.benchmarks.measure import Budget
from tests.judges.conftest import POLICY, RULES, task, write_benchmark

from benchlint.judges.cache import VerdictCache
from benchlint.judges.litellm_library import load
from benchlint.judges.llm import LiteLLMModel, ModelOptions
from benchlint.judges.prompt import ask
from benchlint.judges.protocol import Verdict
from benchlint.judges.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchlint.benchmark.model import Benchmark
    from benchlint.judges.prompt import Asked

TASKS = 123
LANES = 32
DELAY_SECONDS = 0.2
ROUNDS = 3
RATIO = 1.5
WARM_SECONDS = 0.5
METRICS = ("description_alignment", "policy_alignment", "violations", "ambiguity")


def budgets() -> Iterator[Budget]:
    """Measure cold and warm runs."""
    load()
    command = [sys.executable, "-m", "tests.judges.endpoint", str(DELAY_SECONDS)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server,
    ):
        url = server.stdout.readline().strip()
        benchmark = _benchmark(Path(folder) / "benchmark")
        asked = ask(benchmark, RULES, METRICS)
        bare = cold = float("inf")
        for number in range(ROUNDS):
            bare = min(bare, asyncio.run(_bare(url, asked)))
            cold = min(cold, _run(benchmark, url, Path(folder) / str(number), cached=0))
        warm = min(_run(benchmark, url, Path(folder) / "0", cached=len(asked)) for _ in range(ROUNDS))
        peer = _promptfoo(url, asked, Path(folder))
        server.stdin.close()
    size = sum(len(item.request.prefix + item.request.body) for item in asked) // len(asked)
    told = f"promptfoo {peer:.3f} s" if peer is not None else "promptfoo is not installed"
    print(f"{len(asked)} requests of {size:,} characters: aiohttp {bare:.3f} s, benchlint {cold:.3f} s, {told}")
    yield Budget(f"{len(asked)} calls at {LANES}: benchlint / aiohttp", cold / bare, RATIO, "x")
    yield Budget(f"{len(asked)} cached verdicts", warm, WARM_SECONDS, "s")


def _benchmark(folder: Path) -> Benchmark:
    """Write a benchmark with a policy and records of a usual size."""
    rules = "".join(
        f"- Rule {number}: the agent must not lend the book {number} on a holiday.\n" for number in range(120)
    )
    note = "The member has borrowed many books over the years and returned all of them. " * 100
    members = {f"m{n}": {"member_id": f"m{n}", "name": f"Name {n}", "note": note} for n in range(1, TASKS + 1)}
    books = {f"b{n}": {"book_id": f"b{n}", "title": f"Title {n}"} for n in range(1, TASKS + 1)}
    tasks = [task(number) for number in range(1, TASKS + 1)]
    return write_benchmark(folder, tasks, f"{POLICY}\n## Holidays\n{rules}", {"members": members, "books": books})


def _run(benchmark: Benchmark, url: str, folder: Path, cached: int) -> float:
    """Ask for all verdicts; return the seconds that it took, with the writing of the requests."""
    options = ModelOptions(model="openai/judge", base_url=url, concurrency=LANES)
    cache = VerdictCache(folder)
    with Session(LiteLLMModel(options), cache) as session:
        started = time.perf_counter()
        outcome = session.run(ask(benchmark, RULES, METRICS))
        seconds = time.perf_counter() - started
    cache.close()
    if outcome.cached != cached or not all(isinstance(verdict, Verdict) for verdict in outcome.verdicts):
        raise SystemExit(f"the run went wrong: {outcome.stopped or outcome.verdicts[0]}")
    return seconds


async def _bare(url: str, asked: list[Asked]) -> float:
    """Send the same requests with aiohttp alone; return the seconds that it took."""
    lanes = asyncio.Semaphore(LANES)

    async def send(item: Asked) -> None:
        body = {"model": "judge", "temperature": 0, "messages": _messages(item)}
        async with lanes, client.post(f"{url}/chat/completions", json=body) as response:
            json.loads((await response.json())["choices"][0]["message"]["content"])

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=LANES)) as client:
        started = time.perf_counter()
        await asyncio.gather(*map(send, asked))
        return time.perf_counter() - started


def _promptfoo(url: str, asked: list[Asked], folder: Path) -> float | None:
    """Send the same messages with promptfoo; return the seconds that its evaluation took, by its own account."""
    program = shutil.which("promptfoo")
    if program is None:
        return None
    provider = {"id": "openai:chat:judge", "config": {"apiBaseUrl": url, "apiKey": "none", "temperature": 0}}
    tests = [{"vars": {"messages": json.dumps(_messages(item))}} for item in asked]
    config, output = folder / "promptfoo.json", folder / "output.json"
    config.write_text(json.dumps({"prompts": ["{{messages}}"], "providers": [provider], "tests": tests}))
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": str(folder)}
    command = [program, "eval", "-c", str(config), "-o", str(output), "-j", str(LANES)]
    command += ["--no-cache", "--no-write", "--no-table", "--no-progress-bar"]
    subprocess.run(command, env={**os.environ, **quiet}, capture_output=True, check=True)
    return json.loads(output.read_text())["results"]["stats"]["durationMs"] / 1000


def _messages(item: Asked) -> list[dict[str, str]]:
    return [{"role": "system", "content": item.request.prefix}, {"role": "user", "content": item.request.body}]
