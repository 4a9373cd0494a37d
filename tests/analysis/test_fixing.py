"""Fixes: applied to a fixpoint, taken back where they do harm, written whole."""

from __future__ import annotations

import json
import os
import stat
from collections import Counter

import pytest
from msgspec.structs import replace
from tests.analysis.conftest import task

from benchlint.analysis.fixing import ROUNDS, fix
from benchlint.analysis.kept import Kept
from benchlint.analysis.run import Options, Result, run
from benchlint.analysis.snapshot import Snapshot
from benchlint.analysis.writing import replace_file, write_changes
from benchlint.catalogue.finding import Anchor, Edit, Finding, Fix, Severity
from benchlint.config import ConfigLookup
from benchlint.text.document import Document

PATH = "t.json"


def finding(start: int, end: int, text: str, *, safe: bool = True, rule: str = "wrong", more: tuple = ()) -> Finding:
    edits = (Edit(Anchor(PATH, start, end), text), *(Edit(Anchor(PATH, *item[:2]), item[2]) for item in more))
    return Finding(
        rule,
        Severity.WARNING,
        f"wrong at {start}",
        Anchor(PATH, start, end),
        pointer=f"/{start}",
        fixes=(Fix("do", edits, safe),),
    )


def error(rule: str, at: int) -> Finding:
    return Finding(rule, Severity.ERROR, f"{rule} at {at}", Anchor(PATH, at, at), pointer=f"/{at}")


class Linter:
    """Lints a text by a function from bytes to findings, and counts its runs."""

    def __init__(self, rule):
        self.rule = rule
        self.runs = 0

    def __call__(self, snapshot: Snapshot) -> Result:
        self.runs += 1
        document = snapshot.read(PATH)
        findings = tuple(self.rule(document.data))
        return Result(findings=findings, everything=findings, documents={PATH: document}, slices={PATH: (0,)})


def fixed(text: bytes, rule, **options):
    linter = Linter(rule)
    done = fix(Snapshot([Document(PATH, text)]), linter, **options)
    return done.result.documents[PATH].data, done, linter


def every(byte: bytes, new: str, **more):
    def rule(data: bytes):
        return [finding(at, at + 1, new, **more) for at in range(len(data)) if data[at : at + 1] == byte]

    return rule


def test_all_fixes_that_do_not_touch_are_applied_in_one_round():
    data, done, linter = fixed(b"a.a.a", every(b"a", "bb"))
    assert data == b"bb.bb.bb"
    assert (done.count, done.refused, linter.runs) == (3, (), 2)
    assert done.changed[PATH][0].data == b"a.a.a"
    assert done.before.documents[PATH].data == b"a.a.a"


def test_edits_that_touch_wait_for_the_next_round():
    data, done, linter = fixed(b"aaaa", every(b"a", "b"))
    assert data == b"bbbb"
    assert (done.count, linter.runs) == (4, 3)


def test_the_edits_of_a_fix_are_applied_together_or_not_at_all():
    def rule(data: bytes):
        if data == b"abcdef":
            return [finding(0, 1, "A", more=((5, 6, "F"),)), finding(4, 6, "x", rule="other")]
        return []

    assert fixed(b"abcdef", rule)[0] == b"AbcdeF"


def test_unsafe_fixes_only_where_they_are_wanted():
    rule = every(b"a", "b", safe=False)
    assert fixed(b"a", rule)[0] == b"a"
    assert fixed(b"a", rule, unsafe=True)[0] == b"b"


def test_a_fix_that_brings_an_error_is_taken_back_and_the_others_stay():
    def rule(data: bytes):
        yield from every(b"a", "b")(data)
        for at in range(len(data)):
            if data[at : at + 2] == b"b!":
                yield error("broken", at)

    data, done, _ = fixed(b"a.a.a!a.a", rule)
    assert data == b"b.b.a!b.b"
    assert done.count == 4
    ((refused, reason),) = done.refused
    assert refused.anchor.start == 4
    assert reason == "it would bring broken: broken at 4"


def test_an_error_that_was_there_before_does_no_harm():
    def rule(data: bytes):
        return [error("old", 9), *every(b"a", "b")(data)]

    assert fixed(b"a", rule)[0] == b"b"


def test_one_more_of_the_same_error_does_harm():
    def rule(data: bytes):
        yield from every(b"a", "b")(data)
        yield from [error("old", 9)] * data.count(b"b")

    data, done, _ = fixed(b"ba", rule)
    assert (data, len(done.refused)) == (b"ba", 1)


def test_fixes_that_go_round_in_circles_end():
    def rule(data: bytes):
        return [finding(0, 1, "b" if data == b"a" else "a")]

    _, done, linter = fixed(b"a", rule)
    assert linter.runs == ROUNDS + 1
    assert done.refused[0][1] == "there is more to fix after 10 rounds"
    assert done.changed == {}


