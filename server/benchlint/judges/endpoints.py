"""Where a model is reached, with whose key, and whether texts leave the machine.

Keys come from the environment only. A base URL that the configuration names
may be anybody's, so the key of a provider is never sent there: it gets
`BENCHLINT_API_KEY`, or none.
"""

from __future__ import annotations

import os
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KEY_VARIABLE: Final = "BENCHLINT_API_KEY"

_NO_KEY: Final = "none"
_SIGNED: Final = frozenset({"bedrock", "databricks", "oci", "sagemaker", "sap", "snowflake", "vertex_ai", "watsonx"})
"""Providers whose calls carry more of an account than a key that can be replaced."""

_REDIRECTED: Final = frozenset({"aiohttp_openai"})
"""Providers that litellm reaches by a client which cannot be kept from following redirects."""

_LOCAL: Final = frozenset({"llamafile", "lm_studio", "ollama", "ollama_chat"})
"""Providers that run on this machine unless another URL is given."""

_SECRETS: Final = ("_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_CREDENTIALS")
_SHORTEST_SECRET: Final = 8


class Endpoint(NamedTuple):
    """A model's endpoint. `url` is None for the provider's own, `key` for the provider's own key."""

    url: str | None = None
    key: str | None = None
    local: bool = False
    """Whether what is sent stays on this machine."""


def provider_of(model: str) -> str:
    """Return the provider of a model string: what stands before its first slash.

    Without a slash litellm knows a provider by its models' names; here those
    of OpenAI and Anthropic are known, and "" stands for the others.
    """
    if "/" in model:
        return model.split("/", 1)[0].lower()
    if model.startswith("claude"):
        return "anthropic"
    return "openai" if model.startswith(("gpt", "chatgpt", "o1", "o3", "o4")) else ""


def endpoint_of(
    model: str,
    base_url: str | None,
    environment: Mapping[str, str] = os.environ,
    key_variable: str | None = None,
) -> Endpoint:
    """Return where a model is reached.

    `base_url` is the configured one, and gets the key in `key_variable`;
    without it the provider's variables
    count (`OPENAI_BASE_URL`, `OLLAMA_API_BASE` and the like). ValueError,
    with what to change, for a URL that cannot be used.
    """
    provider = provider_of(model)
    if provider in _REDIRECTED:
        raise ValueError(f'calls by way of {provider} follow redirects to anywhere; write "openai/..." instead')
    if base_url:
        if provider in _SIGNED or provider.startswith(("vertex_ai", "sagemaker")):
            raise ValueError(f"no base URL can be configured for {provider}; set its own variables in the environment")
        url = checked_url(base_url)
        return Endpoint(url, environment.get(key_variable or KEY_VARIABLE) or _NO_KEY, is_loopback(url))
    for name in (f"{provider.upper()}_BASE_URL", f"{provider.upper()}_API_BASE") if provider else ():
        if found := environment.get(name):
            url = checked_url(found)
            return Endpoint(url, None, is_loopback(url))
    return Endpoint(local=provider in _LOCAL)


def checked_url(url: str) -> str:
    """Return a base URL without a slash at its end; ValueError where it cannot be used."""
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError('the base URL must look like "https://host/v1" or "http://127.0.0.1:8000/v1"')
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("the base URL must hold no user, password or query: keys come from the environment")
    return url.strip().rstrip("/")


def is_loopback(url: str) -> bool:
    """Say whether a URL leads to this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def secrets(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return what must not be shown or stored: values of variables whose names say so, longest first."""
    values = {
        value
        for name, value in environment.items()
        if name.upper().endswith(_SECRETS) and len(value) >= _SHORTEST_SECRET
    }
    return sorted(values, key=len, reverse=True)


def without_secrets(text: str, hidden: Iterable[str] | None = None) -> str:
    """Return a text in which secrets are replaced: some, or those of the environment."""
    for secret in secrets() if hidden is None else hidden:
        text = text.replace(secret, "***")
    return text
