"""The key of a verdict in the cache: a hash of the whole request.

It has two halves, who was asked and what was asked, so that one can find
what another model said to the same question.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchlint.judges.protocol import Request

PROTOCOL: Final = 1
"""Raised whenever answers are asked for or read in a way that makes old ones useless."""


def asker_key(asker: Mapping[str, object]) -> str:
    """Return the hash of who is asked: model, endpoint and parameters. 16 hexadecimal digits."""
    return _hash(asker, 8)


def question_key(request: Request) -> str:
    """Return the hash of what is asked: metric, messages and schema. 32 hexadecimal digits."""
    return _hash([PROTOCOL, request.metric, request.prefix, request.body, request.schema], 16)


def verdict_key(asker: str, question: str) -> str:
    """Return the key of the verdict of an asker on a question, both hashed."""
    return f"{asker}-{question}"


def asker_of(key: str) -> str:
    """Return the asker's half of a key."""
    return key.partition("-")[0]


def _hash(value: object, size: int) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
