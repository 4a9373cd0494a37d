"""What judges say, from the command line: real litellm, real HTTP, a loopback endpoint."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.cli.conftest import CONFIG, PER_TASK, asked, benchlint_, replaced, task, without_confirmation
from tests.judges.conftest import DATABASE, write_benchmark
from tests.judges.endpoint import Call, Reply, answer

import benchlint
from benchlint.analysis import run
from benchlint.catalogue import rule
from benchlint.catalogue.rule import load_rules
from benchlint.judges.errors import JudgeError

SHARED = Path(__file__).parents[3] / "shared" / "data" / "intellagent"


def test_editing_one_task_of_114_asks_about_that_task_alone(library, endpoint):
    write_benchmark(library, [task(number) for number in range(1, 115)])
    benchlint_("lint -q")
    assert asked(endpoint) == {**dict.fromkeys(PER_TASK, 114), "contradictions": 1}
    benchlint_("lint -q")
    assert asked(endpoint) == {}
    replaced(library / "tasks.json", "want to borrow the book b7.", "would like to borrow the book b7.")
    benchlint_("lint -q")
    assert all("would like" in call.user for call in endpoint.calls)
    assert asked(endpoint) == dict.fromkeys(PER_TASK, 1)


def test_a_changed_record_asks_about_the_tasks_that_reach_it(library, endpoint):
    benchlint_("lint -q")
    asked(endpoint)
    changed = json.loads(json.dumps(DATABASE))
    changed["members"]["m2"]["city"] = "Kalmar"
    (library / "db.json").write_text(json.dumps(changed))
    benchlint_("lint -q")
    assert {call.user.count("Kalmar") for call in endpoint.calls} == {1}
    assert asked(endpoint) == dict.fromkeys(PER_TASK, 1)


def test_a_changed_policy_item_never_asks_about_the_description(library, endpoint):
    benchlint_("lint -q")
    asked(endpoint)
    replaced(library / "policy.md", "at most three loans", "at most four loans")
    benchlint_("lint -q")
    assert asked(endpoint) == {"policy_alignment": 4, "violations": 4, "ambiguity": 4, "contradictions": 1}


def test_a_changed_rubric_asks_on_its_metric(library, endpoint, monkeypatch):
    benchlint_("lint -q")
    asked(endpoint)
    rules = dict(load_rules())
    unmet = rules["unmet-request"]
    assert unmet.metric == "description_alignment"
    rules["unmet-request"] = replace(unmet, source=unmet.page.replace("## Rubric\n", "## Rubric\n\nBe strict.\n"))
    monkeypatch.setattr(run, "load_rules", lambda: rules)
    benchlint_("lint -q")
    assert asked(endpoint) == {"description_alignment": 4}


def test_another_model_and_other_parameters_ask_anew(library, endpoint):
    benchlint_("lint -q")
    asked(endpoint)
    benchlint_("lint -q --judge openai/other")
    assert sum(asked(endpoint).values()) == 17
    (library / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url) + "parameters = { seed = 3 }\n")
    benchlint_("lint -q")
    assert sum(asked(endpoint).values()) == 17
    benchlint_("lint -q --judge openai/other --no-cache")
    assert sum(asked(endpoint).values()) == 17


def test_rules_that_nobody_wants_ask_nothing(library, endpoint):
    assert benchlint_("lint --select syntax").stderr == ""
    assert asked(endpoint) == {}
    benchlint_("lint -q --select missing-confirmation")
    assert asked(endpoint) == {"policy_alignment": 4}


def test_what_a_judge_finds_is_weighed_suppressed_and_known(library, endpoint):
    endpoint.script = without_confirmation
    found = json.loads(benchlint_("lint --format json --select missing-confirmation,uncalibrated-judge").stdout)
    judged, uncalibrated = sorted(found["findings"], key=lambda item: item["rule"])
    assert (judged["rule"], judged["task"], judged["quote"]) == ("missing-confirmation", "t1", "lend_book")
    assert (judged["severity"], judged["found_by"]) == ("information", "judge")
    assert uncalibrated["rule"] == "uncalibrated-judge"
    config = CONFIG.format(url=endpoint.url)
    rubric = load_rules()["missing-confirmation"].rubric_hash
    measured = '[[measurement]]\njudge = "openai/judge"\nrule = "missing-confirmation"\nn = 100\nprecision = 1.0\n'
    (library / "trust.toml").write_text(measured)
    (library / "benchlint.toml").write_text(config + 'trust = "trust.toml"\n')
    assert "rubric of measurement 1: it is needed" in benchlint_("lint", 2).stderr
    (library / "trust.toml").write_text(measured + 'rubric = "00000000"\n')
    found = json.loads(benchlint_("lint --format json --select missing-confirmation,uncalibrated-judge").stdout)
    outdated = next(item for item in found["findings"] if item["rule"] == "uncalibrated-judge")
    assert "has not been measured on missing-confirmation since the rubric changed" in outdated["message"]
    assert {item["severity"] for item in found["findings"]} == {"information"}
    (library / "trust.toml").write_text(f'{measured}rubric = "{rubric}"\n')
    trusted = config + 'trust = "trust.toml"\n'
    (library / "benchlint.toml").write_text(trusted)
    found = json.loads(benchlint_("lint --format json --select missing-confirmation,uncalibrated-judge").stdout)
    assert [item["severity"] for item in found["findings"]] == ["warning"]
    benchlint_("lint -q --select missing-confirmation --fail-on warning", 1)
    benchlint_("lint -q --select missing-confirmation --write-baseline known.json")
    benchlint_("lint -q --select missing-confirmation --fail-on hint --baseline known.json")
    ignore = '[[ignore]]\nrule = "missing-confirmation"\ntask = "t{}"\nreason = "said aloud"\n'
    (library / "benchlint.toml").write_text(trusted + ignore.format(1))
    benchlint_("lint -q --select missing-confirmation,unused-suppression --fail-on hint")
    (library / "benchlint.toml").write_text(trusted + ignore.format(1) + ignore.format(2))
    assert "unused-suppression" in benchlint_("lint -q --select missing-confirmation,unused-suppression").stdout


def test_a_suppression_is_not_unused_because_a_verdict_is_missing(library, endpoint):
    ignore = '[[ignore]]\nrule = "missing-confirmation"\ntask = "t1"\nreason = "said aloud"\n'
    (library / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url) + ignore)
    unused = "lint -q --select missing-confirmation,unused-suppression"
    assert "unused-suppression" in benchlint_(unused).stdout
    assert benchlint_(f"{unused} --no-cache --max-calls 2", 3).stdout == ""
    assert benchlint_(f"{unused} --judge none").stdout == ""


@pytest.mark.parametrize("reply", [Reply(status=401, error="no such key"), "I would rather not say."])
def test_no_verdict_is_never_clean(library, endpoint, reply):
    endpoint.script = lambda call: reply
    run = benchlint_("lint", 3)
    assert "no verdict on description alignment" in run.stdout
    assert "wanted verdicts are missing" in run.stderr
    assert benchlint_("cache info").stdout.splitlines()[1] == "0 verdicts, 0.0 MB"


def test_what_a_judge_says_without_a_quote_is_dropped_and_counted(library, endpoint):
    fault = {"rule": "unmet-request", "part": 1, "policy_items": [], "reason": "x", "confidence": 1, "rewrite": None}
    faults = [{**fault, "quote": ""}, {**fault, "quote": "You", "rule": "no-such-rule"}]
    endpoint.script = lambda call: answer(call, **({"findings": faults} if "desc" in call.metric else {}))
    run = benchlint_("lint")
    assert "note: tasks.json: 8 findings of judges were dropped: a finding quotes words" in run.stdout
    assert "unmet-request" not in run.stdout


def test_exit_codes_have_an_order(library, endpoint):
    replaced(library / "tasks.json", '"lend_book"', '"lend_bok"')
    benchlint_("lint -q", 1)
    benchlint_("lint -q --no-cache --max-calls 1", 3)
    benchlint_("lint -q --no-cache --max-calls 1 nowhere.json tasks.json", 2)
    benchlint_("lint -q --no-cache --max-calls 1 --allow-missing 16", 1)
    benchlint_("lint -q --no-cache --max-calls 1 --allow-missing 15 --fail-on never", 3)


def test_a_panel_shows_where_it_splits(library, endpoint):
    def script(call: Call) -> str:
        faults = call.body["model"] == "gpt-4o" and call.metric == "description_alignment" and "member m1 " in call.user
        return answer(call, score=2) if faults else answer(call)

    endpoint.script = script
    (library / "benchlint.toml").write_text(
        f'[judge]\nmodels = ["openai/gpt-4o", "openai/mistral"]\nbase-url = "{endpoint.url}"\n'
    )
    found = json.loads(benchlint_("lint --format json --select judge-disagreement").stdout)
    assert [(item["task"], item["found_by"]) for item in found["findings"]] == [("t1", "panel")]
    report = json.loads(benchlint_("report --format json").stdout)
    (benchmark,) = report["benchmarks"]
    assert set(benchmark["judges"]) == {"openai/gpt-4o", "openai/mistral"}
    assert benchmark["agreement"]["description_alignment"]["pairs"][0]["tasks"] == 4
    (library / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url) + "repeats = 3\n")
    asked(endpoint)
    benchlint_("lint -q")
    assert sum(asked(endpoint).values()) == 2 * 17 + 17


def test_a_report_has_all_four_numbers(library, endpoint):
    def script(call: Call) -> str:
        hit = {"policy_item": 2, "part": 1, "quote": "borrow the book", "reason": "A loan.", "confidence": 0.9}
        return answer(call, violations=[hit]) if call.metric == "violations" else answer(call)

    endpoint.script = script
    benchlint_("report -q --judge none --output empty.txt")
    assert endpoint.calls == []
    text = benchlint_("report --color never").stdout
    assert re.search(r"description alignment +judged +9\.00 \(9\.00 to 9\.00\) +4 tasks", text)
    assert re.search(r"violations a task +judged +1\.00", text)
    assert re.search(r"coverage, K = 3 +judged +0\.25", text)
    (library / "benchlint.toml").unlink()
    asked(endpoint)
    report = json.loads(benchlint_("report --format json").stdout)
    assert report["benchmarks"][0]["judged"]["coverage"]["value"] == 0.25, "what the cache knows counts"
    assert report["benchmarks"][0]["offline"]["violations_per_task"]["n"] == 4
    assert report["benchmarks"][0]["judged"]["violations_per_task"]["missing"] == 0
    assert endpoint.calls == []
    benchlint_("report --format html --output report.html --no-network")
    page = (library / "report.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert benchlint_("report -q --format markdown --no-cache").stdout.startswith("## ")


def test_limits_of_a_report(library, endpoint):
    benchlint_("report -q --min-description-alignment 8.5 --min-policy-alignment 9")
    low = benchlint_("report -q --min-description-alignment 9.5 --min-violations 0", 1)
    assert "description alignment is 9.00, and must be at least 9.5" in low.stderr
    (library / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url) + "[report]\nmin-coverage = 0.1\n")
    assert "coverage is 0.00, and must be at least 0.1" in benchlint_("report -q", 1).stderr
    benchlint_("report -q --min-coverage 0")
    unknown = benchlint_("report -q --judge offline --min-violations 0.1 --min-coverage 0", 3)
    assert "violations a task has no verdict, and must be at least 0.1" in unknown.stderr
    benchlint_("report -q --no-cache --max-calls 3 --max-usd 0 --min-coverage 0", 3)
    benchlint_("report -q --no-cache --max-calls 16 --allow-missing 99 --min-coverage 0 --config benchlint.toml")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--min-coverage nan", "it must be a number, not nan"),
        ("--min-coverage 1.5", "is not in the range"),
        ("--min-policy-alignment 11", "is not in the range"),
        ("--max-usd nan", "it must be a number, not nan"),
        ("--compare a.json b.json --min-coverage 0.5", "--compare knows no limits"),
    ],
)
def test_a_limit_that_limits_nothing_is_refused(library, endpoint, arguments, said):
    assert said in " ".join(benchlint_(f"report {arguments}", 2).stderr.split())
    assert endpoint.calls == []


def test_two_reports_are_compared(library, endpoint):
    benchlint_("report -q --format json --output before.json")
    endpoint.script = without_confirmation
    benchlint_("cache clear")
    benchlint_("report -q --format json --output after.json")
    shown = benchlint_("report --compare before.json after.json --format markdown").stdout
    assert "1 score fell" in shown
    assert "missing-confirmation" in shown
    assert "Nothing has changed" in benchlint_("report --compare after.json after.json").stdout
    benchlint_("report --compare before.json after.json --format html", 2)
    benchlint_("report --compare before.json after.json tasks.json", 2)
    assert "this is no output of" in benchlint_("report --compare db.json after.json", 2).stderr
    assert "no such file" in benchlint_("report --compare none.json after.json", 2).stderr


def test_the_offline_reader_is_the_default_and_its_fixes_make_prose_clean(tmp_path, monkeypatch):
    fixtures = Path(__file__).parents[2] / "fixtures" / "hotel-planted"
    for name in ("policy.md", "tasks.yaml", "tools.json"):
        (tmp_path / name).write_bytes((fixtures / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    found = json.loads(benchlint_("lint --format json").stdout)["findings"]
    assert {item["found_by"] for item in found} == {"offline"}
    assert {item["severity"] for item in found} == {"information"}
    assert len({item["rule"] for item in found} - {"uncalibrated-judge"}) == 5
    assert benchlint_("lint -q --judge none").stdout == ""
    assert json.loads(benchlint_("lint --format json --judge offline").stdout)["findings"] == found
    benchlint_("lint -q --fix --unsafe-fixes")
    assert benchlint_("lint -q").stdout == ""


def test_from_python(library, endpoint, monkeypatch):
    endpoint.script = without_confirmation
    report = benchlint.lint(select=["missing-confirmation"])
    assert [row.finding.task for row in report] == ["t1"]
    assert len(benchlint.lint(select=["missing-confirmation"], judge="none")) == 0
    with pytest.raises(JudgeError):
        benchlint.lint(judge=["cached", "openai/judge"])
    scores = benchlint.report()
    assert scores.benchmarks[0].judged.policy_alignment.n == 4
    page = report._repr_html_()
    assert ">missing-confirmation</td>" in page
    assert benchlint.lint(judge="none", select=["syntax"])._repr_html_() == "<p>Nothing found</p>"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not here")
def test_a_report_on_real_prose(monkeypatch):
    monkeypatch.chdir(SHARED)
    report = json.loads(benchlint_("report --format json").stdout)
    for benchmark in report["benchmarks"]:
        assert benchmark["judged"]["coverage"]["value"] is None
        assert benchmark["offline"]["violations_per_task"]["value"] > 0
        assert benchmark["offline"]["description_alignment"]["value"] is None
        assert benchmark["tasks"]
        assert len(benchmark["policy_items"]) == 49


OWN = """\
---
name: rude-agent
severity: warning
found-by: judge
metric: description_alignment
---

