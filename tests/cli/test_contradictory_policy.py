"""contradictory-policy through `lint --judge`: real litellm, real HTTP, a loopback endpoint."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import asked, benchlint_, replaced
from tests.judges.conftest import POLICY
from tests.judges.endpoint import Call, Reply, answer

FIRST = "A member may have at most three loans."
SECOND = "A late return costs 2 euros."
PAIR = {
    "first": 2,
    "second": 4,
    "quote": "late return costs 2 euros",
    "reason": "A fourth loan returned late is both impossible and charged with 2 euros.",
    "confidence": 0.9,
}


def contradicting(*pairs: dict):
    def script(call: Call) -> str:
        return answer(call, contradictions=list(pairs)) if call.metric == "contradictions" else answer(call)

    return script


def rows(arguments: str = "", code: int | None = 0) -> list[dict]:
    found = json.loads(benchlint_(f"lint --format json {arguments}", code).stdout)["findings"]
    return [row for row in found if row["rule"] == "contradictory-policy"]


def test_a_contradiction_stands_in_the_policy_at_its_item(library, endpoint):
    endpoint.script = contradicting(PAIR)
    (row,) = rows()
    assert row["message"] == PAIR["reason"].removesuffix(".")
    assert row["severity"] == "information"
    assert row["found_by"] == "judge"
    line = POLICY.splitlines().index(f"- {SECOND}") + 1
    assert row["path"] == "policy.md"
    assert (row["range"]["start"]["line"], row["range"]["start"]["column"]) == (line, 3)
    (related,) = row["related"]
    assert FIRST in related["message"]
    assert related["path"] == "policy.md"
    assert related["range"]["start"]["line"] == POLICY.splitlines().index(f"- {FIRST}") + 1


def test_it_is_asked_once_a_policy_and_cached(library, endpoint):
    endpoint.script = contradicting(PAIR)
    rows("--select contradictory-policy")
    assert asked(endpoint) == {"contradictions": 1}
    assert len(rows("--select contradictory-policy")) == 1
    assert len(rows("--select contradictory-policy --judge cached")) == 1
    assert asked(endpoint) == {}
    replaced(library / "policy.md", "2 euros", "3 euros")
    rows("--select contradictory-policy")
    assert asked(endpoint) == {"contradictions": 1}


USELESS = {
    "an item with itself": [{**PAIR, "first": 4}],
    "an item that is not there": [{**PAIR, "first": 40}],
    "no quote": [{**PAIR, "quote": " "}],
    "unsure": [{**PAIR, "confidence": 0.3}],
}


@pytest.mark.parametrize("pairs", USELESS.values(), ids=USELESS)
def test_what_is_not_said_well_is_not_told(library, endpoint, pairs):
    endpoint.script = contradicting(*pairs)
    assert rows("--select contradictory-policy") == []


def test_no_verdict_is_not_clean(library, endpoint):
    endpoint.script = lambda call: Reply(status=401, error="no") if call.metric == "contradictions" else answer(call)
    assert rows("--select contradictory-policy", code=3) == []


def test_what_the_check_has_found_is_not_told_again(library, endpoint):
    replaced(library / "policy.md", f"- {SECOND}\n", f"- {SECOND}\n- A late return costs 5 euros.\n")
    endpoint.script = contradicting({**PAIR, "first": 4, "second": 5, "quote": "costs 5 euros"})
    (row,) = rows()
    assert row["found_by"] == "check"
    assert row["severity"] == "warning"
    assert row["message"] == "it says 5 where another item with the same words says 2"
