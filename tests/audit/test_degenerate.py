"""Data that allow no figure give a sentence, and never a NaN."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchlint.audit import AuditError, run
from benchlint.audit.report import FORMATS, render

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.audit import Audit

    Audited = Callable[..., Audit]
    Made = Callable[..., pl.DataFrame]


def sentences(audit: Audit) -> set[str]:
    """Return all reasons of an audit, after checking that each missing figure has one and no number is a NaN."""
    text = json.dumps(audit.as_dict(), allow_nan=False)
    found: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, dict):
            if {"value", "count", "reason"} <= value.keys():
                assert value["value"] is not None or value["reason"], "a figure is missing without a reason"
            if value.get("reason"):
                found.add(value["reason"])
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(json.loads(text))
    for form in FORMATS:
        shown = render(audit, form)
        assert "nan" not in shown.lower().replace("nanoseconds", ""), form
    return found


def test_one_agent(transcripts: Made, audited: Audited) -> None:
    found = sentences(audited(transcripts(agents=1)))
    assert "there is one agent: a decision takes two" in found
    assert "1 agent: a correlation takes at least 3" in found


def test_one_agent_in_one_row(audited: Audited) -> None:
    found = sentences(audited([{"agent": "a", "reward": 0.5, "gate": 4.0}]))
    assert "there is one agent: a decision takes two" in found


def test_all_ties(audited: Audited) -> None:
    rows = [{"agent": f"a{at}", "reward": 0.5, "gate": 1.0 + at / 2} for at in range(10)]
    found = sentences(audited(rows))
    assert "there is no near-equal pair" in found
    assert "one side is the same for all agents" in found


def test_no_failures(transcripts: Made, audited: Audited) -> None:
    found = sentences(audited(transcripts().with_columns(reward=pl.lit(1))))
    assert {"no transcript failed", "no run failed"} & found
    assert "one side is the same for all agents" in found


def test_no_successes(transcripts: Made, audited: Audited) -> None:
    assert "no transcript succeeded" in sentences(audited(transcripts().with_columns(reward=pl.lit(0))))


def test_a_constant_signal(transcripts: Made, audited: Audited) -> None:
    found = sentences(audited(transcripts().with_columns(gate=pl.lit(3.0))))
    assert "one side is the same for all agents" in found
    assert "nobody was satisfied" in found


def test_a_signal_without_a_score(transcripts: Made, audited: Audited) -> None:
    data = transcripts().with_columns(gate=pl.lit(None, dtype=pl.Float64))
    found = sentences(audited(data, scales={"gate": (1.0, 7.0)}))
    assert "nothing was scored" in found
    assert "0 agents: a correlation takes at least 3" in found


def test_no_signal(transcripts: Made, audited: Audited) -> None:
    found = sentences(audited(transcripts().drop("gate", "proxy")))
    assert {"the table has no signal", "the table has no gate"} <= found


def test_perfect_agreement_has_no_interval_that_says_so(audited: Audited) -> None:
    rows = [{"agent": f"a{at}", "reward": at / 20, "gate": 1 + at / 4} for at in range(12)]
    rho = audited(rows).ranking.signals["gate"].spearman
    assert (rho.value, rho.low) == (1.0, None)
    assert rho.reason == "no interval: every resample gives the same"


def test_no_wrong_pair_is_still_a_doubt(audited: Audited) -> None:
    rows = [{"agent": f"a{at}", "reward": at / 20, "gate": 1 + at / 4} for at in range(12)]
    rate = audited(rows).decisions.signals["gate"].near_equal.rate
    assert (rate.value, rate.low) == (0.0, 0.0)
    assert rate.high == pytest.approx(0.2425, abs=1e-3), "Wilson's bound for 0 of 12 agents"


rewards = st.sampled_from([0, 1, None])
scores = st.one_of(st.none(), st.integers(1, 7).map(float))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.fixed_dictionaries(
            {"agent": st.sampled_from("abcdefghij"), "reward": rewards, "gate": scores, "proxy": scores},
            optional={
                "task": st.sampled_from("12"),
                "trial": st.integers(0, 2),
                "domain": st.sampled_from(["x", "y"]),
                "persona": st.sampled_from(["p", "q", None]),
                "simulator": st.sampled_from(["s", "t"]),
                "completed": st.booleans(),
                "truncated": st.booleans(),
                "tier": st.sampled_from(["broken", "fine", None]),
                "rater_x": scores,
                "rater_y": scores,
                "dim_z": scores,
                "cost": st.floats(0, 5),
            },
        ),
        min_size=1,
        max_size=30,
    )
)
def test_any_table_gives_figures_or_a_message(rows: list[dict]) -> None:
    keys = {key for row in rows for key in row}
    table = [{key: row.get(key) for key in keys} for row in rows]
    try:
        found = run(table, resamples=100)
    except AuditError:
        assert all(row["reward"] is None for row in rows)
        return
    sentences(found)


def test_many_agents_and_empty_texts(audited: Audited) -> None:
    rows = [
        {
            "agent": f"a{at}" if at % 7 else "",
            "base_model": "",
            "reward": at % 3 == 0,
            "gate": at % 7 + 1.0,
            "task": str(at),
        }
        for at in range(90)
    ]
    sentences(audited(rows))


def test_gaps_stay_gaps(audited: Audited) -> None:
    data = pl.DataFrame({"agent": ["a"] * 6, "task": list("123456"), "reward": [1, 0, 1, 0, 1, 0]}).with_columns(
        gate=pl.Series([5.0, float("nan"), None, 6.0, 2.0, 1.0])
    )
    found = audited(data)
    assert found.oracle.null_scores == {"gate": 2}
    assert found.construct.signals["gate"].gap.base_rate.count == 4
    assert np.isclose(found.overview.agents[0].scores["gate"], 14 / 4)
