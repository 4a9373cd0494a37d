"""Diffs: whatever changed, the patch turns the old text into the new."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.text.diff import unified

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")
_LINES = st.lists(
    st.sampled_from([b"a", b"b", b"b\r", b"", b"long line", b"\xff", b"-- x", b"\xe2\x80\xa8"]), max_size=30
)


def apply(old: bytes, patch: bytes) -> bytes:
    """Apply a patch strictly: contexts, removed lines and counts must be right."""
    before = re.findall(rb"[^\n]*\n|[^\n]+", old)
    lines = re.findall(rb"[^\n]*\n", patch)
    assert b"".join(lines) == patch
    assert lines[0] == b"--- a\n"
    assert lines[1] == b"+++ a\n"
    after: list[bytes] = []
    position, index = 0, 2
    while index < len(lines):
        head = _HUNK.fullmatch(lines[index])
        assert head, lines[index]
        start, count, new_start, new_count = (int(part) if part is not None else 1 for part in head.groups())
        first = start - 1 if count else start
        after += before[position:first]
        assert len(after) == (new_start - 1 if new_count else new_start)
        position, removed, added = first, 0, 0
        index += 1
        while index < len(lines) and lines[index][:1] in b" -+":
            mark, line = lines[index][:1], lines[index][1:]
            if index + 1 < len(lines) and lines[index + 1].startswith(b"\\"):
                line = line[:-1]
                index += 1
            if mark in b" -":
                assert before[position] == line
                position, removed = position + 1, removed + 1
            if mark in b" +":
                after.append(line)
                added += 1
            index += 1
        assert (removed, added) == (count, new_count)
    return b"".join(after + before[position:])


@given(_LINES, _LINES, st.booleans(), st.booleans())
def test_any_two_texts(old: list[bytes], new: list[bytes], old_ends: bool, new_ends: bool) -> None:
    before = b"\n".join(old) + b"\n" * old_ends
    after = b"\n".join(new) + b"\n" * new_ends
    patch = unified("a", before, after)
    assert (patch == b"") == (before == after)
    if patch:
        assert apply(before, patch) == after


@given(st.lists(st.integers(0, 300), max_size=12, unique=True), st.data())
def test_a_long_text_with_a_few_changes_tells_little_more_than_those(places: list[int], data: st.DataObject) -> None:
    old = [b"line %d" % number for number in range(301)]
    new = list(old)
    for place in sorted(places, reverse=True):
        new[place : place + 1] = data.draw(st.sampled_from([[], [b"x"], [b"x", b"y"], [old[place], b"x"]]))
    before, after = b"\n".join(old), b"\n".join(new)
    patch = unified("a", before, after)
    if patch:
        assert apply(before, patch) == after
    assert patch.count(b"\n") <= 2 + len(places) * 13


def test_the_form() -> None:
    assert unified("a", b"1\n2\n3\n4\n5\n6\n7\n8\n9", b"1\n2\n3\n4\n5!\n6\n7\n8\n9") == (
        b"--- a\n+++ a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+5!\n 6\n 7\n 8\n"
    )
    assert unified("a", b"", b"x") == b"--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_takes_it(tmp_path) -> None:
    old = b"\xef\xbb\xbf1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9"
    new = old.replace(b"3", b"three\r\nmore").replace(b"9", b"nine")
    (tmp_path / "a").write_bytes(old)
    subprocess.run(["git", "apply", "-p0", "-"], input=unified("a", old, new), cwd=tmp_path, check=True)
    assert (tmp_path / "a").read_bytes() == new
