"""Many requests: what is asked, what is kept, and how it ends."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.judges.conftest import DATABASE, POLICY, RULES, task, write_benchmark
from tests.judges.endpoint import Reply, answer

from benchlint.judges import llm
from benchlint.judges.budget import spent
from benchlint.judges.cache import VerdictCache
from benchlint.judges.cached import CachedJudge, Exported
from benchlint.judges.keys import asker_key
from benchlint.judges.litellm_library import MISSING, load
from benchlint.judges.llm import LiteLLMModel, ModelOptions
from benchlint.judges.prices import Price
from benchlint.judges.prompt import ask
from benchlint.judges.protocol import NoVerdict, Verdict
from benchlint.judges.run import CANCELLED
from benchlint.judges.session import Memory
from benchlint.judges.spending import Purse

pytestmark = pytest.mark.filterwarnings("ignore:coroutine '.*completion' was never awaited:RuntimeWarning")

SOON = 120
"""Seconds within which what should happen at once happens on the busiest machine."""

TASKS = [task(number) for number in range(1, 21)]


@pytest.fixture
def cache(tmp_path):
    store = VerdictCache(tmp_path / "verdicts")
    yield store
    store.close()


def reasons(outcome) -> set[str]:
    return {verdict.reason for verdict in outcome.verdicts if isinstance(verdict, NoVerdict)}


def test_each_request_is_asked_once_and_then_known(endpoint, session, cache, benchmark) -> None:
    asked = ask(benchmark, RULES)
    judge = session(cache)
    first = judge.run(asked)
    assert (len(endpoint.calls), first.cached, first.usage.calls) == (81, 0, 81)
    assert all(isinstance(verdict, Verdict) for verdict in first.verdicts)
    again = session(cache).run(ask(benchmark, RULES))
    assert (len(endpoint.calls), again.cached, again.usage.calls) == (81, 81, 0)
    assert again.verdicts == first.verdicts


EDITS = {
    "a task": (
        {"tasks": [*TASKS[:6], {**TASKS[6], "user_scenario": {"instructions": "You want all."}}, *TASKS[7:]]},
        4,
    ),
    "a record": ({"database": {**DATABASE, "books": {**DATABASE["books"], "b7": {"book_id": "b7"}}}}, 4),
    "the policy": ({"policy": POLICY.replace("three", "four")}, 61),
    "nothing": ({}, 0),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_makes_the_calls_that_it_needs(endpoint, session, cache, tmp_path, edit) -> None:
    changes, calls = EDITS[edit]
    judge = session(cache)
    judge.run(ask(write_benchmark(tmp_path / "before", TASKS), RULES))
    before = len(endpoint.calls)
    edited = {"tasks": TASKS, **changes}
    judge.run(ask(write_benchmark(tmp_path / "after", **edited), RULES))
    assert len(endpoint.calls) - before == calls


@pytest.mark.parametrize(
    "options", [{"model": "openai/other"}, {"temperature": 0.5}, {"seed": 3}, {"max_tokens": 9}, {"repetition": 1}]
)
def test_another_asker_is_asked_again_and_both_answers_stay(endpoint, session, cache, asked, options) -> None:
    one, other = session(cache), session(cache, **options)
    one.run(list(asked.values()))
    other.run(list(asked.values()))
    one.run(list(asked.values()))
    assert len(endpoint.calls) == 10
    assert cache.info().verdicts == 10


def test_what_only_changes_the_way_there_changes_no_key(session, asked) -> None:
    item = asked["violations"]
    assert session().key(item) == session(timeout=1.0, retries=0, concurrency=3, price=Price(1, 1)).key(item)


def test_verdicts_come_one_by_one(endpoint, session, benchmark) -> None:
    asked = ask(benchmark, RULES, ["description_alignment"])
    got: list = []
    outcome = session().run(asked, lambda item, verdict: got.append((item.request.key, verdict)))
    assert sorted(key for key, _ in got) == sorted(item.request.key for item in asked)
    assert dict(got) == dict(zip([item.request.key for item in asked], outcome.verdicts, strict=True))


def test_equal_requests_on_their_way_are_asked_once(endpoint, session, asked) -> None:
    item = asked["policy_alignment"]
    outcome = session(concurrency=8).run([item] * 8)
    assert len(endpoint.calls) == 1
    assert len(set(outcome.verdicts)) == 1
    assert outcome.usage.calls == 1


def test_two_runs_share_what_is_on_its_way(endpoint, session, asked) -> None:
    item = asked["policy_alignment"]
    released = threading.Event()
    endpoint.script = lambda call: (released.wait(SOON), answer(call))[1]
    judge = session()
    runs = [judge.start([item]), judge.start([item])]
    released.set()
    assert all(run.wait(SOON) for run in runs)
    assert len(endpoint.calls) == 1
    assert runs[0].outcome.verdicts == runs[1].outcome.verdicts


def test_sessions_ask_on_one_loop_as_litellm_fails_on_two(endpoint, session, asked) -> None:
    threads: set[int] = set()
    judges = [session(model=f"openai/{name}") for name in "abc"]
    runs = [judge.start(list(asked.values()), lambda *_: threads.add(threading.get_ident())) for judge in judges]
    assert all(run.wait(SOON) for run in runs)
    assert len(threads) == 1
    released, arrived = threading.Event(), threading.Event()
    endpoint.script = lambda call: (arrived.set(), released.wait(SOON), answer(call))[2]
    late = session(model="openai/d").start([asked["ambiguity"]])
    assert arrived.wait(SOON)
    for judge in judges:
        judge.close()
    released.set()
    assert late.wait(SOON)
    assert isinstance(late.outcome.verdicts[0], Verdict)


def test_a_cancelled_run_ends_and_keeps_what_is_there(endpoint, session, benchmark) -> None:
    asked = ask(benchmark, RULES, ["description_alignment"])
    first = threading.Event()
    endpoint.script = lambda call: answer(call) if "member m1 " in call.user else Reply(hang=True)
    got: list = []
    run = session(timeout=600).start(asked, lambda item, verdict: (got.append(item.request.key), first.set()))
    assert first.wait(SOON)
    run.cancel()
    assert run.wait(SOON)
    assert got == ["t1"]
    assert endpoint.gone.wait(SOON)
    verdicts = run.outcome.verdicts
    assert isinstance(verdicts[0], Verdict)
    assert {verdict.reason for verdict in verdicts[1:]} == {CANCELLED}


def test_a_run_can_be_cancelled_before_litellm_is_there(session, asked, endpoint) -> None:
    run = session().start(list(asked.values()))
    run.cancel()
    assert run.wait(SOON)
    assert len(reasons(run.outcome)) == 1


def test_closing_a_session_while_litellm_is_imported_ends_its_runs(session, asked, monkeypatch) -> None:
    held, entered = threading.Event(), threading.Event()
    monkeypatch.setattr(llm, "load", lambda: (entered.set(), held.wait(SOON)))
    judge = session()
    run = judge.start(list(asked.values()))
    assert entered.wait(SOON)
    judge.close()
    assert run.wait(SOON)
    held.set()
    assert reasons(run.outcome) == {CANCELLED}
    assert judge.purse.spent.calls == 0


def test_without_litellm_a_run_says_how_to_get_it(session, asked, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    load.cache_clear()
    try:
        assert session().run(list(asked.values())).stopped == MISSING
    finally:
        load.cache_clear()


def test_closing_a_session_ends_its_runs(endpoint, session, asked) -> None:
    endpoint.script = lambda call: Reply(hang=True)
    judge = session(timeout=600)
    run = judge.start(list(asked.values()))
    judge.close()
    assert run.wait(SOON)
    assert reasons(run.outcome) == {CANCELLED}


def test_a_cancelled_run_does_not_stop_another_that_waits_for_the_same(endpoint, session, asked) -> None:
    item = asked["policy_alignment"]
    released, arrived = threading.Event(), threading.Event()
    endpoint.script = lambda call: (arrived.set(), released.wait(SOON), answer(call))[2]
    judge = session()
    one, other = judge.start([item]), judge.start([item])
    assert arrived.wait(SOON)
    one.cancel()
    released.set()
    assert other.wait(SOON)
    assert isinstance(other.outcome.verdicts[0], Verdict)


def test_what_a_listener_raises_is_raised_by_the_run(endpoint, session, asked) -> None:
    def deliver(*_: object) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        session().run(list(asked.values()), deliver)


def test_max_calls_stops_and_keeps_what_is_there(endpoint, session, cache, benchmark) -> None:
    asked = ask(benchmark, RULES, ["description_alignment"])
    outcome = session(cache, Purse(max_calls=7)).run(asked)
    assert len(endpoint.calls) == 7
    assert sum(isinstance(verdict, Verdict) for verdict in outcome.verdicts) == 7
    assert "7 calls (max-calls)" in outcome.stopped
    assert reasons(outcome) == {outcome.stopped}
    assert len(session(cache).run(asked).verdicts) == 20
    assert len(endpoint.calls) == 20


def test_a_repair_is_a_call_too(endpoint, session, asked) -> None:
    endpoint.script = lambda _: "nonsense"
    outcome = session(purse=Purse(max_calls=1)).run([asked["policy_alignment"]])
    assert len(endpoint.calls) == 1
    assert reasons(outcome) == {"the reply holds no JSON object"}


def test_a_failed_call_is_given_back(endpoint, session, asked) -> None:
    purse = Purse(max_calls=1)
    endpoint.script = lambda _: Reply(status=500)
    session(purse=purse, retries=0).run([asked["policy_alignment"]])
    endpoint.script = answer
    assert isinstance(session(purse=purse).run([asked["policy_alignment"]]).verdicts[0], Verdict)
    assert purse.spent.calls == 1


def test_a_call_that_timed_out_counts_as_it_may_have_been_paid(endpoint, session, benchmark) -> None:
    endpoint.script = lambda _: Reply(hang=True)
    asked = ask(benchmark, RULES, ["description_alignment"])
    purse = Purse(max_calls=3)
    outcome = session(purse=purse, price=Price(1e-6, 1e-6), timeout=0.5, concurrency=2).run(asked)
    assert len(endpoint.calls) == 3
    assert outcome.usage.calls == purse.spent.calls == 3
    assert outcome.usage.usd == purse.spent.usd > 0
    assert "3 calls (max-calls)" in outcome.stopped


def test_a_cancelled_call_counts_as_it_may_have_been_paid(endpoint, session, asked) -> None:
    endpoint.script = lambda _: Reply(hang=True)
    purse = Purse(max_calls=1)
    judge = session(purse=purse)
    run = judge.start([asked["policy_alignment"]])
    while not endpoint.calls:
        assert not run.wait(0.05)
    run.cancel()
    run.wait()
    judge.close()
    assert purse.spent.calls == 1


def test_max_usd_stops_before_it_is_passed(endpoint, session, benchmark) -> None:
    asked = ask(benchmark, RULES, ["description_alignment"])
    purse = Purse(max_usd=0.01)
    outcome = session(purse=purse, price=Price(1e-6, 1e-6), concurrency=1).run(asked)
    assert 1 <= len(endpoint.calls) < 20
    assert purse.spent.usd <= 0.01
    assert "$0.01 (max-usd)" in outcome.stopped


def test_max_usd_with_an_unknown_price_asks_nothing(endpoint, session, asked) -> None:
    outcome = session(purse=Purse(max_usd=5)).run(list(asked.values()))
    assert "price of the model is not known" in outcome.stopped
    assert endpoint.calls == []


def test_max_usd_ends_a_run_whose_endpoint_does_not_tell_what_calls_took(endpoint, session, asked) -> None:
    endpoint.script = lambda call: Reply(answer(call), tokens=None)
    purse = Purse(max_usd=5)
    outcome = session(purse=purse, price=Price(1e-6, 1e-6), concurrency=1).run(list(asked.values()))
    assert outcome.stopped == "what the calls before have cost is not known, so the limit of $5 cannot be kept"
    assert spent("m", outcome.usage, 0).startswith("m: 1 call, tokens unknown, price unknown; ")


def test_what_is_cached_is_free(endpoint, session, cache, asked) -> None:
    session(cache).run(list(asked.values()))
    outcome = session(cache, Purse(max_calls=0)).run(list(asked.values()))
    assert outcome.stopped is None
    assert outcome.cached == 5


def test_an_endpoint_that_is_down_is_given_up(endpoint, session, benchmark) -> None:
    endpoint.script = lambda _: Reply(status=500)
    outcome = session(retries=0, concurrency=2).run(ask(benchmark, RULES))
    assert "8 requests in a row failed" in outcome.stopped
    assert len(endpoint.calls) < 12
    assert not any(isinstance(verdict, Verdict) for verdict in outcome.verdicts)


def test_unusable_replies_do_not_stop_a_run_and_are_not_kept(endpoint, session, cache, asked) -> None:
    endpoint.script = lambda call: "nonsense" if call.metric == "violations" else answer(call)
    outcome = session(cache).run(list(asked.values()) * 2)
    assert outcome.stopped is None
    assert len(reasons(outcome)) == 1
    assert cache.info().verdicts == 4
    endpoint.script = answer
    assert reasons(session(cache).run(list(asked.values()))) == set()


def test_an_unusable_reply_is_asked_for_again_when_it_is_forgotten(endpoint, session, asked) -> None:
    endpoint.script = lambda _: "nonsense"
    judge = session()
    judge.run([asked["violations"]])
    endpoint.script = answer
    assert reasons(judge.run([asked["violations"]]))
    judge.forget()
    assert not reasons(judge.run([asked["violations"]]))


@pytest.mark.parametrize("planted", [{}, [], None, {"score": 10}, {"parts_read": 1, "findings": [], "score": 10}])
def test_a_planted_answer_in_a_store_is_checked_like_any_other(endpoint, session, asked, planted) -> None:
    store = Memory()
    judge = session(store)
    item = asked["policy_alignment"]
    store[judge.key(item)] = {"answer": planted}
    assert judge.run([item]).verdicts[0].score == 9
    assert len(endpoint.calls) == 1


def test_a_stored_answer_says_what_it_is_of(endpoint, session, cache, asked) -> None:
    session(cache).run([asked["violations"]])
    (line,) = cache.export()
    entry = json.loads(line)
    assert (entry["model"], entry["metric"], entry["about"]) == ("openai/judge", "violations", "t1")
    assert entry["usage"] == {"calls": 1, "tokens_in": 1200, "tokens_out": 80, "usd": None}
    assert entry["answer"]["violations"] == []


class Broken:
    """A store on a full disk."""

    def get(self, key: str) -> None:
        raise OSError("the disk is gone")

    def put(self, key: str, entry: dict) -> None:
        raise sqlite3.OperationalError("database or disk is full")


def test_a_store_that_does_not_work_costs_no_verdict(endpoint, session, asked) -> None:
    judge = session(Broken())
    for _ in range(2):
        assert not reasons(judge.run(list(asked.values())))
    assert len(endpoint.calls) == 5
    assert judge.warnings == [
        "cached verdicts cannot be read: the disk is gone",
        "verdicts cannot be kept in the cache: database or disk is full",
    ]


@pytest.fixture
def exported(endpoint, session, cache, benchmark, tmp_path) -> Path:
    session(cache).run(ask(benchmark, RULES))
    path = tmp_path / "verdicts.jsonl"
    path.write_text("\n".join(cache.export()) + "\n", encoding="utf-8")
    return path


def test_an_export_is_read_without_a_model(endpoint, session, cache, exported, benchmark) -> None:
    asked = ask(benchmark, RULES)
    calls = len(endpoint.calls)
    outcome = CachedJudge(Exported.read(exported)).run(asked)
    assert outcome.verdicts == session(cache).run(asked).verdicts
    assert CachedJudge(cache).run(asked).verdicts == outcome.verdicts
    assert (outcome.cached, outcome.usage.calls, len(endpoint.calls)) == (81, 0, calls)


def test_a_stale_verdict_is_none(exported, tmp_path) -> None:
    tasks = [*TASKS[:19], {**TASKS[19], "user_scenario": {"instructions": "You want all."}}, task(25)]
    asked = ask(write_benchmark(tmp_path / "after", tasks), RULES)
    outcome = CachedJudge(Exported.read(exported)).run(asked)
    missing = {
        item.request.key
        for item, verdict in zip(asked, outcome.verdicts, strict=True)
        if isinstance(verdict, NoVerdict)
    }
    assert missing == {"t20", "t25"}
    assert reasons(outcome) == {
        "no cached verdict",
        "no cached verdict: the one that is there was given on another text or by another model",
    }


def test_only_the_verdicts_of_an_asker_may_count(exported, benchmark) -> None:
    other = asker_key(LiteLLMModel(ModelOptions(model="openai/other")).asker)
    outcome = CachedJudge(Exported.read(exported), [other]).run(ask(benchmark, RULES))
    assert outcome.cached == 0


def test_of_several_askers_the_newest_verdict_counts(endpoint, session, asked) -> None:
    store = Memory()
    item = asked["policy_alignment"]
    for number, model in enumerate(["openai/a", "openai/b", "openai/c"]):
        judge = session(store, model=model)
        judge.run([item])
        store[judge.key(item)]["at"] = [5.0, 9.0, 7.0][number]
    assert CachedJudge(store).run([item]).verdicts[0].judge == "openai/b"


def test_an_export_with_a_broken_line_names_it(exported) -> None:
    exported.write_text(exported.read_text() + "{\n")
    with pytest.raises(ValueError, match="line 82"):
        Exported.read(exported)


WARM = """
import json, sys
from pathlib import Path
from benchlint.judges.cache import VerdictCache
from benchlint.judges.llm import LiteLLMModel, ModelOptions
from benchlint.judges.session import Session
from tests.judges.conftest import RULES, ask, discover, load, Snapshot

benchmark = load(discover([sys.argv[1]]).layouts[0], Snapshot().read)
options = ModelOptions(model="openai/judge", base_url=sys.argv[3], timeout=20.0, backoff=0.001)
with Session(LiteLLMModel(options), VerdictCache(Path(sys.argv[2]))) as session:
    outcome = session.run(ask(benchmark, RULES))
assert outcome.cached == 81, outcome
assert not {"litellm", "openai", "httpx", "tiktoken"} & sys.modules.keys()
"""


def test_a_warm_run_never_imports_litellm(endpoint, session, tmp_path) -> None:
    store = VerdictCache(tmp_path / "verdicts")
    session(store).run(ask(write_benchmark(tmp_path / "library", TASKS), RULES))
    store.close()
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", WARM, str(tmp_path / "library"), str(tmp_path / "verdicts"), endpoint.url]
    subprocess.run(command, cwd=root, check=True)
    assert len(endpoint.calls) == 81
