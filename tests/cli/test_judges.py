"""Judges from the command line: real litellm, real HTTP, a loopback endpoint."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from tests.judges import conftest
from tests.judges.conftest import DATABASE, write_benchmark
from tests.judges.endpoint import Call, Endpoint, Reply, answer
from typer.testing import CliRunner, Result

import benchlint
from benchlint.analysis import run
from benchlint.catalogue import rule
from benchlint.catalogue.rule import load_rules
from benchlint.cli.app import app
from benchlint.judges import llm
from benchlint.judges.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYS = [name for name in os.environ if name.endswith("_API_KEY")]
CONFIG = """\
[judge]
models = "openai/judge"
base-url = "{url}"
share = ["task", "policy", "records"]
"""
SHARED = Path(__file__).parents[3] / "shared" / "data" / "intellagent"


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(llm, "_works", {})
    monkeypatch.setattr(llm, "_refuses", {})
    for name in KEYS:
        monkeypatch.delenv(name)
    with Endpoint() as server:
        yield server


@pytest.fixture
def library(tmp_path: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A benchmark of four tasks whose configuration names the endpoint; the working folder."""
    write_benchmark(tmp_path / "library", [task(number) for number in range(1, 5)])
    (tmp_path / "library" / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url))
    monkeypatch.chdir(tmp_path / "library")
    return tmp_path / "library"


def task(number: int) -> dict:
    """Return a task in which checks find nothing."""
    found = conftest.task(number)
    criteria = found["evaluation_criteria"]
    for index, action in enumerate(criteria["actions"]):
        action["action_id"] = f"{number}_{index}"
    return found | {"evaluation_criteria": criteria | {"reward_basis": ["DB", "NL_ASSERTION"]}}


def benchlint_(arguments: str, code: int | None = 0) -> Result:
    """Run a command; check its exit code."""
    env = {"NO_COLOR": "1", "COLUMNS": "100", "BENCHLINT_DEBUG": ""}
    result = CliRunner().invoke(app, arguments.split(), env=env, prog_name="benchlint")
    shown = f"$ benchlint {arguments}\n{result.stdout}{result.stderr}"
    assert "Traceback" not in shown
    assert "crashed" not in shown
    if code is not None:
        assert result.exit_code == code, shown
    return result


def asked(endpoint: Endpoint) -> Counter[str]:
    """Return how many calls came on each metric, and forget them."""
    counts = Counter(call.metric for call in endpoint.calls)
    endpoint.calls.clear()
    return counts


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def without_confirmation(call: Call) -> str:
    """A judge that faults the loan in the first task."""
    text = answer(call)
    if call.metric == "policy_alignment" and "member m1 " in call.user:
        fault = {"rule": "missing-confirmation", "part": 4, "quote": "lend_book", "policy_items": [3]}
        fault |= {"reason": "The loan comes without a yes.", "confidence": 0.9, "rewrite": None}
        text = answer(call, score=3, findings=[fault])
    return text


PER_TASK = ("description_alignment", "policy_alignment", "violations", "ambiguity")


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


@pytest.mark.parametrize("share", ["", 'share = ["task"]\n'])
def test_nothing_leaves_the_machine_without_consent(library, endpoint, monkeypatch, share):
    (library / "benchlint.toml").write_text(
        f'[judge]\nmodels = "openai/judge"\nbase-url = "http://192.0.2.1/v1"\n{share}'
    )
    result = benchlint_("lint --no-cache --max-calls 0", 3 if share else 2)
    if share:
        assert '"policy" is not in share' in result.stdout
    else:
        assert "would be sent to openai/judge, which is not on this machine" in result.stderr
        assert result.stdout == ""
        told = benchlint_("lint --no-cache --dry-run").stdout
        assert "17 calls of openai/judge" in told
        assert "a run would stop before the first call" in told
    assert endpoint.calls == []


def test_only_what_is_shared_is_sent(library, endpoint):
    (library / "benchlint.toml").write_text(
        f'[judge]\nmodels = "openai/judge"\nbase-url = "{endpoint.url}"\nshare = ["task"]\n'
    )
    benchlint_("lint -q")
    sent = json.dumps([call.body for call in endpoint.calls])
    assert asked(endpoint) == {"description_alignment": 4}
    assert "Uppsala" not in sent
    assert "at most three loans" not in sent


