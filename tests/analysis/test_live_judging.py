"""Judges of an editor: what they say after any edits is what a fresh reader of the same texts and verdicts says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.conftest import task
from tests.judges.conftest import POLICY, write_benchmark

from benchlint.analysis import live_judging
from benchlint.analysis.judging import Judging
from benchlint.analysis.kept import Kept
from benchlint.analysis.live_judging import LiveJudging
from benchlint.analysis.options import JudgeOptions
from benchlint.analysis.run import run
from benchlint.analysis.snapshot import Snapshot
from benchlint.analysis.standing import Given, Standing, text_key
from benchlint.config import ConfigLookup
from benchlint.judges.protocol import JudgedFinding, NoVerdict, Verdict, Violation
from benchlint.text.document import Document

FIXTURES = Path(__file__).parents[2] / "fixtures"
CONFIG = '[judge]\nmodels = "openai/judge"\nbase-url = "http://127.0.0.1:9/v1"\n'


class Editor:
    """Texts of a folder, and runs over them that keep what they can."""

    def __init__(self, folder: Path, judging: LiveJudging) -> None:
        self.folder = folder
        self.judging = judging
        self.lookup = ConfigLookup()
        self.kept = Kept()
        self.documents: dict[str, Document] = {}

    def edit(self, name: str, old: str, new: str) -> None:
        path = str(self.folder / name)
        known = self.documents.get(path) or Document(path, Path(path).read_bytes())
        at = known.data.index(old.encode())
        self.documents[path] = known.splice(at, at + len(old.encode()), new.encode())

    def lint(self, judging: Judging | None = None, kept: Kept | None = None):
        if judging is None:
            self.judging.begin(JudgeOptions(), lambda: None)
        snapshot = Snapshot(self.documents.values())
        return run([str(self.folder)], snapshot, self.lookup, kept=kept or self.kept, judging=judging or self.judging)


@pytest.mark.parametrize("name", ["hotel", "hotel-planted", "library"])
def test_the_offline_reader_says_in_the_editor_what_it_says_on_the_command_line(name):
    editor = Editor(FIXTURES / name, LiveJudging())
    assert editor.lint().findings == editor.lint(Judging(), Kept()).findings
    if name == "hotel-planted":
        assert any(finding.found_by == "offline" for finding in editor.lint().findings)


def test_a_large_file_is_read_in_several_lints(monkeypatch):
    editor = Editor(FIXTURES / "hotel-planted", LiveJudging(at_once=5))
    whole = editor.lint(Judging(), Kept()).findings
    counts = []
    while True:
        found = editor.lint().findings
        counts.append(len(found))
        if not editor.judging.is_behind:
            break
    assert len(counts) > 3
    assert counts == sorted(counts)
    assert found == whole


WORDS = ["confirm", "refund", "A guest", "é 🎈", "cancel the booking", "must not", "\n", "50 euros"]


@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(WORDS), st.booleans()), min_size=1, max_size=5))
def test_after_any_edits_the_offline_reader_says_what_a_fresh_one_says(tmp_path_factory, edits):
    folder = tmp_path_factory.mktemp("hotel")
    for path in (FIXTURES / "hotel-planted").iterdir():
        if path.name != "clean.yaml":
            (folder / path.name).write_bytes(path.read_bytes())
    editor = Editor(folder, LiveJudging())
    editor.lint()
    for at, word, in_policy in edits:
        path = str(folder / ("policy.md" if in_policy else "tasks.yaml"))
        known = editor.documents.get(path) or Document(path, Path(path).read_bytes())
        spaces = [index for index, byte in enumerate(known.data) if byte == 32]
        place = spaces[at % len(spaces)]
        editor.documents[path] = known.splice(place, place, f" {word}".encode())
        assert editor.lint().findings == editor.lint(Judging(), Kept()).findings


@pytest.fixture
def judged(tmp_path):
    """An editor of twelve tasks with a verdict each, of which some name a fault."""
    write_benchmark(tmp_path, [task(number) for number in range(1, 13)])
    (tmp_path / "benchlint.toml").write_text(CONFIG)
    editor = Editor(tmp_path, LiveJudging())
    editor.lint()
    (bench,) = editor.judging.benches.values()
    for number, item in enumerate(bench.benchmark.tasks):
        fault = JudgedFinding("unmet-request", "borrow", f"nobody lends {number}", pointer=item.scenario[0].pointer)
        for metric in bench.of_tasks:
            faults = (fault,) if metric == "description_alignment" and number % 3 == 0 else ()
            violations = (Violation(bench.benchmark.policy.items[1].id, "borrow"),) if metric == "violations" else ()
            verdict = Verdict(metric, "openai/judge", 8.0, faults, violations)
            given_ = Given(verdict, bench.reads[metric])
            editor.judging.standing.put(bench.benchmark.name, text_key(item), metric, given_)
    return editor


def of_judges(editor) -> list:
    return [item for item in editor.lint().findings if item.found_by == "judge"]


def messages(editor) -> list[tuple[str, str | None]]:
    return [(item.message, item.task) for item in of_judges(editor) if item.rule == "unmet-request"]


def test_a_verdict_falls_away_with_its_text_and_comes_back_with_it(judged):
    every = messages(judged)
    assert len(every) == 4
    judged.edit("tasks.json", "borrow the book b1.", "borrow no book.")
    assert messages(judged) == [item for item in every if item[1] != "t1"]
    judged.edit("tasks.json", "borrow no book.", "borrow the book b1.")
    assert messages(judged) == every
    judged.edit("tasks.json", "[", "[\n\n")
    assert messages(judged) == every


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("policy.md", "three loans", "four loans", "the policy has"),
        ("tools.json", "Lend a book", "Lend books", "the tools have"),
        ("db.json", "Uppsala", "Oslo", "the database has"),
    ],
)
def test_a_verdict_is_stale_where_something_else_that_it_read_has_changed(judged, name, old, new, what):
    fresh = messages(judged)
    judged.edit(name, old, new)
    (bench,) = judged.judging.benches.values() if judged.lint() else ()
    reads_it = [metric for metric, reads in bench.reads.items() if what[4:7] in repr(reads._fields)]
    assert reads_it
    assert bench.stale_tasks() == 12
    is_read = name == "db.json"
    assert all(("stale: " in message) is is_read for message, _ in messages(judged))
    assert len(messages(judged)) == len(fresh)
    judged.edit(name, new, old)
    assert messages(judged) == fresh
    (bench,) = judged.judging.benches.values()
    assert not bench.stale


def test_much_is_carried_over_while_somebody_types(judged, monkeypatch):
    monkeypatch.setattr(live_judging, "_MANY", 3)
    every = messages(judged)
    judged.edit("tasks.json", "borrow the book b1.", "borrow no book.")
    carried = of_judges(judged)
    assert judged.judging.is_carried
    exact = of_judges(judged)
    assert not judged.judging.is_carried
    assert [item for item in carried if item.rule == "unmet-request"] == [
        item for item in exact if item.rule == "unmet-request"
    ]
    assert messages(judged) == [item for item in every if item[1] != "t1"]
    judged.edit("policy.md", "three loans", "four loans")
    judged.lint()
    assert not judged.judging.is_carried


def test_what_cannot_be_used_is_said_and_nothing_is_judged(tmp_path):
    write_benchmark(tmp_path, [task(1)])
    (tmp_path / "benchlint.toml").write_text('[judge]\nmodels = "openai/gpt-4o"\n')
    editor = Editor(tmp_path, LiveJudging())
    editor.lint()
    (problem,) = editor.judging.problems
    assert "share" in problem
    assert editor.judging.benches == {}


def test_a_missing_verdict_never_takes_the_place_of_one():
    standing, reads = Standing(), None
    key = (b"x", "t")
    standing.put("b", key, "violations", Given(Verdict("violations", "j"), reads))
    revision = standing.revision
    standing.put("b", key, "violations", Given(NoVerdict("violations", "j", "down"), reads))
    assert standing.revision == revision
    assert isinstance(standing.of("b")[key]["violations"].answer, Verdict)
    standing.keep("b", set(), spare=5)
    assert key in standing.of("b")
    standing.keep("b", set(), spare=0)
    assert standing.of("b") == {}


def test_what_was_spent_stays_so_when_a_limit_changes(tmp_path):
    write_benchmark(tmp_path, [task(1)], POLICY)
    (tmp_path / "benchlint.toml").write_text(CONFIG + "max-calls = 3\n")
    editor = Editor(tmp_path, LiveJudging(retired=lambda _: None))
    editor.lint()
    (bench,) = editor.judging.benches.values()
    purse = bench.hearing.judges[0].purse
    assert purse.max_calls == 3
    (tmp_path / "benchlint.toml").write_text(CONFIG + "max-calls = 5\n")
    editor.lookup = ConfigLookup()
    editor.lint()
    (bench,) = editor.judging.benches.values()
    assert bench.hearing.judges[0].purse is purse
    assert purse.max_calls == 5
