"""Who made a model, told by its name."""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = (
    ("Anthropic", r"anthropic|claude|opus|sonnet|haiku"),
    ("OpenAI", r"openai|gpt|(?<![a-z0-9])o[134](?![a-z0-9])"),
    ("Google", r"google|gemini|gemma"),
    ("Meta", r"llama|(?<![a-z])meta(?![a-z])"),
    ("Mistral", r"mistral|ministral|mixtral|magistral|codestral"),
    ("Qwen", r"qwen|qwq|alibaba"),
    ("DeepSeek", r"deepseek"),
    ("xAI", r"grok|(?<![a-z])xai(?![a-z])"),
    ("Microsoft", r"microsoft|(?<![a-z])phi(?![a-z])"),
    ("Amazon", r"amazon|(?<![a-z])nova(?![a-z])"),
    ("Cohere", r"cohere|command-[ar]"),
    ("Moonshot", r"moonshot|kimi"),
    ("Zhipu", r"zhipu|(?<![a-z])glm(?![a-z])"),
)
_PATTERNS: Final = tuple((name, re.compile(pattern)) for name, pattern in _NAMES)


def family_of(name: str) -> str | None:
    """Return who made the model of that name, or None where the name does not tell."""
    folded = name.casefold()
    found = [(match.start(), maker) for maker, pattern in _PATTERNS if (match := pattern.search(folded))]
    return min(found)[1] if found else None


def same_family(one: str, other: str) -> bool:
    """Say whether two names are of one maker, be they makers or models."""
    return (family_of(one) or one).casefold() == (family_of(other) or other).casefold()