# rude-agent

## What it finds

An expected behaviour that is rude.

## Rubric

Report what a polite person would not say.
"""


def test_a_page_of_ones_own_is_a_judged_rule(library, endpoint):
    def script(call: Call) -> str:
        fault = {"rule": "rude-agent", "part": 4, "quote": "lend_book", "policy_items": [], "reason": "It is curt."}
        is_rude = call.metric == "description_alignment" and "member m1 " in call.user
        return answer(call, findings=[fault | {"confidence": 0.9, "rewrite": None}]) if is_rude else answer(call)

    endpoint.script = script
    (library / "my-rules").mkdir()
    page = library / "my-rules" / "rude-agent.md"
    page.write_text(OWN)
    (library / "benchlint.toml").write_text('rules = ["my-rules"]\n' + CONFIG.format(url=endpoint.url))
    found = json.loads(benchlint_("lint --format json --select rude-agent").stdout)["findings"]
    assert [(item["rule"], item["task"], item["severity"]) for item in found] == [("rude-agent", "t1", "information")]
    assert "Report what a polite person would not say." in benchlint_("judge show t1").stdout
    assert json.loads(benchlint_("lint --format sarif").stdout)["runs"][0]["results"]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("rude-agent", "metric: description_alignment\n", "", 'the page needs "metric"'),
        ("rude-agent", "metric: description_alignment", "metric: mood", 'the page needs "metric"'),
        ("rude-agent", "## Rubric", "## Rubrics", 'and a section "Rubric"'),
        ("rude-agent", "name: rude-agent", "name: rude", "the name must be the file's"),
        ("unknown-tool", "name: rude-agent", "name: unknown-tool", "there is a rule unknown-tool already"),
    ],
)
def test_a_page_of_ones_own_that_cannot_be_used(library, endpoint, name, old, new, message):
    rule._parts.cache_clear()
    (library / "rules").mkdir()
    (library / "rules" / f"{name}.md").write_text(OWN.replace(old, new))
    (library / "own.toml").write_text('rules = ["rules"]\n')
    assert message in benchlint_("lint --config own.toml", 2).stderr
    assert endpoint.calls == []
