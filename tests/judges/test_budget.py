"""What a run will take is said before it is paid for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.judges.conftest import RULES

from benchlint.judges.budget import estimate, estimates
from benchlint.judges.llm import LiteLLMModel, ModelOptions
from benchlint.judges.prices import Price, price_of
from benchlint.judges.prompt import ask
from benchlint.judges.session import Session
from benchlint.judges.spending import Purse


def priced(model: str = "openai/gpt-4o", purse: Purse | None = None, **options) -> Session:
    return Session(LiteLLMModel(ModelOptions(model=model, **options)), None, purse)


@pytest.fixture(autouse=True)
def _no_urls(monkeypatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)


def test_a_run_is_estimated_as_a_range(benchmark) -> None:
    asked = ask(benchmark, RULES)
    found = estimate(priced(), asked)
    size = sum(len(item.request.prefix + item.request.body) for item in asked)
    assert (found.requests, found.known, found.calls) == (81, 0, 81)
    assert found.tokens_in == pytest.approx((size / 5, size / 4, size / 3))
    assert found.usd is not None
    assert 0 < found.usd.low < found.usd.likely < found.usd.high
    assert found.text.splitlines()[0] == "81 requests: 0 known already, 81 calls of openai/gpt-4o"
    assert found.text.splitlines()[2].startswith("price: $0.")


def test_what_is_cached_and_what_comes_twice_is_asked_once(endpoint, session, benchmark) -> None:
    asked = ask(benchmark, RULES)
    judge = session()
    judge.run(asked[:30])
    found = estimate(judge, [*asked, *asked])
    assert (found.requests, found.known, found.calls) == (162, 111, 51)
    judge.run(asked)
    assert estimate(judge, asked).text == "81 requests: 81 known already, 0 calls of openai/judge"
    assert len(endpoint.calls) == 81


def test_an_unknown_price_says_unknown(benchmark, endpoint, session) -> None:
    asked = ask(benchmark, RULES)
    for judge in (priced("openai/my-own-model"), priced("nowhere/gpt-4o"), session(model="openai/gpt-4o")):
        found = estimate(judge, asked)
        assert found.usd is None
        assert "price: unknown" in found.text
        assert "0.00" not in found.text


def test_limits_are_told(benchmark) -> None:
    asked = ask(benchmark, RULES)
    found = estimate(priced(purse=Purse(max_calls=50, max_usd=0.0001)), asked)
    assert (found.calls, found.unasked) == (50, 31)
    assert "max-calls: 31 calls more than that are not made" in found.text
    assert "max-usd: the run will stop at $0.0001" in found.text
    assert "max-usd: $1000 is enough" in estimate(priced(purse=Purse(max_usd=1000)), asked).text
    unknown = estimate(priced("openai/my-own", purse=Purse(max_usd=1)), asked).text
    assert "max-usd: $1 cannot be kept without a price, so nothing is asked" in unknown


def test_sessions_with_one_purse_are_estimated_together(benchmark) -> None:
    asked = ask(benchmark, RULES)
    purse = Purse(max_calls=100, max_usd=0.0001)
    lines = estimates([priced(purse=purse), priced("openai/gpt-4o-mini", purse)], asked)
    assert [line for line in lines if "calls of" in line] == [
        "81 requests: 0 known already, 81 calls of openai/gpt-4o",
        "81 requests: 0 known already, 19 calls of openai/gpt-4o-mini",
    ]
    assert lines[-2].startswith("together: 100 calls, price: $0.")
    assert lines[-1] == "max-usd: the run will stop at $0.0001"
    assert sum("max-usd" in line for line in lines) == 1
    assert estimates([priced()], asked) == estimate(priced(), asked).text.splitlines()


def test_a_configured_price_counts(benchmark) -> None:
    found = estimate(priced("openai/mine", price=Price(1e-6, 2e-6)), ask(benchmark, RULES))
    assert found.usd is not None
    assert found.usd.likely == pytest.approx(found.tokens_in.likely * 1e-6 + found.tokens_out.likely * 2e-6, rel=1e-3)


def test_prices_are_of_the_provider_that_is_named() -> None:
    assert price_of("gpt-4o") == price_of("openai/gpt-4o") == Price(2.5e-6, 1e-5, 1.25e-6)
    assert price_of("anthropic/gpt-4o") is None
    assert price_of("ollama/llama3") is None
    assert price_of("openai/") is None
    assert price_of("") is None


def test_an_estimate_imports_no_litellm() -> None:
    code = "import sys; from benchlint.judges.prices import price_of; assert price_of('gpt-4o')"
    subprocess.run([sys.executable, "-c", f"{code}; assert 'litellm' not in sys.modules"], check=True)
