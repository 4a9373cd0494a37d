"""Where a model is reached, with whose key."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from benchlint.judges.endpoints import Endpoint, endpoint_of, is_loopback, provider_of, secrets, without_secrets
from benchlint.judges.retrying import delay, retry_after

KEYS = {"OPENAI_API_KEY": "sk-openai", "BENCHLINT_API_KEY": "sk-ours"}


@pytest.mark.parametrize(
    ("model", "base_url", "environment", "endpoint"),
    [
        ("openai/gpt-4o", None, KEYS, Endpoint()),
        ("ollama/llama3", None, {}, Endpoint(local=True)),
        ("ollama/llama3", None, {"OLLAMA_API_BASE": "http://box:11434"}, Endpoint("http://box:11434")),
        ("openai/x", "http://127.0.0.1:8000/v1/", KEYS, Endpoint("http://127.0.0.1:8000/v1", "sk-ours", True)),
        ("openai/x", "https://example.org/v1", {"OPENAI_API_KEY": "sk"}, Endpoint("https://example.org/v1", "none")),
        ("gpt-4o", None, {"OPENAI_BASE_URL": "https://proxy/v1"}, Endpoint("https://proxy/v1")),
        ("claude-x", None, {"OPENAI_BASE_URL": "https://proxy/v1"}, Endpoint()),
        ("some-model", None, {"_BASE_URL": "https://odd"}, Endpoint()),
    ],
)
def test_where_a_model_is_reached(model, base_url, environment, endpoint) -> None:
    assert endpoint_of(model, base_url, environment) == endpoint


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "ftp://example.org",
        "http://",
        "http://user:sk-1@example.org",
        "https://a/v1?key=sk-1",
        "http://[",
        "http://a:99999",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_repeating_it(url) -> None:
    with pytest.raises(ValueError, match="base URL") as caught:
        endpoint_of("openai/x", url, {})
    assert "sk-1" not in str(caught.value)


@pytest.mark.parametrize("model", ["bedrock/x", "vertex_ai/y", "vertex_ai_beta/y", "sagemaker_chat/z"])
def test_an_account_is_not_signed_away_to_a_configured_url(model) -> None:
    with pytest.raises(ValueError, match="environment"):
        endpoint_of(model, "https://example.org", {})


def test_loopback() -> None:
    assert all(map(is_loopback, ["http://localhost/v1", "http://127.0.0.7", "http://[::1]:80", "http://a.localhost"]))
    assert not any(
        map(is_loopback, ["http://localhost.example.org", "http://10.0.0.1", "http://[::]", "http://0.0.0.0"])
    )


def test_providers() -> None:
    assert [provider_of(model) for model in ("Azure/x", "gpt-5", "o3-mini", "claude-y", "llama")] == [
        "azure", "openai", "openai", "anthropic", "",
    ]  # fmt: skip


def test_secrets_are_replaced_the_longest_first() -> None:
    environment = {"A_KEY": "abcdefgh", "B_TOKEN": "abcdefghij", "C_KEY": "short", "PATH": "/usr/bin/x"}
    hidden = secrets(environment)
    assert without_secrets("abcdefghij abcdefgh short /usr/bin/x", hidden) == "*** *** short /usr/bin/x"


NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        ("0.5", 0.5),
        ("-3", 0),
        ("Thu, 01 Jan 2026 12:00:20 GMT", 20),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0),
        ("Thu, 01 Jan 2026 12:00:20 -0000", 20),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after(value, seconds) -> None:
    assert retry_after(value, NOW) == seconds


def test_waits_double_at_random_up_to_a_limit_and_honour_what_is_asked() -> None:
    assert [delay(n, None, 1, 60, lambda: 1) for n in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert delay(3, None, 1, 60, lambda: 0) == 0
    assert delay(0, 7, 1, 60, lambda: 0) == 7
    assert delay(5, 7, 1, 60, lambda: 1) == 8
    assert delay(0, 3600, 1, 60, lambda: 1) == 60