def test_what_is_redacted_is_not_sent_and_shown_as_it_is_sent(library, endpoint):
    config = CONFIG.format(url=endpoint.url) + 'redact = ["NAME", "cit?"]\nredact-text = ["book b[0-9]"]\n'
    (library / "benchlint.toml").write_text(config)
    shown = benchlint_("judge show t2").stdout
    assert '"name": "[redacted]", "city": "[redacted]"' in shown
    assert "want to borrow the [redacted]." in shown
    assert "Uppsala" not in shown
    benchlint_("lint -q")
    for call in endpoint.calls:
        if "member m2 " in call.user and call.metric:
            assert call.user in shown
            assert "Name 2" not in call.user
    only = benchlint_("judge show t2 . --metric violations").stdout
    titles = ["tasks.json, violations: system", "tasks.json, violations: user"]
    assert re.findall(r"^=== (.*) ===$", only, re.MULTILINE) == titles
    assert (
        'there is no task "t22": did you mean "t2"?' in benchlint_("judge show t22 --config benchlint.toml", 2).stderr
    )


def test_cached_verdicts_need_no_key_and_no_network(library, endpoint, monkeypatch):
    endpoint.script = without_confirmation
    first = benchlint_("lint --format json").stdout
    told = benchlint_("cache export . --output verdicts.jsonl --judge openai/judge").stderr
    assert told == "benchlint: verdicts.jsonl was written; it holds 17 verdicts\n"
    assert benchlint_("cache export").stdout.count("\n") == 17
    assert "17 verdicts" in benchlint_("cache info").stdout
    assert benchlint_("cache prune --older-than 1").stderr == "benchlint: 0 verdicts deleted\n"
    assert benchlint_("cache clear").stderr == "benchlint: 17 verdicts deleted\n"
    asked(endpoint)
    told = benchlint_("lint --judge cached", 3)
    assert "17 wanted verdicts are missing, and allow-missing is 0" in told.stderr
    assert 'no verdict on violations for 4 tasks: "t1", "t2", "t3", "t4" (no cached verdict)' in told.stdout
    benchlint_("lint -q --judge cached --allow-missing 17")
    assert benchlint_("cache import verdicts.jsonl").stderr == "benchlint: verdicts.jsonl: 17 verdicts added\n"
    assert benchlint_("lint --format json --judge cached").stdout == first
    benchlint_("cache clear")
    (library / "benchlint.toml").write_text('[judge]\nverdicts = "verdicts.jsonl"\n')
    assert benchlint_("lint --format json --no-cache").stdout == first
    replaced(library / "tasks.json", "You are member m3", "You are the member m3")
    stale = benchlint_("lint --no-network", 3)
    assert 'no verdict on violations for 1 task: "t3"' in stale.stdout
    assert "was given on another text or by another model" in stale.stdout
    assert asked(endpoint) == {}


def test_committed_verdicts_save_calls(library, endpoint):
    benchlint_("lint -q")
    benchlint_("cache export . --output verdicts.jsonl")
    benchlint_("cache clear")
    asked(endpoint)
    (library / "benchlint.toml").write_text(CONFIG.format(url=endpoint.url) + 'verdicts = "verdicts.jsonl"\n')
    assert "17 verdicts known already" in benchlint_("lint").stderr
    assert asked(endpoint) == {}


def test_without_network_a_configured_model_is_not_asked(library, endpoint):
    benchlint_("lint -q --no-network")
    assert endpoint.calls == []
    assert "nobody can be asked" in benchlint_("lint --no-network --judge openai/judge", 2).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--judge none,offline", 'the judge "none" stands alone'),
        ("--judge cached,openai/judge", 'the judge "cached" asks nobody'),
        ("--judge cached --no-cache", "there is no cache to take verdicts from"),
        ("--dry-run --fix", "it does not go with --fix"),
    ],
)
def test_wrong_use(library, arguments, message):
    assert message in re.sub(r"[│\s]+", " ", benchlint_(f"lint {arguments}", 2).stderr)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('verdicts = "none.jsonl"', "none.jsonl: there is no such file; `benchlint cache export"),
        ('verdicts = "tasks.json"', "tasks.json: line 1 is no JSON"),
        ('trust = "none.toml"', "none.toml: there is no such file"),
        ('trust = "policy.md"', "policy.md: line 4: the file is no TOML"),
        ('models = "openai/x"\nbase-url = "host"', "the base URL must look like"),
        ('models = "openai/x"\nparameters = { tempo = 3 }', 'unknown parameter "tempo"'),
        ('models = "openai/x"\nparameters = { seed = "a" }', "the parameter seed must be a number"),
    ],
)
def test_a_configuration_that_cannot_be_used(library, line, message):
    (library / "benchlint.toml").write_text(f"[judge]\n{line}\n")
    judge = "" if "models" in line or "verdicts" in line else " --judge offline"
    assert message in benchlint_(f"lint{judge}", 2).stderr


