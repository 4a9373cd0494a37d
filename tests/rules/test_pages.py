"""Every rule page is a test of its rule: the bad examples are found, the good ones are not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchlint.analysis.fixing import fix
from benchlint.analysis.options import ReplayOptions
from benchlint.analysis.run import Options, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.catalogue.index import render
from benchlint.catalogue.rule import INDEX, SECTIONS, Rule, index, load_rules, pages
from benchlint.checks.registry import all_checks
from benchlint.config import ConfigLookup

RULES = load_rules()
ELSEWHERE = {"internal-error", "unused-suppression"}
"""Rules whose findings come from the run itself, not from a check."""

WITHOUT_EXAMPLES = {"internal-error"}
ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """Files of a page; `marks` are path, start and end in bytes of what must be found."""

    rule: str
    title: str
    files: dict[str, bytes]
    marks: tuple[tuple[str, int, int], ...]

    def write(self, folder: Path) -> None:
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def unmarked(text: str) -> tuple[bytes, list[tuple[int, int]]]:
    """Return a text without its marks, and the ranges between them."""
    data = b""
    ranges = []
    start = None
    for part in re.split("([⟦⟧])", text):
        if part == "⟦":
            assert start is None, "a mark opens inside another"
            start = len(data)
        elif part == "⟧":
            assert start is not None, "a mark closes that is not open"
            ranges.append((start, len(data)))
            start = None
        else:
            data += part.encode()
    assert start is None, "a mark is not closed"
    return data, ranges


def is_judged(rule: Rule, title: str) -> bool:
    """Say whether an example is for a judge: there is a verdict for it, or no check looks for the rule."""
    is_guarded = "guard" in rule.found_by and "items.yaml\n" in rule.section(title)
    is_checked = bool({"check", "replay"} & set(rule.found_by)) or is_guarded
    return bool(rule.section(f"Verdict{title.removeprefix('Bad example')}")) or not is_checked


def examples(kind: str, *, judged: bool = False) -> list[Example]:
    """Return the examples under headings that start with "Bad example" or "Good example"."""
    found = []
    for rule in RULES.values():
        titles = [title for title in HEADING.findall(rule.page) if title.partition(":")[0] == kind]
        titles = [title for title in titles if is_judged(rule, title) == judged]
        for title in titles:
            files, marks = {}, []
            for name, text in BLOCK.findall(rule.section(title)):
                files[name], ranges = unmarked(text)
                marks += [(name, *place) for place in ranges]
            if files or rule.name not in WITHOUT_EXAMPLES:
                found.append(Example(rule.name, title, files, tuple(sorted(marks))))
    return found


def named(example: Example) -> str:
    return f"{example.rule}: {example.title}"


def lint(folder: Path, snapshot: Snapshot | None = None):
    config = folder / "benchlint.toml"
    replays = config.is_file() and "[replay]" in config.read_text(encoding="utf-8")
    options = Options(replay=ReplayOptions(cache=False) if replays else None)
    return run([str(folder)], snapshot or Snapshot(), ConfigLookup(), options)


def told(folder: Path, result) -> list[tuple[str, str, int, int, str]]:
    """Return rule, file, range and message of each finding."""
    found = []
    for finding in result.findings:
        anchor = finding.anchor
        base = result.slices[anchor.path][anchor.slice] if anchor.slice is not None else 0
        name = Path(anchor.path).relative_to(folder).as_posix()
        found.append((finding.rule, name, base + anchor.start, base + anchor.end, finding.message))
    return sorted(found, key=lambda item: item[:4])


@pytest.mark.parametrize("example", examples("Bad example"), ids=named)
def test_bad_example_is_found_at_its_marks_and_nothing_else(example, tmp_path):
    assert example.marks, "the example has no marks"
    example.write(tmp_path)
    result = lint(tmp_path)
    assert not result.problems
    found = told(tmp_path, result)
    assert [item[:4] for item in found] == [(example.rule, *mark) for mark in example.marks], found
    if example.title == "Bad example":
        assert {finding.severity for finding in result.findings} == {RULES[example.rule].severity}


@pytest.mark.parametrize("example", examples("Good example"), ids=named)
def test_good_example_gives_no_finding(example, tmp_path):
    assert not example.marks
    example.write(tmp_path)
    result = lint(tmp_path)
    assert not result.problems
    assert told(tmp_path, result) == []
    assert result.benchmarks


FIXED = [item for item in examples("Bad example") if item.title == "Bad example" and RULES[item.rule].fix != "none"]


@pytest.mark.parametrize("example", FIXED, ids=named)
def test_fix_of_the_bad_example_removes_the_finding(example, tmp_path):
    example.write(tmp_path)
    safe = RULES[example.rule].fix == "safe"
    fixes = [finding.fixes[0] for finding in lint(tmp_path).findings]
    assert [item.safe for item in fixes] == [safe] * len(example.marks)
    fixed = fix(Snapshot(), lambda snapshot: lint(tmp_path, snapshot), unsafe=not safe)
    assert fixed.count
    assert not fixed.refused
    assert [item for item in told(tmp_path, fixed.result) if item[0] == example.rule] == []


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_page_is_complete(rule):
    assert rule.page.lstrip().startswith(f"# {rule.name}\n")
    assert [title for title in HEADING.findall(rule.page) if title in SECTIONS] == list(SECTIONS)
    assert all(rule.section(title) for title in SECTIONS)
    assert rule.since
    assert rule.summary.endswith(".")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_links_between_pages_lead_somewhere(rule):
    folder = pages() / rule.group
    for target in re.findall(r"\]\(([^)#]+\.md)\)", rule.page):
        assert (folder / target).is_file(), target


def test_every_page_has_a_check_and_every_check_a_page():
    checked = {name for check in all_checks() for name in check.rules}
    by_check = {rule.name for rule in RULES.values() if {"check", "guard", "replay"} & set(rule.found_by)}
    assert checked == by_check - ELSEWHERE


def test_index_is_as_the_pages_are():
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == render(RULES), "run `make docs`"


def test_marks_are_byte_ranges():
    assert unmarked("é⟦😀⟧x⟦⟧") == ("é😀x".encode(), [(2, 6), (7, 7)])
    with pytest.raises(AssertionError):
        unmarked("⟦a⟦b⟧")


def test_the_kept_front_matter_is_the_pages() -> None:
    assert (pages() / INDEX).read_text(encoding="utf-8") == index(pages()), "run `make docs`"
