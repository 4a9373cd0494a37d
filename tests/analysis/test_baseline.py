"""Baselines: what was known stays silent, whatever is edited around it."""

from __future__ import annotations

import json

import pytest
from tests.analysis.conftest import task, told

from benchlint.analysis.baseline import BaselineError, parse, render, write_baseline
from benchlint.catalogue.finding import Anchor, Finding, Severity


def finding(rule: str = "unknown-tool", *, path: str = "tasks.json", **more: object) -> Finding:
    fields = {"task": "1", "pointer": "/actions/0/name", "quote": "bok"} | more
    return Finding(rule, Severity.ERROR, "there is no such tool", Anchor(path, 1, 4, 0), "tasks.json", **fields)


def everywhere(rule: str, path: str) -> bool:
    return True


def test_known_findings_are_left_out_and_gone_ones_counted():
    known = [finding(), finding(), finding("duplicate-task"), finding(task="2")]
    baseline = parse("base.json", render("base.json", known).encode())
    assert baseline.apply(known, everywhere) == ([], 0)
    assert baseline.apply([], everywhere) == ([], 4)
    assert baseline.apply([], lambda rule, path: rule == "duplicate-task") == ([], 1)
    assert baseline.apply([], lambda rule, path: path == "other.json") == ([], 0)
    other = finding(quote="buk")
    assert baseline.apply([*known, other, finding()], everywhere) == ([other, finding()], 0)


def test_the_text_is_sorted_and_tells_a_reader_what_is_known():
    findings = [finding(task="9"), finding("a-rule", path="b.json"), finding(task="10"), finding("a-rule")]
    text = render("base.json", findings)
    assert text == render("base.json", findings[::-1])
    entries = json.loads(text)["findings"]
    assert [(entry["path"], entry["rule"], entry["task"]) for entry in entries] == [
        ("b.json", "a-rule", "1"),
        ("tasks.json", "a-rule", "1"),
        ("tasks.json", "unknown-tool", "10"),
        ("tasks.json", "unknown-tool", "9"),
    ]
    assert text.isascii()
    assert text.endswith("}\n")


@pytest.mark.parametrize("surrogate", ["\ud800", "é", "🎈", " "])
def test_any_text_can_be_known(surrogate):
    known = [finding(quote=surrogate, task=surrogate)]
    text = render("base.json", known).encode()
    assert parse("base.json", text).apply(known, everywhere) == ([], 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 1}',
        '{"version": 1, "findings": {}}',
        '{"version": 2, "findings": []}',
        '{"version": 1, "findings": [1]}',
        '{"version": 1, "findings": [{"fingerprint": "x", "count": "1"}]}',
        "[" * 100_000,
        "\xff",
    ],
)
def test_what_is_no_baseline_is_refused_by_its_path(text):
    with pytest.raises(BaselineError, match=r"^base\.json: "):
        parse("base.json", text.encode("latin-1"))


def test_paths_are_relative_to_the_baseline(folder, lint, monkeypatch):
    (folder / "a").mkdir()
    (folder / "tools.json").rename(folder / "a" / "tools.json")
    (folder / "a" / "tasks.json").write_text(json.dumps([task(1, "bok")]))
    assert write_baseline("known.json", lint("a").findings) == 1
    assert json.loads((folder / "known.json").read_text())["findings"][0]["path"] == "a/tasks.json"
    assert told(lint("a", baseline="known.json")) == []
    monkeypatch.chdir(folder / "a")
    assert told(lint(baseline="../known.json")) == []
    assert told(lint(str(folder / "a"), baseline=str(folder / "known.json"))) == []


def test_edits_elsewhere_do_not_wake_what_is_known(folder, lint):
    tasks = folder / "tasks.json"
    tasks.write_text(json.dumps([task(1), task(2, "bok")]))
    write_baseline("known.json", lint().findings)
    tasks.write_text("\n\n" + json.dumps([task(3), task(1), task(2, "bok")], indent=4))
    result = lint(baseline="known.json")
    assert (told(result), result.baselined, result.notes) == ([], 1, lint().notes)
    tasks.write_text(json.dumps([task(2, "buk")]))
    result = lint(baseline="known.json")
    assert told(result) == ["unknown-tool tasks.json:1"]
    assert "known.json: 1 finding of the baseline is gone; write it anew" in result.notes


def test_rules_that_are_left_out_and_files_that_are_not_read_are_not_gone(folder, lint):
    for name in ("tasks.json", "tasks_small.json"):
        (folder / name).write_text(json.dumps([task(1, "bok")]))
    write_baseline("known.json", lint().findings)
    (folder / "tasks.json").write_text(json.dumps([task(1)]))

    def gone(*paths: str, **options: object) -> list[str]:
        return [note for note in lint(*paths, baseline="known.json", **options).notes if "gone" in note]

    assert len(gone()) == 1
    assert len(gone("tasks.json")) == 1
    assert gone("tasks_small.json") == []
    assert gone(select=("scoring",)) == []


def test_lesser_findings_stay_known_when_they_are_not_shown(folder, lint):
    (folder / "tasks.json").write_text(json.dumps([task(1, "bok")]))
    write_baseline("known.json", lint().findings)
    (folder / "benchlint.toml").write_text('[severity]\nunknown-tool = "hint"\n')
    result = lint(baseline="known.json", min_severity=None)
    assert [note for note in result.notes if "gone" in note] == []
    assert result.baselined == 1