def test_a_dry_run_asks_nobody_and_knows_what_is_known(library, endpoint):
    told = benchlint_("lint --dry-run").stdout
    assert told.startswith("17 requests: 0 known already, 17 calls of openai/judge\ntokens: about ")
    assert "price: unknown" in told
    assert endpoint.calls == []
    (library / "benchlint.toml").write_text(
        CONFIG.format(url=endpoint.url) + "max-usd = 0.01\n[judge.price]\ninput = 1\noutput = 2\n"
    )
    assert "the run will stop at $0.01" in benchlint_("lint --dry-run").stdout
    assert "max-calls: 12 calls more" in benchlint_("lint --dry-run --max-calls 5").stdout
    benchlint_("lint -q --max-usd 9")
    assert benchlint_("lint --dry-run").stdout == "17 requests: 17 known already, 0 calls of openai/judge\n"
    assert benchlint_("lint --dry-run --judge offline").stdout == "no model is asked, so there is nothing to pay\n"


def test_limits_end_a_run_and_keep_what_there_is(library, endpoint):
    run = benchlint_("lint --max-calls 5", 3)
    assert "no more was asked: the limit of 5 calls (max-calls) is reached" in run.stdout
    assert "5 calls" in run.stderr
    assert sum(asked(endpoint).values()) == 5
    assert "12 calls" in benchlint_("lint").stderr
    (library / "benchlint.toml").write_text(
        CONFIG.format(url=endpoint.url) + "max-usd = 0.005\nconcurrency = 1\n[judge.price]\ninput = 1\noutput = 2\n"
    )
    run = benchlint_("lint --no-cache", 3)
    assert "the limit of $0.005 (max-usd) is reached" in run.stdout
    assert ", $0.00" in run.stderr


@pytest.mark.parametrize("reply", [Reply(status=401, error="no such key"), "I would rather not say."])
def test_no_verdict_is_never_clean(library, endpoint, reply):
    endpoint.script = lambda call: reply
    run = benchlint_("lint", 3)
    assert "no verdict on description alignment for " in run.stdout
    assert "wanted verdicts are missing" in run.stderr
    assert benchlint_("cache info").stdout.splitlines()[1] == "0 verdicts, 0.0 MB"


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


def git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def test_each_model_is_asked_in_its_own_way(library, endpoint, monkeypatch):
    monkeypatch.setenv("BENCHLINT_API_KEY", "sk-meant-for-the-first")
    monkeypatch.setenv("BENCHLINT_OTHER_KEY", "sk-meant-for-the-other")
    with Endpoint() as other:
        (library / "benchlint.toml").write_text(
            f"""[judge]
base-url = "{endpoint.url}"
parameters = {{ seed = 1, top_p = 0.5 }}
metrics = ["policy_alignment"]

[judge.models."openai/first"]

[judge.models."hosted_vllm/other"]
base-url = "{other.url}"
key-variable = "BENCHLINT_OTHER_KEY"
parameters = {{ seed = 2, max-tokens = 100 }}
repeats = 2
"""
        )
        benchlint_("lint -q")
        bodies = [call.body for call in endpoint.calls]
        assert {(body["model"], body["seed"], body["top_p"], body["max_tokens"]) for body in bodies} == {
            ("first", 1, 0.5, 4096)
        }
        assert {call.headers["Authorization"] for call in endpoint.calls} == {"Bearer sk-meant-for-the-first"}
        bodies = [call.body for call in other.calls]
        assert {(body["model"], body["seed"], body["top_p"], body["max_tokens"]) for body in bodies} == {
            ("other", 2, 0.5, 100)
        }
        assert {call.headers["Authorization"] for call in other.calls} == {"Bearer sk-meant-for-the-other"}
        assert (len(endpoint.calls), len(other.calls)) == (4, 8)
        # what changes for one model changes nothing for the other
        replaced(library / "benchlint.toml", "seed = 2", "seed = 3")
        benchlint_("lint -q")
        assert (len(endpoint.calls), len(other.calls)) == (4, 16)
        benchlint_("lint -q --judge hosted_vllm/other")
        assert len(other.calls) == 16


def test_consent_is_needed_for_each_model_that_is_not_on_this_machine(library, endpoint):
    (library / "benchlint.toml").write_text(
        f"""[judge.models."openai/here"]
base-url = "{endpoint.url}"

[judge.models."openai/away"]
base-url = "https://judge.example.org/v1"
"""
    )
    message = " ".join(benchlint_("lint -q", 2).stderr.split())
    assert "would be sent to openai/away, which is not on this machine" in message
    assert "openai/here" not in message
    assert endpoint.calls == []
    benchlint_("lint -q --judge openai/here")
    assert endpoint.calls != []


