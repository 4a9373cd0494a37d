"""The cache keeps what it is given and runs nothing that it is not."""

import json
import pickle
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from benchlint.judges.cache import VerdictCache
from benchlint.judges.cached import Exported

ENTRY = {
    "answer": {"score": 7, "why": "caf\u00e9 \U0001f600"},
    "model": "m",
    "metric": "policy_alignment",
    "about": "1",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "verdicts"


class Planted:
    """Touches a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple:
        return Path.touch, (self.marker,)


def edit(folder: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(folder / "cache.db") as database:
        database.execute(statement, values)
    database.close()


def test_what_is_put_is_got(folder: Path) -> None:
    cache = VerdictCache(folder)
    cache.put("k", ENTRY)
    entry = cache.get("k")
    assert entry is not None
    assert {name: entry[name] for name in ENTRY} == ENTRY
    assert cache.get("other") is None
    cache.close()


def test_the_folder_is_the_users_alone(folder: Path) -> None:
    VerdictCache(folder).close()
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_planted_pickle_is_a_miss_and_runs_nothing(folder: Path, tmp_path: Path) -> None:
    cache = VerdictCache(folder)
    cache.put("k", ENTRY)
    cache.close()
    marker = tmp_path / "ran"
    payload = pickle.dumps(Planted(marker))
    edit(folder, "UPDATE Cache SET mode = 4, value = ?", payload)
    edit(
        folder,
        "INSERT INTO Cache (key, raw, mode, value, store_time, access_time) VALUES (?, 0, 4, ?, 0, 0)",
        payload,
        payload,
    )
    cache = VerdictCache(folder)
    assert cache.get("k") is None
    assert list(cache.export()) == []
    assert cache.prune(0) >= 0
    cache.clear()
    cache.close()
    assert not marker.exists()


def test_a_planted_file_name_reads_and_deletes_nothing(folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("{}")
    cache = VerdictCache(folder)
    cache.put("k", ENTRY)
    cache.close()
    edit(folder, "UPDATE Cache SET mode = 2, filename = ?, value = NULL", "../precious")
    cache = VerdictCache(folder)
    assert cache.get("k") is None
    cache.put("k", ENTRY)
    cache.clear()
    cache.close()
    assert precious.exists()


def test_a_damaged_cache_is_set_aside_with_a_warning(folder: Path) -> None:
    cache = VerdictCache(folder)
    cache.put("k", ENTRY)
    cache.close()
    (folder / "cache.db").write_bytes(b"no database" * 999)
    cache = VerdictCache(folder)
    assert cache.get("k") is None
    assert "was damaged" in cache.warnings[0]
    cache.put("k", ENTRY)
    assert cache.get("k") is not None
    cache.close()
    assert len(list(folder.parent.glob("verdicts.damaged-*"))) == 1


def test_an_export_is_imported(folder: Path, tmp_path: Path) -> None:
    cache = VerdictCache(folder)
    for key in "bac":
        cache.put(key, ENTRY)
    lines = list(cache.export())
    cache.close()
    assert [json.loads(line)["key"] for line in lines] == ["a", "b", "c"]
    other = VerdictCache(tmp_path / "other")
    assert other.load(lines) == 3
    assert list(other.export()) == lines
    other.close()


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"benchlint": 1}', '{"benchlint": 9, "key": "a", "answer": 1}'])
def test_an_import_names_the_line_that_is_wrong(folder: Path, line: str) -> None:
    cache = VerdictCache(folder)
    with pytest.raises(ValueError, match="line 2"):
        cache.load(["", line])
    cache.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": "now"}, '"at" must be seconds since 1970'),
        ({"at": [1]}, '"at" must be seconds since 1970'),
        ({"at": 1e400}, '"at" must be seconds since 1970'),
        ({"model": ["m"]}, '"model" must be a text'),
        ({"about": ["1"]}, '"about" must be a text'),
        ({"model": "\ud800"}, "half of a character"),
        ({"key": "\ud800"}, "half of a character"),
        ({"answer": 7}, 'lacks "key" or "answer"'),
        ({"answer": {"deep": json.loads("[" * 200 + "]" * 200)}}, "nested too deeply"),
    ],
)
def test_an_import_of_a_hostile_line_is_refused_as_a_whole(folder: Path, change: dict, said: str) -> None:
    cache = VerdictCache(folder)
    good = {"verdict": 1, "key": "a", **ENTRY}
    with pytest.raises(ValueError, match=f"line 2.*{said}"):
        cache.load([json.dumps(good), json.dumps({**good, **change})])
    assert cache.info().verdicts == 0
    cache.close()


def test_an_import_of_a_line_too_deep_to_parse_is_refused(folder: Path) -> None:
    cache = VerdictCache(folder)
    with pytest.raises(ValueError, match="line 1 is nested too deeply"):
        cache.load(["[" * 100_000])
    cache.close()


def test_an_export_with_a_mark_of_byte_order_is_read_and_what_is_no_text_is_not(tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    file.write_text(json.dumps({"verdict": 1, "key": "a", **ENTRY}), encoding="utf-8-sig")
    assert list(Exported.read(file).keys()) == ["a"]
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not UTF-8 text"):
        Exported.read(file)


@pytest.mark.parametrize("at", [[1], "now", None])
def test_prune_takes_an_entry_without_a_time_for_old(folder: Path, at: object) -> None:
    cache = VerdictCache(folder)
    cache.put("planted", {**ENTRY, "at": at})
    cache.put("new", ENTRY)
    assert cache.prune(3600) == 1
    assert list(cache.keys()) == ["new"]
    cache.close()


def test_prune_keeps_what_is_young(folder: Path) -> None:
    cache = VerdictCache(folder)
    cache.put("old", {**ENTRY, "at": 1.0})
    cache.put("new", ENTRY)
    assert cache.prune(3600) == 1
    assert cache.get("new") is not None
    assert cache.info().verdicts == 1
    assert cache.info().models == {"m": 1}
    assert cache.clear() == 1
    cache.close()


WRITER = """
import sys
from pathlib import Path
from benchlint.judges.cache import VerdictCache
cache = VerdictCache(Path(sys.argv[1]))
for index in range(25):
    cache.put(f"{sys.argv[2]}-{index}", {"answer": index})
    cache.put("shared", {"answer": index})
cache.close()
"""


def test_eight_processes_write_at_once(folder: Path) -> None:
    workers = [subprocess.Popen([sys.executable, "-c", WRITER, str(folder), str(name)]) for name in range(8)]
    assert [worker.wait() for worker in workers] == [0] * 8
    cache = VerdictCache(folder)
    assert cache.info().verdicts == 201
    assert cache.warnings == []
    cache.close()
