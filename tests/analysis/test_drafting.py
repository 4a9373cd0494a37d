"""Drafts of tasks: valid, in the form of their file, and free of errors."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.judges.conftest import task, write_benchmark

from benchlint.analysis.drafting import draft
from benchlint.analysis.run import run
from benchlint.analysis.snapshot import Snapshot
from benchlint.analysis.task_writing import insertion_of
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import load
from benchlint.catalogue.finding import Severity
from benchlint.text.document import Document

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
FIXTURES = ["fixtures/library/tasks.json", "fixtures/hotel/tasks.yaml", "fixtures/library-clean/tasks.json"]
REAL = ["tau2/retail/tasks.json", "tau2/airline/tasks.json", "tau2/telecom/tasks.json", "tau2/mock/tasks.json"]


def benchmark_of(path: Path):
    return load(discover([str(path)]).layouts[0], Snapshot().read)


def drafted(path: Path, benchmark, item) -> tuple[str, bytes]:
    name, edit = draft(benchmark, item)
    assert edit.anchor.path == str(path)
    assert edit.anchor.start == edit.anchor.end
    data = path.read_bytes()
    return name, data[: edit.anchor.start] + edit.text.encode() + data[edit.anchor.start :]


@pytest.mark.parametrize("name", [*FIXTURES, *REAL])
def test_a_draft_is_a_new_task_without_errors(name):
    path = ROOT / name if name.startswith("fixtures") else SHARED / name
    if not path.exists():
        pytest.skip("the shared data is not here")
    benchmark = benchmark_of(path)
    rules = [item for item in benchmark.policy.items if item.kind != "fact"]
    before = Counter(item.rule for item in errors(path, path.read_bytes()))
    for item in rules[:: max(1, len(rules) // 4)]:
        identifier, data = drafted(path, benchmark, item)
        assert identifier not in {known.id for known in benchmark.tasks}
        after = errors(path, data)
        assert not [one for one in after if one.task == identifier]
        assert Counter(one.rule for one in after) <= before
        assert item.text in " ".join(found(path, data, identifier).text.split()).replace('\\"', '"')


def errors(path: Path, data: bytes):
    result = run([str(path)], Snapshot([Document(str(path), data)]), lambda _: None)
    return [item for item in result.findings if item.severity >= Severity.ERROR]


def found(path: Path, data: bytes, identifier: str):
    result = run([str(path)], Snapshot([Document(str(path), data)]), lambda _: None)
    (new,) = [item for item in result.benchmarks[0].tasks if item.id == identifier]
    assert new is result.benchmarks[0].tasks[-1]
    return new


@pytest.mark.parametrize(
    "text",
    [
        "1e3",
        "0o17",
        "+.5",
        "no",
        "12:30",
        "0x1F",
        "~",
        "",
        "# c",
        "a: b",
        "a\x85b",
        "a\u2028b",
        "a\r\nb",
        "é 🎈 ",
        "\tx\n",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_text_in_yaml_is_read_again_as_it_was(tmp_path, text, newline):
    write_benchmark(tmp_path, [task(1)])
    (tmp_path / "tasks.json").unlink()
    path = tmp_path / "tasks.yaml"
    data = "\ufeff" + yaml.safe_dump([task(1), task(2)], sort_keys=False).replace("\n", newline) + "# the end" + newline
    path.write_bytes(data.encode())
    new = task(3) | {"note": [text, {text: text}]}
    source = benchmark_of(path).sources[0]
    edit = insertion_of(source, new)
    data = path.read_bytes()
    path.write_bytes(data[: edit.anchor.start] + edit.text.encode() + data[edit.anchor.end :])
    assert [item.slice.value for item in benchmark_of(path).tasks] == [task(1), task(2), new]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("tail", ["# the end\n", "more: 1\n", "# the end", "\n  # apart\n"])
@pytest.mark.parametrize("own", ["  # é\n", "\n  # about 🎈\n    # more\n", "  # é\n  # about\n", "   \n", "\n"])
def test_the_comments_of_the_last_task_stay_with_it(tmp_path, own, tail, newline):
    write_benchmark(tmp_path, [task(1)])
    (tmp_path / "tasks.json").unlink()
    path = tmp_path / "tasks.yaml"
    known = yaml.safe_dump({"tasks": [task(1), task(2)]}, sort_keys=False).rstrip()
    before = (known + own.rstrip()).replace("\n", newline).encode()
    path.write_bytes(before + (own[len(own.rstrip()) :] + tail).replace("\n", newline).encode())
    edit = insertion_of(benchmark_of(path).sources[0], task(3))
    data = path.read_bytes()
    path.write_bytes(data[: edit.anchor.start] + edit.text.encode() + data[edit.anchor.end :])
    assert path.read_bytes().startswith(before + f"{newline}- id: t3".encode())
    assert path.read_text(encoding="utf-8").rstrip().endswith(tail.strip())
    assert [item.slice.value for item in benchmark_of(path).tasks] == [task(1), task(2), task(3)]


@pytest.mark.parametrize("tail", ["", "\n", "\n\n\n", "\n\n# the end\n", "\n\nmore: 1\n"])
@pytest.mark.parametrize("style", ["|", "|+", ">-", ">+"])
def test_a_block_of_text_before_a_new_task_stays_as_it_is(tmp_path, style, tail):
    write_benchmark(tmp_path, [task(1)])
    (tmp_path / "tasks.json").unlink()
    path = tmp_path / "tasks.yaml"
    known = yaml.safe_dump({"tasks": [task(1)]}, sort_keys=False)
    path.write_text(f"{known}  note: {style}\n    é\n    🎈\n{tail}", encoding="utf-8")
    (old,) = benchmark_of(path).tasks
    edit = insertion_of(benchmark_of(path).sources[0], task(2))
    data = path.read_bytes()
    path.write_bytes(data[: edit.anchor.start] + edit.text.encode() + data[edit.anchor.end :])
    assert [item.slice.value for item in benchmark_of(path).tasks] == [old.slice.value, task(2)]


def test_a_draft_holds_a_person_and_the_calls_that_look_them_up(tmp_path):
    benchmark = write_benchmark(tmp_path, [task(1), task(2)])
    item = next(item for item in benchmark.policy.items if "three loans" in item.text)
    identifier, data = drafted(tmp_path / "tasks.json", benchmark, item)
    new = json.loads(data)[-1]
    assert new["id"] == identifier
    assert new["user_scenario"]["instructions"].startswith("You are Name ")
    actions = new["evaluation_criteria"]["actions"]
    assert [action["name"] for action in actions] == ["get_member"]
    assert list(new) == list(json.loads(data)[0])


def test_ids_that_are_numbers_go_on(tmp_path):
    benchmark = write_benchmark(tmp_path, [{**task(1), "id": "7"}, {**task(2), "id": "12"}])
    assert draft(benchmark, benchmark.policy.items[0])[0] == "13"


def test_where_no_task_can_be_added_nothing_is_drafted(tmp_path):
    folder = tmp_path / "single"
    benchmark = write_benchmark(folder, [task(1)])
    (folder / "tasks.json").write_text(json.dumps(task(1)))
    single = benchmark_of(folder / "tasks.json")
    assert draft(single, benchmark.policy.items[0]) is None
    (folder / "tasks.json").write_text(json.dumps([task(1)])[:-1] + ", {")
    broken = benchmark_of(folder / "tasks.json")
    assert draft(broken, benchmark.policy.items[0]) is None


@given(
    count=st.integers(1, 3),
    indent=st.sampled_from([None, 1, 2, 4, "\t"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    raw=st.booleans(),
    top=st.sampled_from(["", "tasks"]),
    bom=st.booleans(),
)
def test_a_task_is_added_in_the_style_of_the_file(tmp_path_factory, count, indent, newline, raw, top, bom):
    folder = tmp_path_factory.mktemp("style")
    tasks = [{**task(number), "note": "é 🎈 \u2028"} for number in range(1, count + 1)]
    new = {**task(99), "note": "ü 🎈"}
    text = json.dumps({top: tasks} if top else tasks, indent=indent, ensure_ascii=not raw).replace("\n", newline)
    path = folder / "tasks.json"
    path.write_bytes(b"\xef\xbb\xbf" * bom + text.encode())
    source = benchmark_of(path).sources[0]
    edit = insertion_of(source, new)
    data = path.read_bytes()
    after = (data[: edit.anchor.start] + edit.text.encode() + data[edit.anchor.end :]).decode("utf-8-sig")
    value = json.loads(after)
    assert (value[top] if top else value) == [*tasks, new]
    raw = raw and not text.isascii()
    whole = json.dumps({top: [*tasks, new]} if top else [*tasks, new], indent=indent, ensure_ascii=not raw)
    if count > 1 or indent is not None:
        assert after == whole.replace("\n", newline)


def test_a_line_and_a_block_are_added_where_the_file_has_such(tmp_path):
    lines = tmp_path / "tasks.jsonl"
    lines.write_text("".join(json.dumps(task(number)) + "\n" for number in (1, 2)))
    edit = insertion_of(benchmark_of(lines).sources[0], task(3))
    data = lines.read_text()
    after = data[: edit.anchor.start] + edit.text + data[edit.anchor.end :]
    assert [json.loads(line)["id"] for line in after.splitlines()] == ["t1", "t2", "t3"]
    blocks = tmp_path / "tasks.yaml"
    text = "benchlint: 1\ntasks:\n- id: a\n  description: é\n\n- id: b\n  description: 🎈  # last\nmore: 1\n"
    blocks.write_text(text, encoding="utf-8")
    edit = insertion_of(benchmark_of(blocks).sources[0], {"id": "c", "description": "ü: 'x'\nand more"})
    data = blocks.read_bytes()
    value = yaml.safe_load(data[: edit.anchor.start] + edit.text.encode() + data[edit.anchor.end :])
    assert [item["id"] for item in value["tasks"]] == ["a", "b", "c"]
    assert value["tasks"][2]["description"] == "ü: 'x'\nand more"
    assert value["more"] == 1
