"""Snapshots: a text is read once, within bounds, and only from files."""

from __future__ import annotations

import os

import pytest

from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.loader import Unreadable
from benchlint.text.document import Document


def test_a_file_is_read_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.json"
    path.write_text("1")
    snapshot = Snapshot()
    first = snapshot.read("a.json")
    path.write_text("2")
    assert snapshot.read(str(path)) is first
    assert snapshot.read("./x/../a.json") is first
    assert snapshot.head("a.json", 10) == b"1"
    path.unlink()
    assert snapshot.read("a.json").data == b"1"


def test_given_texts_come_before_the_disk(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("disk")
    unsaved = Document(str(path), b"unsaved", version=7)
    snapshot = Snapshot([unsaved])
    assert snapshot.read(str(path)) is unsaved
    assert snapshot.head(str(path), 3) == b"uns"
    changed = snapshot.with_documents([Document(str(path), b"")])
    assert changed.read(str(path)).data == b""
    assert changed.head(str(path), 3) == b""
    assert snapshot.read(str(path)) is unsaved


def test_a_changed_snapshot_keeps_what_was_read(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("1")
    snapshot = Snapshot()
    changed = snapshot.with_documents([Document(str(tmp_path / "b.json"), b"b")])
    first = changed.read(str(path))
    path.write_text("2")
    assert snapshot.read(str(path)) is first


@pytest.mark.parametrize(("size", "refused"), [(10, False), (11, True)])
def test_a_file_over_the_limit_is_refused_with_the_numbers(tmp_path, size, refused):
    path = tmp_path / "a.json"
    path.write_bytes(b"x" * size)
    for snapshot in (Snapshot(), Snapshot([Document(str(path), b"x" * size)])):
        if not refused:
            assert len(snapshot.read(str(path), 10).data) == size
            continue
        with pytest.raises(Unreadable) as caught:
            snapshot.read(str(path), 10)
        assert caught.value.reason == "it has 11 bytes, and max-file-size is 10"
        with pytest.raises(OSError, match="max-file-size"):
            snapshot.head(str(path), None, 10)


def test_a_large_file_is_refused_unread(tmp_path):
    path = tmp_path / "sparse.json"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(Unreadable, match="1,099,511,627,776 bytes"):
        Snapshot().read(str(path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_what_is_no_file_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    reasons = {}
    for name in ("pipe", "folder", "nothing", "loop", "a\0b"):
        for _ in range(2):
            with pytest.raises(Unreadable) as caught:
                Snapshot().read(str(tmp_path / name))
            assert caught.value.path == str(tmp_path / name)
        with pytest.raises(OSError, match=r"."):
            Snapshot().head(str(tmp_path / name), 10)
        reasons[name] = caught.value.reason
    assert reasons["pipe"] == "it is no regular file"
    assert reasons["folder"] == "it is a folder, not a file"
    assert reasons["nothing"] == "there is no such file"
    assert reasons["loop"]
    assert reasons["a\0b"] == "embedded null byte"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_refused(tmp_path):
    path = tmp_path / "secret.json"
    path.write_text("[]")
    path.chmod(0)
    with pytest.raises(Unreadable, match="permission denied"):
        Snapshot().read(str(path))
