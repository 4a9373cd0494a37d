"""The items of a policy as a person has reviewed them: those of an items file that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args

from msgspec.structs import replace

from benchlint.benchmark.model import PolicyItem, Review
from benchlint.benchmark.policy_kind import Kind
from benchlint.text.quotes import find_quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchlint.benchmark.items import ItemEntry, Items, ItemsFile

_KINDS: Final[tuple[Any, ...]] = get_args(Kind)
_NAMED: Final = 5
"""So many items are named in a note."""


def review(items: Items, sentences: Sequence[PolicyItem]) -> Review | None:
    """Return the reviewed items of a policy; None where no file is reviewed.

    An entry that was extracted stands for its sentence: where the policy has
    it no more, the entry does not count. One that was written by hand counts
    as it is.
    """
    files = [file for file in items.files if file.reviewed is not None and file.entries]
    if not files:
        return None
    known = _Sentences(sentences)
    found: dict[str, PolicyItem] = {}
    for file in files:
        for entry in file.entries:
            item = known.item(file, entry)
            if item is not None:
                found.setdefault(item.id, item)
    beside = tuple(item for item in sentences if item.id not in known.taken)
    paths = ", ".join(file.path for file in files)
    dates = ", ".join(dict.fromkeys(file.reviewed for file in files if file.reviewed))
    return Review(tuple(found.values()), beside, dates, tuple(_notes(paths, known.gone, beside)))


def _notes(paths: str, gone: Sequence[str], beside: Iterable[PolicyItem]) -> Iterator[str]:
    if gone:
        yield f"{paths}: the policy has no sentence of {_listed(gone)} any more, so it does not count; review it again"
    rules = [item.id for item in beside if item.kind != "fact"]
    if rules:
        what = "1 rule of the policy is" if len(rules) == 1 else f"{len(rules)} rules of the policy are"
        yield f"{paths}: {what} in no reviewed item: {_listed(rules)}"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


class _Sentences:
    """The sentences of a policy; `taken` are the ids of those that an entry stands for, `gone` entries without one."""

    def __init__(self, sentences: Iterable[PolicyItem]) -> None:
        self.taken: set[str] = set()
        self.gone: list[str] = []
        self._by_id: dict[str, PolicyItem] = {}
        self._by_text: dict[str, PolicyItem] = {}
        self._all = tuple(sentences)
        for item in self._all:
            self._by_id[item.id] = item
            self._by_text.setdefault(_words(item.text), item)

    def item(self, file: ItemsFile, entry: ItemEntry) -> PolicyItem | None:
        """Return the policy item that an entry is; None where it is none any more."""
        sentence = self._of(entry)
        if sentence is not None:
            self.taken.add(sentence.id)
            item = replace(sentence, kind=entry.kind) if entry.kind in _KINDS else sentence
            return replace(item, context=entry.meaning) if entry.meaning else item
        part = self._part(entry)
        if part is not None:
            return part
        if entry.extracted or not entry.text.strip():
            self.gone.append(entry.id)
            return None
        start, end = file.place(entry.index, ("text",))
        kind: Kind = entry.kind if entry.kind in _KINDS else "fact"  # type: ignore[assignment]
        return PolicyItem(entry.id, " ".join(entry.text.split()), file.path, start, end, ("", *entry.phases), kind)

    def _part(self, entry: ItemEntry) -> PolicyItem | None:
        """Return the part of a sentence that an entry is, in its place; its meaning is told with it."""
        for sentence in self._all if entry.extracted and entry.text.strip() else ():
            found = find_quote(entry.text, sentence.text)
            if found is not None and found.exact:
                self.taken.add(sentence.id)
                kind: Kind = entry.kind if entry.kind in _KINDS else sentence.kind  # type: ignore[assignment]
                text, context = _words(entry.text), entry.meaning or sentence.context
                return replace(sentence, id=entry.id, text=text, kind=kind, context=context)
        return None

    def _of(self, entry: ItemEntry) -> PolicyItem | None:
        """Return the sentence of an entry: the one with its id, unless its words are others, or that with its words."""
        found = self._by_id.get(entry.id)
        if found is not None and (not entry.text or _words(found.text) == _words(entry.text)):
            return found
        return self._by_text.get(_words(entry.text))


def _words(text: str) -> str:
    return " ".join(text.split())
