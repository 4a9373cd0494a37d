"""Which models are related: a majority of relatives is no majority."""

from __future__ import annotations

import re
from typing import Final

_FAMILIES: Final = (
    ("openai", r"gpt|chatgpt|o[134](?:$|-)|davinci"),
    ("anthropic", r"claude"),
    ("google", r"gemini|gemma|palm"),
    ("deepseek", r"deepseek"),
    ("meta", r"llama"),
    ("mistral", r"\w*(?:mistral|mixtral|stral)"),
    ("alibaba", r"qwen|qwq"),
    ("xai", r"grok"),
    ("cohere", r"command|c4ai|aya"),
    ("microsoft", r"phi"),
    ("amazon", r"nova|titan"),
    ("zhipu", r"glm|chatglm"),
    ("moonshot", r"kimi|moonshot"),
    ("minimax", r"minimax|abab"),
    ("huggingface", r"smollm|zephyr"),
    ("ibm", r"granite"),
    ("nvidia", r"nemotron"),
)
_PATTERNS = tuple((name, re.compile(rf"(?:^|[^a-z]){words}")) for name, words in _FAMILIES)
_WORD = re.compile(r"[a-z]+")


def family(model: str) -> str:
    """Return the family of a model: who made it, whoever serves it.

    Told by the model's own name, the last part of its string: `azure/gpt-4o`
    and `openrouter/openai/gpt-4o-mini` are one family. A name that is not
    known is a family by its first word, so that `acme-small` and
    `acme-large` are related.
    """
    name = model.lower().rsplit("/", 1)[-1]
    places = [(found.start(), label) for label, pattern in _PATTERNS if (found := pattern.search(name))]
    if places:
        return min(places)[1]
    word = _WORD.search(name)
    return word[0] if word else name
