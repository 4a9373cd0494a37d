"""What the tables of the GAUGE paper must give: the second column of their README, to the printed digits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from benchlint.audit import run
from benchlint.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path


def figures(path: Path, *options: str) -> dict:
    """Return what `benchlint audit --format json` writes."""
    result = CliRunner().invoke(app, ["audit", str(path), "--format", "json", *options])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def at(found: dict, path: str) -> object:
    for part in path.split("/"):
        found = found[int(part)] if isinstance(found, list) else found[part]
    return found


AGENTS = {
    "ranking/signals/rank_opus_4_8/spearman/value": "0.9395",
    "ranking/signals/rank_gpt_5_5/spearman/value": "0.8390",
    "ranking/signals/gate/spearman/value": "0.9162",
    "surplus/printed/value": "-0.4958",
    "surplus/formula/value": "-0.515",
    "ranking/smallest_detectable/value": "0.54",
}
PAIRS = {
    "rank_opus_4_8": ((23, 80, "28.8"), (3, 215, "1.4")),
    "rank_gpt_5_5": ((31, 80, "38.8"), (17, 215, "7.9")),
    "proxy": ((23, 80, "28.8"), (23, 215, "10.7")),
}
RATERS = ("2.03e-07", "7.92e-07", "2.52e-15", "2.02e-07", "3.19e-22", "1.27e-02")
RATES = ("57.5", "47.6", "59.5", "50.9", "59.5", "38.7")


def digits(value: float, printed: str) -> str:
    return f"{value:.{len(printed.split('.')[1])}f}"


def per_cent(wrong: int, pairs: int) -> str:
    return f"{(wrong * 100_000 // pairs + 50) // 100 / 10:.1f}"


@pytest.mark.parametrize("path", AGENTS)
def test_figures_of_table_8(shared: Path, path: str) -> None:
    value = at(figures(shared / "gauge" / "agents.csv", "--resamples", "100"), path)
    assert digits(value, AGENTS[path]) == AGENTS[path]


@pytest.mark.parametrize("signal", PAIRS)
def test_decisions_of_table_8(shared: Path, signal: str) -> None:
    found = figures(shared / "gauge" / "agents.csv", "--resamples", "100")["decisions"]["signals"][signal]
    for kind, (wrong, pairs, printed) in zip(("near_equal", "wide"), PAIRS[signal], strict=True):
        assert (found[kind]["wrong"], found[kind]["pairs"]) == (wrong, pairs)
        assert found[kind]["rate"]["value"] == pytest.approx(wrong / pairs)
        assert per_cent(wrong, pairs) == printed


def test_table_8_as_text(shared: Path) -> None:
    result = CliRunner().invoke(app, ["audit", str(shared / "gauge" / "agents.csv"), "--resamples", "100"])
    shown = result.stdout
    for printed in ("0.9395", "0.8390", "0.9162", "23/80 = 28.8 %", "31/80 = 38.8 %", "3/215 = 1.4 %"):
        assert printed in shown
    for printed in ("17/215 = 7.9 %", "23/215 = 10.7 %", "-0.4958", "-0.5151", "25 agents of 13 base models"):
        assert printed in shown


def test_table_4(shared: Path) -> None:
    rows = figures(shared / "gauge" / "raters.csv")["construct"]["populations"]
    assert [f"{row['p_above_ceiling']['value']:.2e}" for row in rows] == list(RATERS)
    assert [f"{100 * row['failed_among_satisfied']['value']:.1f}" for row in rows] == list(RATES)
    assert figures(shared / "gauge" / "raters.csv", "--ceiling", "0.6")["construct"]["populations"][0][
        "p_above_ceiling"
    ]["value"] == pytest.approx(0.6884, abs=5e-4)


def test_table_6(shared: Path) -> None:
    found = figures(shared / "gauge" / "degradation.csv")
    assert digits(at(found, "tiers/broken/value"), "0.055") == "0.055"
    assert digits(at(found, "tiers/working/value"), "0.646") == "0.646"
    assert digits(at(found, "ranking/signals/gate/spearman/value"), "0.7986") == "0.7986"
    assert digits(at(found, "ranking/signals/proxy/spearman/value"), "0.3487") == "0.3487"
    areas = {name: digits(signal["auc"]["value"], "0.000") for name, signal in found["tiers"]["signals"].items()}
    assert areas == {"gate": "1.000", "proxy": "0.766", "human": "0.781"}


def test_d7_is_the_inversion(shared: Path) -> None:
    tiers = run(str(shared / "gauge" / "degradation.csv"), resamples=100).tiers
    assert tiers is not None
    human = tiers.signals["human"]
    assert human.highest_broken == "D7"
    assert [(case.agent, case.score, case.reward, case.above, case.of) for case in human.inversions] == [
        ("D7", 4.64, 0.0, 7, 8)
    ]
    assert tiers.signals["gate"].inversions == []
    result = CliRunner().invoke(app, ["audit", str(shared / "gauge" / "degradation.csv"), "--resamples", "100"])
    assert "D7 step-starv. (reward 0.00) is an inversion" in result.stdout


def test_differences_are_compared_as_decimals(shared: Path) -> None:
    """Binary floats would give 25 of 84 near-equal pairs and 211 wide ones."""
    near = run(str(shared / "gauge" / "agents.csv"), resamples=100).decisions.signals["rank_opus_4_8"]
    assert (near.near_equal.pairs, near.wide.pairs) == (80, 215)


def test_the_jaccard_of_flips_and_the_best_ten(shared: Path) -> None:
    """Counted by hand from the table, in exact decimals."""
    import csv
    from decimal import Decimal
    from itertools import combinations

    with (shared / "gauge" / "agents.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    flips: dict[str, set[tuple[int, int]]] = {"rank_opus_4_8": set(), "rank_gpt_5_5": set()}
    for one, other in combinations(range(len(rows)), 2):
        apart = Decimal(rows[one]["reward"]) - Decimal(rows[other]["reward"])
        if 0 < abs(apart) < Decimal("0.1"):
            for name, found in flips.items():
                better = int(rows[other][name]) - int(rows[one][name])
                if apart * better < 0:
                    found.add((one, other))
    both, either = flips["rank_opus_4_8"] & flips["rank_gpt_5_5"], flips["rank_opus_4_8"] | flips["rank_gpt_5_5"]
    found = run(str(shared / "gauge" / "agents.csv"), resamples=100)
    overlap = next(pair for pair in found.decisions.overlaps if (pair.one, pair.other) == tuple(flips))
    assert (overlap.both, overlap.either) == (len(both), len(either)) == (19, 35)


def test_self_preference_in_ranks(shared: Path) -> None:
    """The judges' families are told by their names; three OpenAI agents and six of Anthropic's stand in the table."""
    found = run(str(shared / "gauge" / "agents.csv"), resamples=100).self_preference.preferences
    assert [(row.one, row.family, row.own_agents) for row in found] == [
        ("rank_opus_4_8", "Anthropic", 6),
        ("rank_gpt_5_5", "OpenAI", 3),
    ]
    opus = found[0].scale_free
    # mean rank difference (gpt - opus): Anthropic 2.8333, the others -0.8947; the deviation of 1..25 is 7.3598
    assert opus.value == pytest.approx((17 / 6 + 17 / 19) / 7.359801, abs=1e-6)
    assert opus.low < opus.value < opus.high


def test_tau_bench_runs(shared: Path) -> None:
    found = figures(shared / "tau-bench" / "gpt-4o-airline.json")
    passes = found["stability"]["pass_k"]["gpt-4o-airline"]
    assert {k: f"{figure['value']:.3f}" for k, figure in passes.items()} == {
        "1": "0.420",
        "2": "0.273",
        "3": "0.220",
        "4": "0.200",
    }
    assert all(figure["count"] == 50 and figure["low"] < figure["value"] < figure["high"] for figure in passes.values())
    assert found["oracle"]["terminations"] == {"user_stop": 147, "handoff": 48, "cut_off": 5}
    assert found["overview"]["rows"] == 200
    assert found["stability"]["trials"] == 4
    assert found["stability"]["cells"] == 50
    bit = found["cheap_signals"]["signals"]["completed"]
    assert bit["recall_truncated"]["value"] == 1.0
    assert bit["recall_failed"] | {"low": 0, "high": 0} == {
        "value": 5 / 116,
        "low": 0,
        "high": 0,
        "count": 116,
        "reason": None,
    }
