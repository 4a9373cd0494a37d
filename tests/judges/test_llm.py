"""litellm and HTTP are real; only what the server says is made up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.judges.endpoint import Call, Reply, answer

from benchlint.judges.endpoints import KEY_VARIABLE
from benchlint.judges.llm import LiteLLMModel, ModelOptions, takes_cache_marks
from benchlint.judges.prices import Price
from benchlint.judges.protocol import NoVerdict, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAULT = {
    "rule": "missing-confirmation",
    "part": 4,
    "quote": 'lend_book(member_id="m1", book_id="b1")',
    "policy_items": [3],
    "reason": "The agent lends b1 without a yes.",
    "confidence": 0.9,
    "rewrite": None,
}


def faulty(call: Call) -> str:
    return answer(call, findings=[FAULT], score=4)


def assess(session, asked, metric: str = "policy_alignment") -> Verdict | NoVerdict:
    return session.run([asked[metric]]).verdicts[0]


def in_turn(*replies: Callable[[Call], Reply | str]) -> Callable[[Call], Reply | str]:
    """Give the replies one after the other, the last one again and again."""
    waiting: Iterator = iter(replies)
    last: list = []

    def script(call: Call) -> Reply | str:
        last[:] = [next(waiting, None) or last[0]]
        return last[0](call)

    return script


def reason_of(verdict: Verdict | NoVerdict) -> str:
    assert isinstance(verdict, NoVerdict), verdict
    return verdict.reason


@pytest.mark.parametrize(
    "wrap",
    [
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```",
        "Here is my verdict, as you asked:\n\n{}\n\nI hope {{that}} helps.",
        '<think>It could be {{"score": 1}}, but no.</think>\n{}',
        "{}\n\nOnce more:\n{}",
    ],
)
def test_an_answer_is_read_whatever_stands_around_it(endpoint, session, asked, wrap) -> None:
    endpoint.script = lambda call: wrap.format(*[faulty(call)] * 2)
    verdict = assess(session(), asked)
    assert isinstance(verdict, Verdict)
    assert verdict.score == 4
    assert [(found.rule, found.pointer) for found in verdict.findings] == [
        ("missing-confirmation", ("evaluation_criteria", "actions", 1))
    ]
    assert verdict.findings[0].policy_items == (asked["policy_alignment"].items[2].id,)
    assert len(endpoint.calls) == 1


UNUSABLE: dict[str, tuple[Callable[[Call], Reply | str], str]] = {
    "an empty reply": (lambda _: "", "is empty"),
    "no content": (lambda _: Reply(None), "is empty"),
    "an empty object": (lambda _: "{}", '"parts_read" is missing'),
    "an empty list": (lambda _: "[]", "is a list"),
    "a fenced list": (lambda _: "```json\n[]\n```", "is a list"),
    "empty findings alone": (lambda _: '{"findings": []}', "is missing"),
    "prose": (lambda _: "The task looks fine to me.", "no JSON"),
    "a wrong type": (lambda call: answer(call, findings="none"), '"findings" must be a list'),
    "a score in words": (lambda call: answer(call, score="9"), '"score" must be a whole number'),
    "a score out of range": (lambda call: answer(call, score=11), '"score" must be less than'),
    "two answers that differ": (lambda call: faulty(call) + answer(call), "two answers"),
    "a cut object": (lambda call: faulty(call)[:-30], "breaks off"),
    "an obeyed instruction": (lambda _: "10/10 perfect", "no JSON"),
    "an obeyed instruction in JSON": (lambda _: '{"score": 10}', "is missing"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_unusable_reply_is_no_verdict_even_when_asked_again(endpoint, session, asked, name) -> None:
    endpoint.script, said = UNUSABLE[name]
    assert said in reason_of(assess(session(), asked))
    assert len(endpoint.calls) == 2


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (lambda call: Reply(answer(call), finish_reason="length"), "cut"),
        (lambda call: Reply(answer(call), finish_reason="content_filter"), "content filter"),
        (lambda call: answer(call, parts_read=call.parts + 1), "counts 6 parts of the task, there are 5"),
        (lambda call: answer(call, parts_read=0), "counts 0 parts"),
        (lambda call: answer(call, parts_read=1, score=10), "counts 1 parts"),
    ],
)
def test_a_cut_reply_and_wrong_counts_are_no_verdict_and_not_asked_again(endpoint, session, asked, script, said):
    endpoint.script = script
    judge = session()
    assert said in reason_of(assess(judge, asked))
    assert said in reason_of(assess(judge, asked))
    assert len(endpoint.calls) == 1


def test_wrong_counts_of_policy_items_are_no_verdict(endpoint, session, asked) -> None:
    endpoint.script = lambda call: answer(call, items_read=call.items - 1)
    assert "policy items" in reason_of(assess(session(), asked, "violations"))


def test_a_player_of_the_user_who_decides_nothing_has_not_played(endpoint, session, asked) -> None:
    endpoint.script = lambda call: answer(call, decisions=[])
    assert "no decision" in reason_of(assess(session(), asked, "ambiguity"))


def test_an_unusable_reply_is_sent_back_once_with_the_reason(endpoint, session, asked) -> None:
    endpoint.script = in_turn(lambda _: "It is fine: {}", faulty)
    judge = session()
    verdict = assess(judge, asked)
    assert isinstance(verdict, Verdict)
    assert len(verdict.findings) == 1
    first, second = (call.body["messages"] for call in endpoint.calls)
    assert second[: len(first)] == first
    assert second[-2] == {"role": "assistant", "content": "It is fine: {}"}
    assert '"parts_read" is missing' in second[-1]["content"]
    assert judge.purse.spent.calls == 2


def test_a_rate_limit_is_waited_for(endpoint, session, asked) -> None:
    limited = Reply(status=429, headers={"Retry-After": "0"}, error="Rate limit reached")
    endpoint.script = in_turn(lambda _: limited, lambda _: limited, faulty)
    assert isinstance(assess(session(), asked), Verdict)
    assert len(endpoint.calls) == 3


def test_an_endpoint_that_asks_for_a_long_wait_is_not_asked_before_and_stops_the_run(endpoint, session, asked) -> None:
    endpoint.script = lambda _: Reply(status=429, headers={"Retry-After": "3600"})
    outcome = session(concurrency=1).run(list(asked.values()))
    assert "HTTP 429) and asks for a wait of 3,600 s; at most 60 s are waited" in outcome.stopped
    assert len(endpoint.calls) == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(status=429, headers={"Retry-After": "0"}), "limits the rate"),
        (Reply(status=500), "the endpoint failed (HTTP 500): it went wrong, also when tried 3 times"),
        (Reply(status=503, headers={"Retry-After": "0"}), "HTTP 503"),
        (Reply(close=True), "the endpoint cannot be reached: Connection error, also when tried 3 times"),
        (Reply(raw="<html>Welcome</html>"), "the endpoint gave no answer that can be read: Empty or invalid response"),
        (Reply(raw="<html>Bad gateway</html>", status=502), "HTTP 502"),
    ],
)
def test_failures_are_tried_again_and_then_no_verdict(endpoint, session, asked, reply, said) -> None:
    endpoint.script = lambda _: reply
    assert said in reason_of(assess(session(retries=2), asked))
    assert len(endpoint.calls) == 3


def test_a_failure_that_passes_is_forgotten(endpoint, session, asked) -> None:
    endpoint.script = in_turn(lambda _: Reply(status=500), lambda _: Reply(close=True), faulty)
    assert isinstance(assess(session(), asked), Verdict)


@pytest.mark.parametrize("raw", ["", "null", "[]", "{}", '{"choices": []}', "no JSON at all"])
def test_a_body_that_is_no_completion_is_no_verdict(endpoint, session, asked, raw) -> None:
    endpoint.script = lambda _: Reply(raw=raw)
    assert reason_of(assess(session(retries=1), asked))


def test_a_hang_ends(endpoint, session, asked) -> None:
    endpoint.script = lambda _: Reply(hang=True)
    assert "no answer within 0.5 s, also when tried 2 times" in reason_of(assess(session(timeout=0.5), asked))
    assert len(endpoint.calls) <= 2


def test_nobody_listens(session, asked) -> None:
    judge = session(base_url="http://127.0.0.1:9/v1", retries=1)
    assert "the endpoint cannot be reached: Connection error" in reason_of(assess(judge, asked))


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_cannot_pass_stops_the_run(endpoint, session, asked, status) -> None:
    endpoint.script = lambda _: Reply(status=status, error="no such thing")
    outcome = session(concurrency=1).run(list(asked.values()))
    assert f"HTTP {status}" in outcome.stopped
    assert {reason_of(verdict) for verdict in outcome.verdicts} == {outcome.stopped}
    assert len(endpoint.calls) == 1


def test_an_account_without_credit_stops_the_run(endpoint, session, asked) -> None:
    endpoint.script = lambda _: Reply(status=429, error="You exceeded your current quota: insufficient_quota")
    assert "no credit" in session(concurrency=1).run(list(asked.values())).stopped
    assert len(endpoint.calls) == 1


def refusing(*kinds: str, status: int = 400) -> Callable[[Call], Reply | str]:
    """Refuse response formats: by type, and with "schema" any that has one beside its type."""

    def script(call: Call) -> Reply | str:
        wanted = call.body.get("response_format") or {}
        if wanted.get("type") in kinds or ("schema" in kinds and "schema" in wanted):
            return Reply(status=status, error=f"response_format {wanted['type']} is not supported")
        return faulty(call)

    return script


@pytest.mark.parametrize("status", [400, 422, 500])
@pytest.mark.parametrize(
    ("refused", "taken"),
    [
        ((), ("json_schema", False)),
        (("json_schema",), ("json_object", True)),
        (("json_schema", "schema"), ("json_object", False)),
        (("json_schema", "json_object"), (None, False)),
    ],
)
def test_the_strictest_form_that_is_taken_is_found_and_remembered(endpoint, session, asked, refused, taken, status):
    endpoint.script = refusing(*refused, status=status)
    judge = session()
    assert isinstance(assess(judge, asked), Verdict)
    before = len(endpoint.calls)
    endpoint.script = refusing(*refused, status=status)
    assert isinstance(assess(judge, asked, "description_alignment"), Verdict)
    assert len(endpoint.calls) == before + 1
    used = endpoint.calls[-1].body.get("response_format") or {}
    assert (used.get("type"), "schema" in used) == taken


def test_a_request_that_is_refused_in_every_form_is_no_verdict(endpoint, session, asked) -> None:
    endpoint.script = lambda _: Reply(status=400, error="messages: too many cooks")
    assert "too many cooks" in reason_of(assess(session(), asked))
    endpoint.script = faulty
    assert isinstance(assess(session(), asked), Verdict)
    assert endpoint.calls[-1].metric == "policy_alignment"


def test_a_parameter_that_is_refused_is_left_out_from_then_on(endpoint, session, asked) -> None:
    def script(call: Call) -> Reply | str:
        if "temperature" in call.body:
            return Reply(status=400, error="Unsupported value: 'temperature' does not support 0 with this model.")
        return faulty(call)

    endpoint.script = script
    judge = session()
    assert isinstance(assess(judge, asked), Verdict)
    assert isinstance(assess(judge, asked, "description_alignment"), Verdict)
    assert len(endpoint.calls) == 3
    assert all(call.metric for call in endpoint.calls)


def test_what_is_sent(endpoint, session, asked) -> None:
    judge = session(temperature=0.3, seed=7, max_tokens=500, parameters={"top_p": 0.5})
    assess(judge, asked)
    body = endpoint.calls[0].body
    assert body["model"] == "judge"
    assert {name: body[name] for name in ("temperature", "seed", "max_tokens", "top_p")} == {
        "temperature": 0.3,
        "seed": 7,
        "max_tokens": 500,
        "top_p": 0.5,
    }
    request = asked["policy_alignment"].request
    assert body["response_format"]["json_schema"]["schema"] == request.schema
    assert body["messages"] == [
        {"role": "system", "content": request.prefix},
        {"role": "user", "content": request.body},
    ]


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match='unknown parameter "api_base"'):
        ModelOptions(model="openai/x", parameters={"api_base": "http://other"})


def test_the_prefix_is_marked_only_where_marks_are_taken(asked) -> None:
    request = asked["policy_alignment"].request
    marked = LiteLLMModel(ModelOptions(model="anthropic/claude-sonnet-4-5")).messages(request)[0]["content"]
    assert marked == [{"type": "text", "text": request.prefix, "cache_control": {"type": "ephemeral"}}]
    assert LiteLLMModel(ModelOptions(model="openai/gpt-4o")).messages(request)[0]["content"] == request.prefix
    assert takes_cache_marks("claude-sonnet-4-5")
    assert takes_cache_marks("bedrock/anthropic.claude-v2")
    assert not takes_cache_marks("openai/claude-like")


def test_usage_is_counted_and_an_unknown_price_stays_unknown(endpoint, session, asked) -> None:
    judge = session()
    assess(judge, asked)
    assert judge.purse.spent.tokens_in == 1200
    assert judge.purse.spent.tokens_out == 80
    assert judge.purse.spent.usd is None


def test_a_configured_price_counts(endpoint, session, asked) -> None:
    judge = session(price=Price(1e-6, 1e-5))
    assess(judge, asked)
    assert judge.purse.spent.usd == pytest.approx(1200e-6 + 800e-6)


def test_a_known_model_at_its_own_endpoint_has_litellms_price(endpoint, asked, monkeypatch) -> None:
    from benchlint.judges.session import Session

    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-of-the-price")
    with Session(LiteLLMModel(ModelOptions(model="openai/gpt-4o"))) as judge:
        assert isinstance(judge.run([asked["policy_alignment"]]).verdicts[0], Verdict)
        assert judge.purse.spent.usd == pytest.approx(1200 * 2.5e-6 + 80 * 1e-5, rel=0.5)
    assert endpoint.calls[0].headers["Authorization"] == "Bearer sk-test-of-the-price"


def test_a_reply_without_usage_counts_as_a_call(endpoint, session, asked) -> None:
    endpoint.script = lambda call: Reply(answer(call), tokens=None)
    judge = session()
    assert isinstance(assess(judge, asked), Verdict)
    assert judge.purse.spent.calls == 1


def test_a_configured_url_never_gets_the_providers_key(endpoint, session, asked, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-the-provider-only")
    assess(session(), asked)
    monkeypatch.setenv(KEY_VARIABLE, "sk-meant-for-this-url")
    assess(session(), asked)
    assert [call.headers["Authorization"] for call in endpoint.calls] == ["Bearer none", "Bearer sk-meant-for-this-url"]


def test_a_key_is_in_no_error_no_answer_and_no_cache(endpoint, session, asked, monkeypatch, caplog, tmp_path) -> None:
    from benchlint.judges.cache import VerdictCache

    key = "sk-Secret_0123456789"
    monkeypatch.setenv(KEY_VARIABLE, key)
    caplog.set_level(0)
    cache = VerdictCache(tmp_path / "verdicts")
    judge = session(cache, retries=0)
    endpoint.script = lambda _: Reply(status=401, error=f"Incorrect API key provided: {key}")
    seen = reason_of(assess(judge, asked))
    endpoint.script = lambda _: Reply(status=400, error=f"Bearer {key} is odd")
    seen += reason_of(assess(judge, asked))
    endpoint.script = lambda call: answer(call, findings=[{**FAULT, "reason": f"Your key is {key}."}])
    seen += repr(assess(judge, asked))
    judge.close()
    cache.close()
    assert "***" in seen
    assert key not in seen
    assert key not in caplog.text
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert key.encode() not in stored
    assert key not in "".join(VerdictCache(tmp_path / "verdicts").export())


QUIET = """
import json, os, socket, sys
from pathlib import Path

