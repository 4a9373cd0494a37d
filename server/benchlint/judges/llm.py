"""A language model behind litellm that answers requests."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping  # noqa: TC003 (part of a published signature)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

from benchlint.judges.budget import expected_usd
from benchlint.judges.endpoints import endpoint_of, provider_of, secrets, without_secrets
from benchlint.judges.failures import RefusedError, failure_of, redirected
from benchlint.judges.given_up import GivenUp
from benchlint.judges.litellm_library import MISSING, load
from benchlint.judges.parsing import UnusableError, parse_reply
from benchlint.judges.prices import price_of
from benchlint.judges.protocol import Answer, NoAnswerError, Usage
from benchlint.judges.redirects import refused
from benchlint.judges.retrying import delay

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchlint.judges.failures import Failure
    from benchlint.judges.prices import Price
    from benchlint.judges.protocol import Request

Form = Literal["json_schema", "json_object with schema", "json_object", "text"]
"""How an answer's form is asked for besides the prompt, the strictest first."""

PARAMETERS: Final = frozenset(
    {
        "frequency_penalty",
        "min_p",
        "presence_penalty",
        "reasoning_effort",
        "repetition_penalty",
        "service_tier",
        "thinking",
        "top_k",
        "top_p",
        "verbosity",
    }
)
"""The parameters that may be passed on to a model beside those with options of their own."""

_FORMS: Final[tuple[Form, ...]] = get_args(Form)
_MARKED: Final = frozenset({"anthropic", "bedrock", "databricks", "openrouter", "vertex_ai"})
_LONGEST_WAIT: Final = 60.0
_GAP: Final = 0.005
"""The seconds between the starts of two calls."""

_works: dict[tuple[str, str | None], Form] = {}
"""The strictest form that an endpoint takes, by model and URL, as far as it is known."""

