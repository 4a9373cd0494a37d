"""`benchlint audit` on a million transcripts."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from tests.benchmarks.measure import BIN, Budget, process

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = 1_000_000
SECONDS = 10.0
MEMORY_MIB = 2048


def budgets() -> Iterator[Budget]:
    """Measure the whole command, from a file to a report."""
    with tempfile.TemporaryDirectory() as folder:
        table = transcripts(ROWS)
        for name, write in (("CSV", table.write_csv), ("Parquet", table.write_parquet)):
            path = Path(folder) / f"runs.{name.lower()}"
            write(path)
            run = process([str(BIN / "benchlint"), "audit", str(path), "--format", "json"], (0,), rounds=3)
            yield Budget(f"audit, {ROWS:,} transcripts, {name}", run.seconds, SECONDS, "s")
            yield Budget(f"audit, {ROWS:,} transcripts, {name}: peak memory", run.peak_mib, MEMORY_MIB, "MiB")


def transcripts(rows: int) -> pl.DataFrame:
    """Make transcripts of forty agents with all columns that the audit has figures for."""
    generator = np.random.default_rng(0)
    agent = np.arange(rows) % 40
    reward = (generator.random(rows) < (agent + 5) / 50).astype(np.int64)

    def rating(middle: float, slope: float) -> np.ndarray:
        return np.clip(np.round(middle + slope * reward + generator.normal(0, 1, rows)), 1, 7)

    return pl.DataFrame(
        {
            "agent": [f"model-{number // 2} v{number % 2}" for number in agent],
            "base_model": [f"model-{number // 2}" for number in agent],
            "domain": np.array(["airline", "retail", "telecom"])[np.arange(rows) // 40 % 3],
            "persona": np.array(["baseline", "angry"])[np.arange(rows) // 120 % 2],
            "simulator": np.array(["one", "other"])[np.arange(rows) // 240 % 2],
            "task": [str(number) for number in np.arange(rows) // 480 % 500],
            "trial": np.arange(rows) // 240_000,
            "reward": reward,
            "completed": generator.random(rows) > 0.04,
            "cost": generator.gamma(3, 0.02, rows).round(4),
            "length": np.round(generator.gamma(9, 3, rows)),
            "gate": rating(2.5, 2.5),
            "gate_other": rating(2.0, 2.0),
            "proxy": rating(5.0, 0.2),
            "rater_a": np.where(generator.random(rows) < 0.1, rating(5.0, 0.1), np.nan),
            "rater_b": np.where(generator.random(rows) < 0.1, rating(5.0, 0.1), np.nan),
            "dim_tone": rating(4.5, 0.3),
            "dim_effort": rating(4.0, 0.5),
        }
    )
