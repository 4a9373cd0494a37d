"""What makes two findings the same one, in two runs."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchlint.catalogue.finding import Finding


def fingerprint(finding: Finding, path: str | None = None) -> str:
    """Return 32 hexadecimal digits that outlive edits elsewhere in the file.

    They come from the rule, the path, the task, the pointer within it and the
    quoted text, and neither from lines nor from the message. `path` takes the
    place of the anchor's, for fingerprints that are compared on other machines.
    """
    parts = [finding.rule, path or finding.anchor.path, finding.task, finding.pointer, finding.quote]
    canonical = json.dumps(parts, separators=(",", ":")).encode()
    return blake2b(canonical, digest_size=16).hexdigest()


def numbered(fingerprints: Iterable[str]) -> list[str]:
    """Tell equal fingerprints of one run apart by their order: `…:1`, `…:2`."""
    seen: Counter[str] = Counter()
    result = []
    for item in fingerprints:
        seen[item] += 1
        result.append(f"{item}:{seen[item]}")
    return result
