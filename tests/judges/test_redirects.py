"""An endpoint that redirects gets no second chance to choose who reads the policy."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from benchlint.judges import llm
from benchlint.judges.endpoints import KEY_VARIABLE, endpoint_of
from benchlint.judges.protocol import NoVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "sk-Secret_0123456789"


class Server(ThreadingHTTPServer):
    """A server that redirects every request to an address, and counts them."""

    daemon_threads = True

    def __init__(self, status: int = 307, location: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status, self.location = status, location
        self.requests: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.requests.append(self.path)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[Server]:
    with Server(200) as server:
        yield server
        server.shutdown()


@pytest.fixture
def endpoint(elsewhere: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(llm, "_works", {})
    monkeypatch.setattr(llm, "_refuses", {})
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    with Server(307, f"{elsewhere.address}/v1/chat/completions?key={KEY}") as server:
        server.url = f"{server.address}/v1"
        yield server
        server.shutdown()


MODELS = ["openai/m", "anthropic/claude-x", "hosted_vllm/m", "ollama_chat/m", "groq/m"]


@pytest.mark.parametrize("model", MODELS)
def test_a_redirect_is_not_followed_whoever_the_provider_is(endpoint, elsewhere, session, asked, model, caplog):
    caplog.set_level(0)
    judge = session(model=model)
    outcome = judge.run([asked["policy_alignment"], asked["violations"]])
    assert len(endpoint.requests) >= 1
    assert elsewhere.requests == []
    assert all(isinstance(verdict, NoVerdict) for verdict in outcome.verdicts)
    reason = outcome.verdicts[0].reason
    assert f"the endpoint redirects to {elsewhere.address}/v1/chat/completions (HTTP 307)" in reason
    assert "not followed" in reason
    assert outcome.stopped is not None
    assert KEY not in reason + caplog.text


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_not_even_on_the_same_host(endpoint, session, asked, status):
    endpoint.status, endpoint.location = status, "/v2/chat/completions"
    (verdict,) = session().run([asked["policy_alignment"]]).verdicts
    assert endpoint.requests == ["/v1/chat/completions"]
    assert f"redirects to /v2/chat/completions (HTTP {status})" in verdict.reason


@pytest.mark.parametrize("location", ["//user:pass@host/x", "http://h/" + "x" * 5000])
def test_odd_locations_are_shown_with_care(endpoint, session, asked, location):
    endpoint.location = location
    (verdict,) = session().run([asked["policy_alignment"]]).verdicts
    assert "the endpoint redirects to" in verdict.reason
    assert "pass" not in verdict.reason
    assert len(verdict.reason) < 400
    assert len(endpoint.requests) == 1


def test_a_provider_whose_redirects_cannot_be_refused_is_refused(endpoint):
    with pytest.raises(ValueError, match="follow redirects to anywhere"):
        endpoint_of("aiohttp_openai/m", endpoint.url)


def test_others_in_the_process_follow_redirects_as_before(endpoint, elsewhere):
    import httpx

    from benchlint.judges.litellm_library import load

    load()
    assert httpx.post(endpoint.url, follow_redirects=True).status_code == 200
    assert len(elsewhere.requests) == 1
