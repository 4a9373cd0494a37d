"""What an error of litellm means: whether to try again, to ask otherwise, or to give up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from benchlint.judges.endpoints import without_secrets
from benchlint.judges.retrying import retry_after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.judges.protocol import Outage

_SHOWN: Final = 200
_NO_KEY = re.compile(r"missing credentials|missing (?:\w+ )?api.?key|api_key client option must be set", re.IGNORECASE)
"""What clients say, under any status, when the environment holds no key."""

_PREFIX = re.compile(r"^(?:litellm\.\w+:\s*(?:\w+Error:\s*)?)+(?:\w+(?:Exception|Error)\s*-\s*)?")


class Failure(NamedTuple):
    """Why a call failed.

    "transient" may pass when tried again, "refused" may pass in another form,
    "final" may not. `limited` asks for a pause of all calls; `unsupported`
    means that litellm itself refused a parameter.
    """

    kind: Literal["transient", "refused", "final"]
    reason: str
    outage: Outage = "transient"
    retry_after: float | None = None
    limited: bool = False
    timed_out: bool = False
    unsupported: bool = False


class RefusedError(Exception):
    """A request that the endpoint will not take in this form."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def failure_of(error: Exception, model: str, timeout: float) -> Failure:
    """Say what an error means. litellm's have the HTTP status of the endpoint, or one that fits."""
    kind = type(error).__name__
    status = getattr(error, "status_code", None)
    message = _message(error)
    if isinstance(error, TimeoutError) or kind == "Timeout" or status == 408:
        return Failure("transient", f"the endpoint gave no answer within {timeout:g} s", timed_out=True)
    if _NO_KEY.search(message) and not getattr(getattr(error, "response", None), "content", b""):
        return Failure("final", f"the environment has no key for {model}: {message}", "fatal")
    if kind == "ContextWindowExceededError":
        return Failure("final", "the request is longer than the model can read", "none")
    if kind == "ContentPolicyViolationError":
        return Failure("final", "the provider's content filter refused the request", "none")
    if kind == "UnsupportedParamsError":
        return Failure("refused", message, unsupported=True)
    if status in (401, 403):
        return Failure("final", f"the endpoint refuses the key (HTTP {status}): {message}", "fatal")
    if status == 404:
        return Failure("final", f"the endpoint does not know the model {model} (HTTP 404): {message}", "fatal")
    if status == 429:
        return _limited(error, message)
    if kind == "APIConnectionError" or status is None or message.endswith("Connection error"):
        return Failure("transient", f"the endpoint cannot be reached: {message}")
    if status in (400, 405, 413, 415, 422):
        if "LLM Provider NOT provided" in str(error):
            return Failure("final", f'no provider is known for "{model}": write "provider/model"', "fatal")
        return Failure("refused", f"the endpoint refuses the request (HTTP {status}): {message}")
    if status == 500 and not _headers(error):  # litellm's own word for a body that it cannot read
        return Failure("transient", f"the endpoint gave no answer that can be read: {message}")
    reason = f"the endpoint failed (HTTP {status}): {message}"
    if re.search(r"response_format|json_schema", message):  # llama-cpp-python says 500 to a form that it does not take
        return Failure("refused", reason)
    return Failure("transient", reason, retry_after=_asked_wait(error), limited=status == 503)


def redirected(to: str) -> Failure:
    """Say that the endpoint would have the request sent elsewhere."""
    said = " ".join(without_secrets(to).split())
    shown = said if len(said) <= _SHOWN else f"{said[:_SHOWN]}..."
    reason = f"the endpoint redirects to {shown}; redirects are not followed, and nothing was sent there"
    return Failure("final", reason, "fatal")


def _limited(error: Exception, message: str) -> Failure:
    text = str(error).lower()
    if "insufficient_quota" in text or "exceeded your current quota" in text:
        return Failure("final", f"the account has no credit left: {message}", "fatal")
    reason = "the endpoint limits the rate of calls (HTTP 429)"
    return Failure("transient", reason, retry_after=_asked_wait(error), limited=True)


def _asked_wait(error: Exception) -> float | None:
    return retry_after(_headers(error).get("retry-after"))


def _headers(error: Exception) -> Mapping[str, str]:
    """Return the headers of the endpoint's reply; none where there was no reply."""
    return getattr(getattr(error, "response", None), "headers", None) or {}


def _message(error: Exception) -> str:
    """Return what an error says, on one line, short and without secrets."""
    text = " ".join(without_secrets(str(getattr(error, "message", "") or error)).split())
    text = _PREFIX.sub("", text).split(" Traceback (most recent call last)")[0].removesuffix(".")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
