"""Tables that the tests of the audit read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

from benchlint.audit import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.audit import Audit

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture
def shared() -> Path:
    """Return the folder of real data, or skip where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("the shared data is not here")
    return SHARED


@pytest.fixture
def transcripts() -> Callable[..., pl.DataFrame]:
    """Return what makes transcripts of agents of rising quality, two agents a base model."""

    def make(agents: int = 16, tasks: int = 12, trials: int = 2, seed: int = 0) -> pl.DataFrame:
        generator = np.random.default_rng(seed)
        rows = []
        for agent in range(agents):
            for task in range(tasks):
                for trial in range(trials):
                    reward = int(generator.random() < (agent + 1) / (agents + 1))
                    rows.append(
                        {
                            "agent": f"a{agent:02}",
                            "base_model": f"m{agent // 2}",
                            "domain": "air" if task % 2 else "shop",
                            "persona": ("baseline", "angry")[task // 2 % 2],
                            "simulator": ("s1", "s2")[trial % 2],
                            "task": str(task),
                            "trial": trial,
                            "reward": reward,
                            "gate": float(np.clip(round(2 + 3 * reward + generator.normal(0, 1)), 1, 7)),
                            "proxy": float(np.clip(round(5 + generator.normal(0, 1)), 1, 7)),
                        }
                    )
        return pl.DataFrame(rows)

    return make


@pytest.fixture
def audited() -> Callable[..., Audit]:
    """Return what audits a table with few resamples."""

    def audit(data: Any, **options: Any) -> Audit:
        return run(data, **{"resamples": 200, **options})

    return audit
