"""Items that say the same with another amount or a negation: planted, and their clean twins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.config import ConfigLookup

SHARED = Path(__file__).parents[2] / "../shared/data"
TASK = [{"id": "1", "user_scenario": {"instructions": "You want to renew a loan."}}]


def found(folder: Path, *items: str, headings: tuple[str, ...] = ("Café",)):
    text = "# Library\n\n" + "\n".join(f"## {name}\n\n" + "\n".join(items) + "\n" for name in headings)
    (folder / "policy.md").write_text(text, encoding="utf-8")
    (folder / "tasks.json").write_text(json.dumps(TASK))
    options = Options(select=("contradictory-policy", "internal-error"))
    return text, run([str(folder)], Snapshot(), ConfigLookup(), options).findings


PLANTED = {
    "an amount": ("- A late return costs 2 euros.", "- A late return costs 3 euros.", "it says 3 where another item"),
    "an amount in front": ("- A lost book costs €12.50.", "- A lost book costs €15.", "says 12.50"),
    "a number in words": ("A loan lasts two weeks.", "A loan lasts four weeks.", "it says 4 where"),
    "a limit": ("- Readers may keep at most 3 books.", "- Readers may keep at most **5** books.", "it says 5 where"),
    "a share": ("The discount is 10 %.", "The discount is 15 %.", "says 10"),
    "a ban of what is allowed": ("- Loans can be renewed.", "- Loans cannot be renewed.", "another item says the same"),
    "allowed what is banned": ("- You must never call a reader.", "- You must call a reader.", "another item negates"),
    "spelling": ("- Loans CAN be renewed", "- loans can’t be renewed!", "another item says the same without"),
}


@pytest.mark.parametrize(("first", "second", "message"), PLANTED.values(), ids=PLANTED)
def test_a_plain_contradiction_is_found(tmp_path, first, second, message):
    text, (finding,) = found(tmp_path, first, "", "- Be kind to every reader.", "", second)
    assert finding.rule == "contradictory-policy"
    assert message in finding.message
    data = text.encode()
    words = second.removeprefix("- ").replace("**", "")
    assert data[finding.anchor.start : finding.anchor.end].decode().replace("**", "") == words
    (related,) = finding.related
    assert data[related.anchor.start : related.anchor.end].decode() == first.removeprefix("- ")


CLEAN = {
    "the same twice": ("- A late return costs 2 euros.", "- A late return costs 2 euros."),
    "other words": ("- A late return costs 2 euros.", "- A late reservation costs 3 euros."),
    "a condition": ("- If it is late, it costs 2 euros.", "- If it is late, it costs 3 euros."),
    "steps": ("- Over 3 days a return costs 2 euros.", "- Over 9 days a return costs 5 euros."),
    "a range": ("- Returns after 3 days are late.", "- Returns after 5 days are late."),
    "names with numbers": ("- Room 1 has a window.", "- Room 2 has a window."),
    "plans": ("- Plan 1 is for readers of age.", "- Plan 2 is for readers of age."),
    "each": ("- 1 free bag for each economy seat.", "- 2 free bag for each economy seat."),
    "cells": ("- Fee: 2 euros", "- Fee: 3 euros"),
    "a negation and another number": ("- It costs 2 euros a day.", "- It does not cost 3 euros a day."),
    "two numbers": ("- Pay 2 euros in 3 days.", "- Pay 4 euros in 5 days."),
    "a choice": ("One of these must hold:", "- The loan is 2 days old.", "- The loan is 3 days old."),
    "lists of two cases": (
        *("For children:", "- A loan lasts 2 weeks.", ""),
        *("For teachers:", "- A loan lasts 9 weeks."),
    ),
}


@pytest.mark.parametrize("items", CLEAN.values(), ids=CLEAN)
def test_nothing_is_found_in_the_clean_twins(tmp_path, items):
    assert found(tmp_path, *items)[1] == ()


def test_other_headings_are_another_case(tmp_path):
    text = "# Library\n\n## Children\n\nA loan lasts 2 weeks.\n\n## Teachers\n\nA loan lasts 9 weeks.\n"
    found(tmp_path)
    (tmp_path / "policy.md").write_text(text)
    options = Options(select=("contradictory-policy",))
    assert run([str(tmp_path)], Snapshot(), ConfigLookup(), options).findings == ()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not there")
def test_real_policies_do_not_contradict_themselves():
    options = Options(select=("contradictory-policy", "internal-error"))
    result = run([str(SHARED)], Snapshot(), ConfigLookup(), options)
    assert result.findings == ()
    assert sum(benchmark.policy is not None for benchmark in result.benchmarks) >= 5
