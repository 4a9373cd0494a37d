"""The policy of a domain: its text at once, its items when they are asked for."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING

from benchlint.benchmark.model import Policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.model import PolicyItem
    from benchlint.text.document import Document


def read_policy(documents: Sequence[Document]) -> Policy:
    """Read the policy of a domain.

    Markdown and plain text: an item for each sentence, list entry and table
    row, in the order of the text. A sentence that opens a list is the
    context of its entries; a list of mere attributes is one item with its
    opening. Headings, code, HTML comments and front matter are no items.
    Python: an item for each string of a module-level list, read as syntax.
    """
    digest = blake2b(digest_size=16)
    for document in documents:
        digest.update(PurePath(document.path).name.encode("utf-8", "surrogateescape") + b"\0" + document.hash)

    def items() -> Iterator[PolicyItem]:
        from benchlint.benchmark.policy_items import read_items

        return read_items(documents)

    return Policy(
        items,
        "\n\n".join(document.data.decode("utf-8-sig", "replace") for document in documents),
        digest.digest(),
        tuple(document.path for document in documents),
    )