_refuses: dict[tuple[str, str | None], frozenset[str]] = {}
"""The parameters that an endpoint does not take, likewise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """Which model is asked, and how.

    `timeout` and `backoff` (the limit of the first wait between retries) are
    in seconds. `key_variable` names the variable of the environment whose
    key is sent to `base_url`. `repetition` tells one of several times that the same model is
    asked from the others. `price` is for a model whose price litellm does not
    know. ValueError for parameters that are not known.
    """

    model: str
    base_url: str | None = None
    key_variable: str | None = None
    temperature: float | None = 0.0
    max_tokens: int = 4096
    seed: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 120.0
    retries: int = 4
    backoff: float = 1.0
    concurrency: int = 8
    repetition: int = 0
    price: Price | None = None

    def __post_init__(self) -> None:
        unknown = sorted(set(self.parameters) - PARAMETERS)
        if unknown:
            raise ValueError(f'unknown parameter "{unknown[0]}": use some of {", ".join(sorted(PARAMETERS))}')


class LiteLLMModel:
    """A model of any provider that litellm knows.

    It lives on one event loop. ValueError for a base URL that cannot be used.
    """

    def __init__(self, options: ModelOptions) -> None:
        self.options = options
        self.name = options.model
        self.concurrency = options.concurrency
        self.endpoint = endpoint_of(options.model, options.base_url, key_variable=options.key_variable)
        self._at = (options.model, self.endpoint.url)
        self._slots = asyncio.Semaphore(options.concurrency)
        self._opening: asyncio.Future[tuple[Any, Any]] | None = None
        self._not_before = 0.0
        self._last_turn = 0.0
        self._hidden = secrets()

    @property
    def asker(self) -> Mapping[str, object]:
        """Everything besides the messages that could change an answer."""
        options = self.options
        asker: dict[str, object] = {
            "model": options.model,
            "endpoint": self.endpoint.url,
            "temperature": options.temperature,
            "max_tokens": options.max_tokens,
            "seed": options.seed,
            **options.parameters,
        }
        return {**asker, "repetition": options.repetition} if options.repetition else asker

    @property
    def price(self) -> Price | None:
        """What its tokens cost: as configured, else as litellm knows it, but not at a URL of one's own."""
        if self.options.price is not None or self.options.base_url:
            return self.options.price
        return price_of(self.name)

    def messages(self, request: Request) -> list[dict[str, Any]]:
        """Return the messages that ask a request; where a provider takes it, the prefix is marked for its cache."""
        prefix: Any = request.prefix
        if takes_cache_marks(self.name):
            prefix = [{"type": "text", "text": prefix, "cache_control": {"type": "ephemeral"}}]
        return [{"role": "system", "content": prefix}, {"role": "user", "content": request.body}]

    async def answer(self, request: Request, allowed: Callable[[], bool]) -> Answer:
        """Answer one request; a reply that cannot be read is sent back once, with the reason.

        A call that timed out or was given up may have been paid for: it
        counts, at what it was expected to cost.
        """
        tab = _Tab(allowed)
        try:
            async with self._slots:
                return Answer(await self._answered(request, tab), tab.usage)
        except NoAnswerError as error:
            raise NoAnswerError(error.reason, tab.usage, error.outage) from None
        except asyncio.CancelledError:
            raise GivenUp(tab.usage) from None

    async def _answered(self, request: Request, tab: _Tab) -> dict[str, Any]:
        messages = self.messages(request)
        reply = await self._call(request, messages, tab)
        try:
            return parse_reply(reply.text, reply.finish_reason, request.metric)
        except UnusableError as error:
            first = error
        if not first.repairable or not tab.allowed():
            raise NoAnswerError(first.reason)
        repair = f"This is no answer: {first.reason}. Answer again with the JSON object alone."
        said = {"role": "assistant", "content": reply.text or "(nothing)"}
        second = await self._call(request, [*messages, said, {"role": "user", "content": repair}], tab)
        try:
            return parse_reply(second.text, second.finish_reason, request.metric)
        except UnusableError as error:
            raise NoAnswerError(f"{error.reason}, also when asked again") from None

    async def close(self) -> None:
        """Close the connections."""
        opening, self._opening = self._opening, None
        if opening is not None and not opening.done():
            opening.cancel()
        elif opening is not None and not opening.cancelled() and opening.exception() is None:
            _, session = opening.result()
            await session.close()

    async def _call(self, request: Request, messages: list[dict[str, Any]], tab: _Tab) -> _Reply:
        """Ask in the strictest form that the endpoint takes."""
        first: Failure | None = None
        known = _works.get(self._at)
        for form in _FORMS[_FORMS.index(known) :] if known else _FORMS:
            try:
                reply = await self._send(request, messages, _response_format(form, request), tab)
            except RefusedError as error:
                first = first or error.failure
                continue
            if first is not None:
                _works[self._at] = form
            return reply
        assert first is not None
        raise NoAnswerError(first.reason, outage="transient")

    async def _send(
        self,
        request: Request,
        messages: list[dict[str, Any]],
        response_format: dict[str, Any] | None,
        tab: _Tab,
    ) -> _Reply:
        """Send messages until they are answered, and give up after some retries."""
        litellm, session = await self._open()
        attempt = 0
        while True:
            await self._wait_for_turn()
            parameters = self._parameters(response_format)
            with refused() as redirects:
                try:
                    async with asyncio.timeout(self.options.timeout):
                        response = await litellm.acompletion(messages=messages, shared_session=session, **parameters)
                    if not redirects:
                        tab.usage += self._usage(response)
                        return self._reply(response)
                    failure = redirected(redirects[0])
                except asyncio.CancelledError:
                    tab.usage += self._expected(request)
                    raise
                except Exception as error:  # litellm raises what its many providers raise
                    failure = (
                        redirected(redirects[0]) if redirects else failure_of(error, self.name, self.options.timeout)
                    )
            if failure.timed_out:
                tab.usage += self._expected(request)
            if failure.kind == "refused":
                unwanted = self._unwanted(failure, parameters)
                if not unwanted:
                    raise RefusedError(failure)
                _refuses[self._at] = _refuses.get(self._at, frozenset()) | unwanted
            elif (
                failure.kind != "transient"
                or attempt >= self._retries(failure)
                or (failure.timed_out and not tab.allowed())
            ):
                again = f", also when tried {attempt + 1} times" if attempt else ""
                raise NoAnswerError(failure.reason + again, outage=failure.outage)
            elif (failure.retry_after or 0) > _LONGEST_WAIT:
                asks = f"asks for a wait of {failure.retry_after:,.0f} s; at most {_LONGEST_WAIT:.0f} s are waited"
                raise NoAnswerError(f"{failure.reason} and {asks}", outage="fatal")
            else:
                seconds = delay(attempt, failure.retry_after, self.options.backoff, _LONGEST_WAIT)
                if failure.limited:
                    self._not_before = max(self._not_before, asyncio.get_running_loop().time() + seconds)
                attempt += 1
                await asyncio.sleep(seconds)

    def _retries(self, failure: Failure) -> int:
        """Return how often a call is tried again; one that hung only once."""
        return min(self.options.retries, 1) if failure.timed_out else self.options.retries

    def _reply(self, response: Any) -> _Reply:
        choice = response.choices[0] if response.choices else None
        content = choice.message.content if choice is not None else ""
        text = without_secrets(content, self._hidden) if isinstance(content, str) else ""
        return _Reply(text, choice.finish_reason if choice is not None else None)

    def _usage(self, response: Any) -> Usage:
        """Return what a call took, by the endpoint's own count."""
        used = getattr(response, "usage", None)
        tokens_in = getattr(used, "prompt_tokens", None) or 0
        tokens_out = getattr(used, "completion_tokens", None) or 0
        if self.options.price is not None:
            usd: float | None = self.options.price.of(tokens_in, tokens_out)
        else:
            usd = response._hidden_params.get("response_cost") if self.price is not None else None
        return Usage(1, tokens_in, tokens_out, usd or None)

    def _expected(self, request: Request) -> Usage:
        """Return what a call took of which nothing came back: it may be paid for, at what was expected."""
        return Usage(1, usd=expected_usd(self.price, request) if self.price is not None else None)

    async def _wait_for_turn(self) -> None:
        """Wait while the endpoint has asked for a pause of all calls, and for the call before to be on its way.

        Calls that start together come back together, and then wait for each
        other at every step.
        """
        loop = asyncio.get_running_loop()
        while True:
            now = loop.time()
            turn = max(now, self._not_before, self._last_turn + _GAP)
            self._last_turn = turn
            if turn > now:
                await asyncio.sleep(turn - now)
            if turn >= self._not_before:
                return

    def _parameters(self, response_format: dict[str, Any] | None) -> dict[str, Any]:
        options = self.options
        chosen: dict[str, Any] = {
            "temperature": options.temperature,
            "max_tokens": options.max_tokens,
            "seed": options.seed,
            "response_format": response_format,
            **options.parameters,
        }
        refused = _refuses.get(self._at, frozenset())
        sent = {name: value for name, value in chosen.items() if value is not None and name not in refused}
        if self.endpoint.url is not None:
            sent["api_base"] = self.endpoint.url
        if self.endpoint.key is not None:
            sent["api_key"] = self.endpoint.key
        return {
            "model": options.model,
            "timeout": options.timeout,
            "num_retries": 0,
            "max_retries": 0,
            "no-log": True,
            **sent,
        }

    def _unwanted(self, failure: Failure, parameters: Mapping[str, Any]) -> frozenset[str]:
        """Return the parameters that an endpoint names as the reason for its refusal."""
        options = self.options
        droppable = {"temperature", "seed", *options.parameters} & parameters.keys()
        if failure.unsupported:
            droppable |= {"response_format"} & parameters.keys()
        elif re.search(r"response_format|json_schema|json_object", failure.reason):
            return frozenset()
        return frozenset(name for name in droppable if re.search(rf"\b{name}\b", failure.reason))

    async def _open(self) -> tuple[Any, Any]:
        """Return litellm and the one HTTP session, made when they are first needed."""
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._opened())
        try:
            return await asyncio.shield(self._opening)
        except ImportError:
            raise NoAnswerError(MISSING, outage="fatal") from None
        except Exception as error:  # whatever a broken installation raises
            raise NoAnswerError(f"litellm cannot be used: {error}", outage="fatal") from error

    async def _opened(self) -> tuple[Any, Any]:
        litellm = await asyncio.get_running_loop().run_in_executor(None, load)
        import aiohttp

        connector = aiohttp.TCPConnector(limit=self.options.concurrency, keepalive_timeout=60)
        return litellm, aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


def takes_cache_marks(model: str) -> bool:
    """Say whether a provider takes marks of what it should cache: those that serve Claude do.

    Others cache a prefix by themselves, or not at all.
    """
    return "claude" in model.lower() and provider_of(model) in _MARKED


@dataclass(slots=True)
class _Tab:
    """Whether one more call may be made for a request, and what its calls took."""

    allowed: Callable[[], bool]
    usage: Usage = field(default_factory=Usage)


class _Reply(NamedTuple):
    """What a model said."""

    text: str
    finish_reason: str | None


def _response_format(form: Form, request: Request) -> dict[str, Any] | None:
    if form == "json_schema":
        return {
            "type": "json_schema",
            "json_schema": {"name": request.metric, "schema": request.schema, "strict": True},
        }
    if form == "json_object with schema":
        return {"type": "json_object", "schema": request.schema}
    return {"type": "json_object"} if form == "json_object" else None