def test_line_ends_of_the_file_are_kept():
    def rule(data: bytes):
        return [finding(0, 1, "x\ny\r\nz")] if data.startswith(b"a") else []

    assert fixed(b"a\r\nb", rule)[0] == b"x\r\ny\r\nz\r\nb"
    assert fixed(b"a\rb", rule)[0] == b"x\ry\rz\rb"
    assert fixed(b"a\nb", rule)[0] == b"x\ny\nz\nb"


def test_half_a_character_cannot_be_written():
    _, done, _ = fixed(b"a", every(b"a", "\ud800"))
    assert done.refused[0][1] == "its text holds half of a character, which UTF-8 cannot write"


def test_an_edit_of_a_file_that_was_not_read_is_refused():
    def rule(data: bytes):
        wrong = finding(0, 1, "b")
        other = Fix("do", (Edit(Anchor("other.json", 0, 1), "b"),), True)
        return [replace(wrong, fixes=(other,))]

    _, done, _ = fixed(b"a", rule)
    assert done.refused[0][1] == "other.json is not among the files that were read"


def test_edits_follow_their_slices():
    def lint(snapshot: Snapshot) -> Result:
        document = snapshot.read(PATH)
        starts = tuple(at for at in range(len(document.data)) if document.data[at : at + 1] == b"#")
        findings = tuple(
            Finding(
                "wrong",
                Severity.HINT,
                "",
                Anchor(PATH, 1, 2, index),
                pointer=str(index),
                fixes=(Fix("do", (Edit(Anchor(PATH, 1, 2, index), "long"),), True),),
            )
            for index, start in enumerate(starts)
            if document.data[start + 1 : start + 2] == b"a"
        )
        return Result(findings=findings, documents={PATH: document}, slices={PATH: starts})

    done = fix(Snapshot([Document(PATH, b"#a..#b..#a")]), lint)
    assert done.result.documents[PATH].data == b"#long..#b..#long"


@pytest.fixture
def lint_folder(folder):
    kept = Kept()

    def lint(snapshot: Snapshot) -> Result:
        return run(["."], snapshot, ConfigLookup(), Options(thorough=True), kept=kept)

    return lint


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_real_fix_keeps_every_other_byte(folder, lint_folder, bom, newline):
    text = json.dumps(
        [task(1, "bok_visit"), task(2, note="é 🎈 \u2028"), task(3, "book_visits")], indent=2, ensure_ascii=False
    )
    data = bom + text.replace("\n", newline).encode()
    (folder / "tasks.json").write_bytes(data)
    done = fix(Snapshot(), lint_folder)
    assert write_changes(done.changed) == []
    after = (folder / "tasks.json").read_bytes()
    assert after == data.replace(b'"bok_visit"', b'"book_visit"').replace(b'"book_visits"', b'"book_visit"')
    assert done.count == 2


def test_fixes_of_rules_that_are_not_shown_are_not_applied_but_their_errors_count(folder, lint_folder):
    broken = task(1, "bok_visit")
    broken["evaluation_criteria"]["actions"][0]["arguments"] = {"hour": "1"}
    (folder / "tasks.json").write_text(json.dumps([broken]))
    kept = Kept()

    def lint(snapshot: Snapshot) -> Result:
        options = Options(select=("unknown-tool",), thorough=True)
        return run(["."], snapshot, ConfigLookup(), options, kept=kept)

    done = fix(Snapshot(), lint)
    assert Counter(item.rule for item in done.result.findings) == {"unknown-tool": 1}
    assert done.count == 0
    assert "it would bring" in done.refused[0][1]


def test_a_file_is_replaced_with_its_mode_and_through_its_link(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    target = real / "a.json"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to("real/a.json")
    replace_file(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in real.iterdir()) == ["a.json"]


def test_a_new_file_has_the_usual_mode(tmp_path):
    replace_file(tmp_path / "new.json", b"")
    (tmp_path / "usual.json").write_bytes(b"")
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "usual.json").stat().st_mode


def test_nothing_is_left_behind_where_writing_fails(tmp_path, monkeypatch):
    target = tmp_path / "a.json"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space") as caught:
        replace_file(target, b"new")
    assert caught.value.filename == str(target)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
    problems = write_changes({str(target): (Document("a", b"old"), Document("a", b"new"))})
    assert problems == [f"{target}: its fixes cannot be written: no space left on device"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    target = tmp_path / "a.json"
    target.write_text("edited")
    problems = write_changes({str(target): (Document("a", b"old"), Document("a", b"new"))})
    assert problems == [f"{target}: it was changed while it was linted, so its fixes were not written"]
    assert target.read_text() == "edited"
