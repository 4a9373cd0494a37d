"""Whole processes: wall-clock seconds and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
SHARED = Path("../shared/data")


@dataclass(frozen=True)
class Run:
    """The fastest of several runs of a command."""

    seconds: float
    peak_mib: float


@dataclass(frozen=True)
class Budget:
    """A limit and what was measured. Units: seconds, ratios or MiB."""

    name: str
    measured: float
    limit: float
    unit: str

    @property
    def kept(self) -> bool:
        return self.measured <= self.limit


def process(command: list[str], allowed: tuple[int, ...] = (0, 1), rounds: int = 5) -> Run:
    """Run a command several times; the fastest counts, and the largest peak.

    Bytecode is kept, as it is wherever a tool is installed.
    """
    seconds, peak = [], 0.0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds):
        started = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        seconds.append(time.perf_counter() - started)
        peak = max(peak, usage.ru_maxrss / 1024)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in allowed:
            raise SystemExit(f"{' '.join(command)} exited with {child.returncode}")
    return Run(min(seconds), peak)