def test_changed_since_a_revision(library, endpoint):
    git(library, "init", "-q")
    replaced(library / "tasks.json", '"lend_book"', '"lend_bok"')
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    benchlint_("lint -q --judge none", 1)
    assert benchlint_("lint -q --judge none --changed-since HEAD").stdout == ""
    text = json.loads((library / "tasks.json").read_text())
    text[2]["evaluation_criteria"]["actions"][1]["name"] = "lend_buk"
    (library / "tasks.json").write_text(json.dumps([text[3], *text[:3], task(9)], indent=1))
    found = json.loads(benchlint_("lint --format json --changed-since HEAD --select tools,duplicate-task", 1).stdout)
    assert [item["task"] for item in found["findings"]] == ["t3"]
    assert endpoint.calls == []
    benchlint_("lint -q --changed-since HEAD --fail-on never")
    about = {name for call in endpoint.calls for name in re.findall(r"You are member (m\d)", call.user)}
    assert about == {"m3", "m9"}
    assert asked(endpoint) == dict.fromkeys(PER_TASK, 2)
    git(library, "commit", "-q", "-a", "-m", "second")
    shown = "lint -q --judge none --format concise --select tools --changed-since"
    assert benchlint_(f"{shown} HEAD").stdout == ""
    assert "lend_buk" in benchlint_(f"{shown} HEAD~1", 1).stdout
    assert "lend_bok" not in benchlint_(f"{shown} HEAD~1", 1).stdout


@pytest.mark.parametrize(
    ("file", "calls"),
    [("policy.md", {"contradictions": 1}), ("policy.items.yaml", {"contradictions": 1}), ("tools.json", {})],
)
def test_the_policy_is_judged_where_it_has_changed_since_a_revision(library, endpoint, file, calls):
    (library / "policy.items.yaml").write_text(
        "reviewed: true\nitems:\n- {id: one, text: A member may have at most three loans.}\n"
    )
    git(library, "init", "-q")
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    benchlint_("lint -q --changed-since HEAD")
    assert endpoint.calls == []
    with (library / file).open("a") as changed:
        changed.write("\n")
    benchlint_("lint -q --changed-since HEAD")
    assert asked(endpoint) == calls


def test_changed_since_needs_a_repository_and_a_revision(library):
    assert "is in no git repository" in benchlint_("lint --changed-since HEAD", 2).stderr
    git(library, "init", "-q")
    assert 'git knows no revision "nope"' in benchlint_("lint --changed-since nope", 2).stderr
    assert "git knows no revision" in benchlint_("lint --changed-since --output=x", 2).stderr


def test_a_revision_runs_nothing_that_a_repository_configures(library):
    git(library, "init", "-q")
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    trap = library / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {library}/ran\ncat\n")
    trap.chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "diff.json.textconv", "filter.x.smudge", "core.sshCommand"):
        git(library, "config", name, str(trap))
    (library / ".gitattributes").write_text("*.json diff=json filter=x\n")
    replaced(library / "tasks.json", "You are member m3", "You are the member m3")
    benchlint_("lint -q --judge none --changed-since HEAD")
    assert not (library / "ran").exists()


def imported(folder: Path, *arguments: str) -> set[str]:
    script = (
        "import sys\nfrom benchlint.cli.app import app\n"
        "try:\n    app(sys.argv[1:], prog_name='benchlint')\nexcept SystemExit:\n    pass\n"
        "import json; print('\\n' + json.dumps(sorted(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_what_is_imported_for_whom(library):
    fixtures = Path(__file__).parents[2] / "fixtures"
    actions = imported(library, "lint", "--config", str(_empty(library)))
    assert not any(name.startswith(("benchlint.judges", "litellm", "diskcache")) for name in actions)
    prose = imported(fixtures / "hotel", "lint")
    assert "benchlint.judges.offline" in prose
    assert not {"litellm", "diskcache", "jinja2"} & prose
    cached = imported(library, "lint", "--judge", "cached")
    assert "diskcache" in cached
    assert "litellm" not in cached


def _empty(folder: Path) -> Path:
    path = folder / "empty.toml"
    path.write_text("")
    return path


def test_a_warm_run_does_not_import_litellm(library, endpoint):
    benchlint_("lint -q")
    assert "litellm" not in imported(library, "lint")


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
