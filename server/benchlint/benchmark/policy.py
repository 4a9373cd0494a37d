"""The policy of a domain: its text at once, its items when they are asked for."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from benchlint.benchmark.model import Policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchlint.benchmark.model import PolicyItem, Review
    from benchlint.text.document import Document


_MARK: Final = re.compile(rb"""^(?:\xef\xbb\xbf)?["']?reviewed["']?[ \t]*:""", re.MULTILINE)


def read_policy(documents: Sequence[Document], items_files: Sequence[Document] = ()) -> Policy:
    """Read the policy of a domain; where one of its items files is reviewed, its items are those.

    Markdown and plain text: an item for each sentence, list entry and table
    row, in the order of the text. A sentence that opens a list is the
    context of its entries; a list of mere attributes is one item with its
    opening. Headings, code, HTML comments and front matter are no items.
    Python: an item for each string of a module-level list, read as syntax.
    """
    digest = blake2b(digest_size=16)
    marked = [document for document in items_files if is_marked(document)]
    for document in (*documents, *marked):
        digest.update(PurePath(document.path).name.encode("utf-8", "surrogateescape") + b"\0" + document.hash)

    def sentences() -> Iterator[PolicyItem]:
        from benchlint.benchmark.policy_items import read_items

        return read_items(documents)

    def reviewed(found: tuple[PolicyItem, ...]) -> Review | None:
        if not marked:
            return None
        from benchlint.benchmark.items import Items
        from benchlint.benchmark.reviewing import review

        return review(Items(marked), found)

    return Policy(
        sentences,
        "\n\n".join(document.data.decode("utf-8-sig", "replace") for document in documents),
        digest.digest(),
        tuple(document.path for document in documents),
        reviewed,
    )


def is_marked(document: Document) -> bool:
    """Say whether an items file has the key `reviewed`, without reading it as YAML."""
    return _MARK.search(document.data) is not None
