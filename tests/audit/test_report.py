"""The written forms of an audit."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import polars as pl
import pytest

from benchlint.audit.report import FORMATS, render
from benchlint.audit.report.html import fragment
from benchlint.audit.report.numbers import percent, probability, share, signed
from benchlint.audit.report.sections import sections
from benchlint.audit.stats.estimate import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.audit.audit import Audit

    Audited = Callable[..., Audit]
    Made = Callable[..., pl.DataFrame]

HOSTILE = "</script><b>x & \x1b[31m\u202eä 🎈|`*_"
VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(HTMLParser):
    """Checks that elements close in order, and collects what could leave the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.names.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name in ("src", "href", "action", "xlink:href", "srcset") and not str(value).startswith("#"):
                self.outside.append(f"{tag} {name}={value}")

    def handle_startendtag(self, tag: str, attributes: list) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page(text: str) -> Page:
    found = Page()
    found.feed(text)
    found.close()
    assert found.open == []
    return found


@pytest.fixture
def hostile(transcripts: Made, audited: Audited) -> Audit:
    data = transcripts().with_columns(
        agent=pl.when(pl.col("agent") == "a00").then(pl.lit(HOSTILE)).otherwise(pl.col("agent")),
        domain=pl.col("domain") + HOSTILE,
    )
    return audited(data)


def test_the_page_stands_alone(hostile: Audit) -> None:
    text = render(hostile, "html")
    found = page(text)
    assert found.outside == []
    assert {"script", "link", "img", "iframe", "object"}.isdisjoint(found.names)
    assert "@import" not in text
    assert "url(" not in text
    assert found.names.count("svg") > 5
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text
    assert "default-src 'none'" in text


@pytest.mark.parametrize("form", FORMATS)
def test_what_files_say_is_shown_and_not_obeyed(hostile: Audit, form: str) -> None:
    text = render(hostile, form)
    assert "\x1b" not in text
    assert "\u202e" not in text
    if form == "html":
        assert HOSTILE[:10] not in text
        assert "&lt;/script&gt;" in text
    if form == "markdown":
        assert "</script>" not in text
        assert all(line.count(" | ") >= 1 for line in text.splitlines() if line.startswith("| "))
    if form == "json":
        assert text.isascii()


def test_every_group_is_a_section_or_told_to_be_missing(transcripts: Made, audited: Audited) -> None:
    audit = audited(transcripts())
    shown = sections(audit)
    names = [name for name in audit.as_dict() if audit.as_dict()[name] is not None]
    assert [section.key for section in shown] == names
    for form in ("text", "markdown", "html"):
        text = render(audit, form)
        for section in shown:
            assert section.title.rstrip("?").split(",")[0] in text
            assert section.lacks or section.grids or section.sentences
    assert "Not told" in render(audit, "text")


def test_json_holds_every_figure_under_its_own_name(transcripts: Made, audited: Audited) -> None:
    audit = audited(transcripts())
    found = json.loads(render(audit, "json"))
    assert list(found) == ["version", *audit.as_dict()]
    rho = found["ranking"]["signals"]["gate"]["spearman"]
    assert rho == {
        "value": audit.ranking.signals["gate"].spearman.value,
        "low": audit.ranking.signals["gate"].spearman.low,
        "high": audit.ranking.signals["gate"].spearman.high,
        "count": 16,
        "reason": None,
    }


NAMES = {
    "overview": "source unit rows agents base_models signals notes reason",
    "construct": "ceiling clustered_by signals panel populations reason",
    "ranking": "signals smallest_detectable clustered_by clusters range_by_domain anchoring reason",
    "decisions": "threshold ties clustered_by clusters signals overlaps reason",
    "abstention": "signals reason",
    "region": "near_equal tolerance judges simulators domains agents base_models reward_from reward_to valid_until"
    " reason",
    "surplus": "signal formula printed agents reason",
    "tiers": "broken working tiers signals reason",
    "calibration": "curves reason",
    "self_preference": "preferences reason",
    "judges": "top_k pairs top displacement reason",
    "ensembles": "judges single mean weighted weighted_by_provider by_stratum reason",
    "simulators": "simulators between reason",
    "personas": "baseline personas reason",
    "dimensions": "over dimensions collinearity highest reason",
    "stability": "trials cells columns pass_k reason",
    "cheap_signals": "signals ended_normally judge_prices reason",
    "oracle": "rows null_rewards null_scores reward_basis llm_in_basis llm_decided terminations reason",
}


def test_names_in_json_are_stable(transcripts: Made, audited: Audited) -> None:
    """A new version may add a name, and does not rename or remove one."""
    found = audited(transcripts()).as_dict()
    assert list(found) == list(NAMES)
    for group, names in NAMES.items():
        assert set(names.split()) <= set(found[group]), group


def test_a_group_draws_itself_in_a_notebook(transcripts: Made, audited: Audited) -> None:
    audit = audited(transcripts())
    for shown in (audit, *audit.groups()):
        text = shown._repr_html_()
        page(text)
        assert text.startswith("<style>")
        assert "<html" not in text
    assert "Wrong decisions" in audit.decisions._repr_html_()
    assert "Success by score" in fragment(audit.calibration)


def test_the_text_report_keeps_columns_aligned(transcripts: Made, audited: Audited) -> None:
    text = render(audited(transcripts()), "text")
    grid = text.split("Pairs ordered wrongly\n")[1].split("\n\n")[0].splitlines()
    ends = [[match.end() for match in re.finditer(r"\S+ %(?=  |$)", line)] for line in grid[1:]]
    assert len({tuple(row) for row in ends}) == 1
    assert "\x1b[" in render(audited(transcripts()), "text", color=True)


def test_how_numbers_are_written() -> None:
    assert share(Estimate(23 / 80, 80)) == "23/80 = 28.8 %", "halves are rounded up"
    assert percent(Estimate(0.125, 8)) == "12.5 %"
    assert percent(Estimate(0.1225, 400)) == "12.3 %"
    assert probability(Estimate(2.025e-7, 1)) == "2.02e-7"
    assert probability(Estimate(0.01272, 1)) == "0.0127"
    assert probability(Estimate(0.0, 1)) == "< 1e-300"
    assert signed(Estimate(-0.001, 1)) == "+0.00"
