"""The operating region and its file."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchlint.audit import AuditError
from benchlint.audit.region import as_document, load, toml, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from benchlint.audit.audit import Audit

    Audited = Callable[..., Audit]
    Made = Callable[..., pl.DataFrame]


def rows(wrong: int) -> list[dict]:
    """Ten agents; the `wrong` worst have the highest scores."""
    return [
        {"agent": f"a{at}", "reward": at / 10, "gate": 6.5 if at < wrong else 1 + at / 2, "simulator_": "s"}
        for at in range(10)
    ]


def test_the_smallest_gap_from_which_all_larger_ones_hold(audited: Audited) -> None:
    region = audited(rows(0)).region
    gate = region.judges["gate"]
    assert (gate.decides_from, gate.unit, gate.reason) == (0.0, "points", None)
    assert (gate.error.value, gate.error.count, gate.coverage.value) == (0.0, 45, 1.0)
    assert (region.reward_from, region.reward_to) == (0.0, 0.9)
    assert gate.construct_valid is None


def test_a_gate_that_errs_at_wide_gaps_decides_nowhere(audited: Audited) -> None:
    gate = audited(rows(3)).region.judges["gate"]
    assert gate.decides_from is None
    assert gate.reason == "from no gap on are at most 5 % of at least 20 pairs ordered wrongly"
    assert gate.error.value is None


def test_the_tolerance_is_a_setting(audited: Audited) -> None:
    found = [audited(rows(1), tolerance=tolerance).region.judges["gate"].decides_from for tolerance in (0.05, 0.5)]
    assert found == [None, 0.0]


def test_the_gap_is_counted_by_hand(audited: Audited) -> None:
    """Only neighbours are confused, and neighbours are half a point apart."""
    scores = [1.0, 1.5, 2.5, 2.0, 3.0, 3.5, 4.5, 4.0, 5.0, 5.5]
    table = [{"agent": f"a{at}", "reward": at / 10, "gate": score} for at, score in enumerate(scores)]
    assert audited(table, tolerance=0.04).region.judges["gate"].decides_from == 0.75
    assert audited(table, tolerance=0.05).region.judges["gate"].decides_from == 0.0


def test_errors_at_wide_gaps_are_not_diluted_by_right_pairs_at_close_ones(audited: Audited) -> None:
    """Of all pairs 19 in 190 are wrong, of those with a gap of 3 and more 12 in 40."""
    table = [{"agent": f"a{at}", "reward": at / 20, "gate": 1 + at / 4 if at else 7.0} for at in range(20)]
    assert audited(table).abstention.signals["gate"].by_gap[0].error.value == pytest.approx(0.1)
    assert audited(table, tolerance=0.12).region.judges["gate"].decides_from is None


def test_domains_and_construct(transcripts: Made, audited: Audited) -> None:
    region = audited(transcripts(tasks=24)).region
    assert region.judges["gate"].domains == ["air", "shop"]
    assert region.judges["gate"].construct_valid is True
    assert "proxy" not in region.judges, "a signal of satisfaction alone must not decide"
    assert region.simulators == ["s1", "s2"]
    assert region.valid_until == ["judge", "simulator", "pool"]


@pytest.mark.parametrize("name", ["region.toml", "region.json"])
def test_the_file_is_read_back(tmp_path: Path, transcripts: Made, audited: Audited, name: str) -> None:
    data = transcripts().with_columns(agent=pl.lit('"ä\\🎈\x7f\n') + pl.col("agent"))
    region = audited(data).region
    path = str(tmp_path / name)
    write(region, "runs", path)
    assert load(path) == as_document(region, "runs")
    assert load(path)["judges"]["gate"]["spearman"]["value"] == region.judges["gate"].spearman.value


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.toml", "x = "), ("a.toml", "format = 2"), ("a.json", "[]"), ("a.json", "{"), ("a.toml", "\ud800")],
)
def test_a_file_that_is_none_is_told(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(AuditError, match=str(path)):
        load(str(path))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
documents = st.recursive(
    st.dictionaries(
        texts,
        st.one_of(
            texts, st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False), st.lists(texts, max_size=3)
        ),
        max_size=4,
    ),
    lambda inner: st.dictionaries(texts, st.one_of(texts, inner), max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(documents)
def test_any_document_comes_back_from_toml(document: dict) -> None:
    assert tomllib.loads(toml(document)) == document


def test_a_region_is_json_too(audited: Audited) -> None:
    json.dumps(as_document(audited(rows(3)).region, "x"), allow_nan=False)
