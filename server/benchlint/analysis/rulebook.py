"""The rules of a configuration: the catalogue's, and those of a team's own pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.loader import Unreadable
from benchlint.catalogue.finding import Severity
from benchlint.catalogue.rule import Rule, load_rules, read_page
from benchlint.config import ConfigLookup, load_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from benchlint.config_schema import Config
    from benchlint.text.document import Document

_METRICS: Final = ("description_alignment", "policy_alignment", "violations", "ambiguity", "contradictions")


class Rulebook(Struct, frozen=True):
    """The rules of a configuration by name, and the pages of the team's own that they were read from, by path."""

    config: Config
    rules: Mapping[str, Rule]
    pages: Mapping[str, Document]

    def holds(self, config: Config, read: Callable[[str], Document]) -> bool:
        """Say whether the same texts would be read again; files that come and go are not seen."""
        if config is not self.config:
            return False
        try:
            return all(read(path) is document for path, document in self.pages.items())
        except Unreadable:
            return False


def rules_of(config: Config) -> Mapping[str, Rule]:
    """Return the rules of a configuration by name, the catalogue's first. See `rulebook`."""
    return rulebook(config, Snapshot().read).rules


def rules_at(path: str, config: str | None = None) -> Mapping[str, Rule]:
    """Return the rules of the configuration of a path: that file, or the nearest. Raises ConfigError."""
    settings = ConfigLookup(load_config(config) if config is not None else None)(path)
    return rules_of(settings) if settings is not None else load_rules()


def rulebook(config: Config, read: Callable[[str], Document]) -> Rulebook:
    """Read the rules of a configuration.

    A page of a team's own is for a judge: it has a metric and a Rubric.
    Raises ConfigError for one that is not, or whose name is taken.
    """
    rules = dict(load_rules())
    pages: dict[str, Document] = {}
    for index, path in _own_pages(config):
        try:
            document = pages[str(path)] = read(str(path))
            rule = read_page(path, _text(document))
        except (Unreadable, ValueError, RecursionError) as error:
            raise config.error(("rules", index), f"rules: {error}") from None
        if rule.name in rules:
            raise config.error(("rules", index), f"rules: {path}: there is a rule {rule.name} already")
        if rule.metric not in _METRICS or not rule.section("Rubric"):
            what = f'"metric" (one of {", ".join(_METRICS)}) and a section "Rubric"'
            raise config.error(("rules", index), f"rules: {path}: the page needs {what}")
        rules[rule.name] = rule
    return Rulebook(config, rules, pages)


def named_rules(config: Config) -> Mapping[str, Rule]:
    """Return the catalogue's rules, and for each page of the team's own a rule of its name that nobody looks for.

    No page is read: that is for folders that are not trusted, whose
    configuration may name those rules all the same.
    """
    known = load_rules()
    own = {path.stem: path for _, path in _own_pages(config)}
    return {
        **{name: Rule(name, path.parent.name, Severity.HINT, ("judge",), "") for name, path in own.items()},
        **known,
    }


def _own_pages(config: Config) -> Iterator[tuple[int, Path]]:
    """Yield the pages of each folder, with the folder's index in the configuration."""
    for index, name in enumerate(config.rules):
        folder = config.folder / name
        for path in sorted((*folder.glob("*.md"), *folder.glob("*/*.md"))):
            yield index, path


def _text(document: Document) -> str:
    return document.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