reached = []
def audit(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        reached.append((event, str(arguments[1] if event == "socket.connect" else arguments[0])))
sys.addaudithook(audit)

from benchlint.judges.litellm_library import load
load()
assert not reached, reached
from benchlint.judges.llm import LiteLLMModel, ModelOptions
from benchlint.judges.prompt import Asked
from benchlint.judges.protocol import Request
from benchlint.judges.session import Session

request = Request("policy_alignment", "t", "prefix", "body", {"type": "object"})
for at in json.loads(sys.argv[1]):
    with Session(LiteLLMModel(ModelOptions(model="openai/m", base_url=at, retries=1, backoff=0.001))) as session:
        session.run([Asked(request)])
reached = {where for event, where in reached if "127.0.0.1" not in where}
assert not reached, reached
assert "LITELLM_PLANTED" not in os.environ
assert "example.org" in os.environ["no_proxy"].split(",")
Path("done").touch()
"""


def test_litellm_reaches_nobody_else_and_writes_nothing(endpoint, tmp_path) -> None:
    replies = in_turn(
        lambda _: Reply("no JSON"),
        lambda _: Reply(status=500),
        lambda _: Reply(status=400),
        lambda _: Reply(close=True),
    )
    endpoint.script = replies
    (tmp_path / ".env").write_text("LITELLM_PLANTED=1\n")
    environment = {**os.environ, KEY_VARIABLE: "sk-Secret_0123456789", "LITELLM_LOG": "DEBUG"}
    environment |= {"HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": "example.org"}
    urls = json.dumps([endpoint.url, endpoint.url, "http://127.0.0.1:9/v1"])
    command = [sys.executable, "-c", QUIET, urls]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
    assert Path(tmp_path / "done").exists()
    assert len(endpoint.calls) > 4
