"""`benchlint coverage` through a judge: real litellm, real HTTP, a loopback endpoint."""

from __future__ import annotations

import json

from tests.cli.conftest import asked, benchlint_
from tests.judges.endpoint import Call, Reply, answer


def challenging(call: Call) -> str:
    """A judge by whom every request but that of the fourth task runs into the second item."""
    hit = {"policy_item": 2, "quote": "borrow", "reason": "Three are the most.", "confidence": 0.9}
    return answer(call, violations=[] if "member m4 " in call.user else [hit])


def test_models_are_asked_about_violations_alone_and_the_share_is_s_vcov(library, endpoint):
    endpoint.script = challenging
    (found,) = json.loads(benchlint_("coverage --format json").stdout)
    assert asked(endpoint) == {"violations": 4}
    assert found["s_vcov"] == 1 / 4
    assert found["covered"]["judged"] == {"covered": 1, "items": 4}
    item = next(item for item in found["items"] if item["text"].startswith("A member may have"))
    assert item["judged"] == ["t1", "t2", "t3"]
    assert (item["guards"], item["offline"]) == (None, None)
    text = benchlint_("coverage --judge cached").stdout
    assert "  judged  1 of 4 items, S_vcov 0.25\n" in text
    assert "  offline it did not read\n" in text
    assert asked(endpoint) == {}


def test_k_is_that_of_the_configuration(library, endpoint):
    endpoint.script = challenging
    path = library / "benchlint.toml"
    path.write_text(path.read_text() + "thresholds = { challengers = 4 }\n")
    text = benchlint_("coverage").stdout
    assert "challenged by 4 tasks or more:\n  judged  0 of 4 items, S_vcov 0.00\n" in text


def test_a_dry_run_asks_nobody(library, endpoint):
    result = benchlint_("coverage --dry-run")
    assert result.stdout.startswith("4 requests: 0 known already, 4 calls of openai/judge\n")
    assert asked(endpoint) == {}


def test_missing_verdicts_are_no_coverage(library, endpoint):
    endpoint.script = lambda _: Reply(status=401, error="no")
    result = benchlint_("coverage", code=3)
    assert "judged  no verdict" in result.stdout
    assert "4 wanted verdicts are missing, and allow-missing is 0" in result.stderr
    benchlint_("coverage --allow-missing 4")
    assert "(max-calls) is reached" not in benchlint_("coverage --max-calls 0", code=3).stdout
