"""A rule and its page."""

from __future__ import annotations

import json
import re
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from benchlint.catalogue.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PACKAGE = Path(__file__).resolve().parent.parent
INDEX = "index.json"
FIXES = ("none", "safe", "unsafe")
FOUND_BY = ("check", "guard", "judge", "panel", "replay")
SECTIONS = ("What it finds", "Why it is bad", "Bad example", "Good example", "Fix")


class PageError(ValueError):
    """A rule page that cannot be read: its path and the reason."""


class Rule(Struct, frozen=True):
    """What benchlint looks for, read from the rule's page.

    `severity` is the default; for judged rules it is the ceiling that trust
    may reach. `metric` is the judge's call that finds it, or None.
    """

    name: str
    group: str
    severity: Severity
    found_by: tuple[str, ...]
    source: str | Path
    """The page's Markdown without its front matter, or the file it stands in."""
    fix: str = "none"
    since: str = ""
    preview: bool = False
    aliases: tuple[str, ...] = ()
    metric: str | None = None
    text: str | None = None
    """The page's Markdown, where it is not to be read from the file."""

    @property
    def page(self) -> str:
        """The page's Markdown, without its front matter; read when it is asked for."""
        if self.text is not None:
            return self.text
        return self.source if isinstance(self.source, str) else _parts(self.source)[1]

    @property
    def rubric_hash(self) -> str:
        """What tells the page's Rubric from others, however its lines are broken; "" without one."""
        words = " ".join(self.section("Rubric").split())
        return blake2b(words.encode("utf-8", "replace"), digest_size=4).hexdigest() if words else ""

    def section(self, title: str) -> str:
        """Return the text under a second-level heading, "" where there is none."""
        match = re.search(rf"^## {re.escape(title)}[ \t]*\n(.*?)(?=^## |\Z)", self.page, re.MULTILINE | re.DOTALL)
        return match[1].strip() if match else ""

    @property
    def summary(self) -> str:
        """The first paragraph of "What it finds", on one line."""
        return " ".join(self.section("What it finds").split("\n\n")[0].split())


def pages() -> Path:
    """Return the folder of the rule pages: in the wheel, or in a checkout."""
    shipped = _PACKAGE / "rules"
    return shipped if shipped.is_dir() else _PACKAGE.parent.parent / "rules"


@cache
def load_rules() -> dict[str, Rule]:
    """Return every rule by name, in the order of groups and names.

    What the pages' front matter says is kept in `rules/index.json`, so that
    a run need not read pages that it does not show.
    """
    folder = pages()
    with (folder / INDEX).open(encoding="utf-8") as file:
        entries = json.load(file)
    return {name: _rule(folder / entry["group"] / f"{name}.md", entry) for name, entry in entries.items()}


def index(folder: Path) -> str:
    """Return the text of `rules/index.json` for a folder of pages."""
    entries = {}
    for rule in read_pages(folder):
        assert isinstance(rule.source, Path)
        entries[rule.name] = {"group": rule.group, **_front_matter(rule.source)}
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"


def by_alias(rules: Mapping[str, Rule], name: str) -> Rule | None:
    """Return the rule of a name or of an old name."""
    found = rules.get(name)
    if found is None:
        found = next((rule for rule in rules.values() if name in rule.aliases), None)
    return found


def read_pages(folder: Path) -> Iterable[Rule]:
    """Read the pages of a folder of groups; PageError where one is wrong."""
    for path in sorted(folder.glob("*/*.md")):
        yield read_page(path)


def read_page(path: Path, text: str | None = None) -> Rule:
    """Read one page; PageError where its front matter is wrong. `text` counts in place of the file, and is kept."""
    if text is None:
        return _rule(path, _front_matter(path))
    front, markdown = _split(path, text)
    return replace(_rule(path, _values(path, front)), text=markdown)


@cache
def _parts(path: Path) -> tuple[str, str]:
    """Return the front matter and the Markdown of a page."""
    return _split(path, path.read_text(encoding="utf-8"))


def _split(path: Path, text: str) -> tuple[str, str]:
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    if match is None:
        raise PageError(f"{path}: the page has no front matter between two lines of ---")
    return match[1], text[match.end() :]


def _front_matter(path: Path) -> dict[str, Any]:
    return _values(path, _parts(path)[0])


def _values(path: Path, front_matter: str) -> dict[str, Any]:
    import yaml

    try:
        values = yaml.load(front_matter, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    except yaml.YAMLError as error:
        raise PageError(f"{path}: the front matter is no YAML: {error}") from None
    if not isinstance(values, dict):
        raise PageError(f"{path}: the front matter must have keys and values")
    return values


def _rule(path: Path, values: dict[str, Any]) -> Rule:
    def names(key: str) -> tuple[str, ...]:
        value = values.get(key) or ()
        return (value,) if isinstance(value, str) else tuple(str(item) for item in value)

    if values.get("name") != path.stem:
        raise PageError(f'{path}: the name must be the file\'s, "{path.stem}"')
    found_by, fix = names("found-by"), str(values.get("fix", "none"))
    if not found_by or not set(found_by) <= set(FOUND_BY):
        raise PageError(f"{path}: found-by must be some of {', '.join(FOUND_BY)}")
    if fix not in FIXES:
        raise PageError(f"{path}: fix must be one of {', '.join(FIXES)}")
    try:
        severity = Severity.parse(str(values.get("severity")))
    except ValueError as error:
        raise PageError(f"{path}: {error}") from None
    return Rule(
        name=path.stem,
        group=path.parent.name,
        severity=severity,
        found_by=found_by,
        source=path,
        fix=fix,
        since=str(values.get("since", "")),
        preview=bool(values.get("preview", False)),
        aliases=names("aliases"),
        metric=values.get("metric"),
    )
