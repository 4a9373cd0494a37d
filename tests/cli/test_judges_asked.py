"""Which judges are asked, what leaves the machine, and what that may take: real litellm, a loopback endpoint."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import CONFIG, asked, benchlint_, replaced, without_confirmation
from tests.judges.endpoint import Endpoint


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
    every = "no verdict on description alignment, policy alignment, violations and ambiguity for"
    assert f'{every} 4 tasks: "t1", "t2", "t3", "t4" (no cached verdict)' in told.stdout
    benchlint_("lint -q --judge cached --allow-missing 17")
    assert benchlint_("cache import verdicts.jsonl").stderr == "benchlint: verdicts.jsonl: 17 verdicts added\n"
    assert benchlint_("lint --format json --judge cached").stdout == first
    benchlint_("cache clear")
    (library / "benchlint.toml").write_text('[judge]\nverdicts = "verdicts.jsonl"\n')
    assert benchlint_("lint --format json --no-cache").stdout == first
    replaced(library / "tasks.json", "You are member m3", "You are the member m3")
    stale = benchlint_("lint --no-network", 3)
    assert f'{every} 1 task: "t3"' in stale.stdout
    assert "was given on another text or by another model" in stale.stdout
    assert asked(endpoint) == {}


def test_cached_verdicts_of_several_models_are_told_apart(library, endpoint):
    config = (library / "benchlint.toml").read_text()
    benchlint_("lint -q --judge openai/a")
    (library / "benchlint.toml").unlink()
    assert "several models" not in benchlint_("report --judge cached").stdout
    (library / "benchlint.toml").write_text(config)
    benchlint_("lint -q --judge openai/b --max-calls 1 --allow-missing 99")
    (library / "benchlint.toml").unlink()
    run = benchlint_("report --judge cached").stdout
    assert "are of several models (openai/a, openai/b), which do not compare" in " ".join(run.split())


def test_the_cache_commands_show_what_is_hostile_and_tell_of_damage(library, cache_home):
    line = {"verdict": 1, "key": "a", "answer": {}, "model": "m\x1b[31m"}
    (library / "hostile.jsonl").write_text(json.dumps(line) + "\n" + json.dumps({**line, "key": "b", "model": ""}))
    benchlint_("cache import hostile.jsonl")
    shown = benchlint_("cache info").stdout
    assert "1  (no name)\n" in shown
    assert "1  m\\x1b[31m\n" in shown
    (library / "deep.jsonl").write_text("[" * 100_000)
    assert "deep.jsonl: line 1 is nested too deeply" in benchlint_("cache import deep.jsonl", 2).stderr
    (cache_home / "benchlint" / "verdicts" / "cache.db").write_bytes(b"no database" * 500)
    assert "the cache of verdicts was damaged" in benchlint_("cache info").stderr


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
