"""What is to be linted at one moment: nothing in it ever changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from benchlint.lsp.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from benchlint.analysis.options import Options
    from benchlint.analysis.run import Result
    from benchlint.catalogue.finding import Finding
    from benchlint.text.document import Document

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The open texts, the folders and the settings.

    `revision` grows with every change of anything, `files` where files may
    have come, gone or changed on the disk. Folders that are not `trusted` are
    read and nothing more. `judged` grows with every verdict, `replayed` with
    every replay.
    """

    revision: int = 0
    files: int = 0
    documents: Mapping[str, Document] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    trusted: bool = True
    judged: int = 0
    replayed: int = 0

    @property
    def options(self) -> Options:
        """The options of a run."""
        return replace(self.settings.options, trusted=self.trusted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """What was found in a world.

    `found` are the findings of each file with the result that they are from,
    `diagnostics` the same for the client, by path. `messages` are sentences
    for the user, `stamps` those of the files that were read. An `early` one
    holds only the open files; the rest follows.
    """

    world: World
    found: Mapping[str, tuple[Result, Sequence[Finding]]] = field(default_factory=dict)
    diagnostics: Mapping[str, list[Json]] = field(default_factory=dict)
    results: tuple[Result, ...] = ()
    messages: tuple[str, ...] = ()
    stamps: Mapping[str, Hashable] = field(default_factory=dict)
    early: bool = False
