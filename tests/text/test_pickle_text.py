"""Dataset pickles: the same tasks as in JSON, and nothing of a pickle is ever run."""

import json
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.text.document import Document
from benchlint.text.pickle_text import GLOBALS, ForbiddenGlobal, PickleError, Stand, load_pickle, slice_pickle
from benchlint.text.slices import UNKNOWN

INTELLAGENT = Path("../shared/data/intellagent")
EVENT = ("simulator.events_generator", "Event")
DESCRIPTION = ("simulator.descriptor_generator", "Description")


def text(value: str) -> bytes:
    data = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(data)) + data


def glob(module: str, name: str) -> bytes:
    return text(module) + text(name) + b"\x93"


def plain(value: Any) -> bytes:
    """Return the instructions that put plain data on the stack."""
    if isinstance(value, dict):
        return b"}(" + b"".join(plain(key) + plain(item) for key, item in value.items()) + b"u"
    if isinstance(value, list):
        return b"](" + b"".join(map(plain, value)) + b"e"
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bytes):
        return value
    return pickle.dumps(value, 2)[2:-1]


def made(cls: tuple[str, str], state: dict) -> bytes:
    return glob(*cls) + b")\x81" + plain(state) + b"b"


def event(**state: Any) -> bytes:
    described = {key: state.pop(key) for key in list(state) if key in ("event_description", "policies")}
    return made(EVENT, {"description": made(DESCRIPTION, described), **state})


def program(body: bytes) -> bytes:
    return b"\x80\x04" + body + b"."


def cut(data: bytes) -> Any:
    return slice_pickle(Document("run.pickle", data))


@pytest.mark.skipif(not INTELLAGENT.is_dir(), reason="the shared data is missing")
@pytest.mark.parametrize(("run", "count"), [("airline_run0", 30), ("airline_run1", 8)])
def test_the_tasks_are_those_of_the_json(agree: Any, run: str, count: int) -> None:
    sliced = cut((INTELLAGENT / f"{run}.pickle").read_bytes())
    assert sliced.faults == []
    assert [piece.value for piece in sliced.slices] == json.loads((INTELLAGENT / f"{run}.json").read_text())
    assert len(sliced.slices) == count
    assert [piece.pointer for piece in sliced.slices] == [(at,) for at in range(count)]
    assert len({piece.hash for piece in sliced.slices}) == count


@pytest.mark.skipif(not INTELLAGENT.is_dir(), reason="the shared data is missing")
def test_a_real_pickle_cut_short_is_told() -> None:
    data = (INTELLAGENT / "airline_run1.pickle").read_bytes()
    for length in [*range(200), *range(200, len(data), 997), len(data) - 1]:
        with pytest.raises(PickleError, match=r"cut short|damaged"):
            load_pickle(data[:length])
    sliced = cut(data[:1000])
    assert sliced.slices == []
    assert [fault.message for fault in sliced.faults] == ["the pickle is cut short or damaged"]


def test_a_dataset_of_our_own() -> None:
    first = event(id=1, event_description="é 😀", policies=[{"flow": "f", "policy": "p", "score": 2}], scenario="s")
    second = event(id=2, relevant_rows=[(1, "a"), None], event_description="b")
    data = program(b"](" + first + second + b"e" + plain(3) + b"\x86")
    values = [piece.value for piece in cut(data).slices]
    assert values[0] == {
        "id": 1,
        "event_description": "é 😀",
        "expected_behaviour": None,
        "policies": [{"flow": "f", "policy": "p", "score": 2}],
        "challenge_level": None,
        "scenario": "s",
        "relevant_rows": None,
    }
    assert values[1]["relevant_rows"] == [[1, "a"], None]
    assert [piece.value for piece in cut(program(b"](" + first + second + b"e")).slices] == values


def test_a_pickle_has_no_text() -> None:
    sliced = cut(program(b"](" + event(id=1) + b"e"))
    assert (sliced.language, sliced.header) == ("pickle", {})
    tree = sliced.tree(0)
    assert (tree.data, tree.root.kind, tree.root.start, tree.root.end) == (b"", "unknown", 0, 0)
    assert sliced.header_tree().root.kind == "unknown"
    assert sliced.slices[0].hash != cut(program(b"](" + event(id=2) + b"e")).slices[0].hash


def test_what_is_no_dataset() -> None:
    for data in (pickle.dumps([1, 2]), pickle.dumps({}), program(b"]"), pickle.dumps(None)):
        assert [fault.message for fault in cut(data).faults] == ["the pickle holds no list of IntellAgent's events"]
    for data in (b"", b"id: 1\n", b"\x80\x04", b"{}", b"\x80\x04}"):
        assert [fault.message for fault in cut(data).faults] == ["the pickle is cut short or damaged"]


class Evil:
    """Runs a command where it is unpickled."""

    def __init__(self, function: Any, *args: Any) -> None:
        self.reduced = (function, args)

    def __reduce__(self) -> Any:
        return self.reduced


def evil(marker: Path) -> dict[str, tuple[bytes, str | None]]:
    """Return pickles that would create the marker, and the global that each is refused for."""
    import os

    command = f"touch {marker}"
    call = text(command) + b"\x85R"
    code = f"open({str(marker)!r}, 'w').close()"
    system = f"{os.system.__module__}.system"
    pickles: dict[str, tuple[bytes, str | None]] = {
        f"os.system, protocol {protocol}": (pickle.dumps(Evil(os.system, command), protocol), system)
        for protocol in range(6)
    }
    return pickles | {
        "exec": (pickle.dumps(Evil(exec, code)), "builtins.exec"),
        "eval, old name": (b"c__builtin__\neval\n(" + text(code) + b"tR.", "__builtin__.eval"),
        "Popen": (pickle.dumps(Evil(subprocess.Popen, ["touch", str(marker)])), "subprocess.Popen"),
        "inside a task": (program(event(id=glob("os", "system") + call)), "os.system"),
        "beside the tasks": (program(b"](" + event(id=1) + b"e" + glob("os", "system") + call + b"\x86"), "os.system"),
        "GLOBAL": (b"cos\nsystem\n" + call + b".", "os.system"),
        "INST": (b"(" + text(command) + b"ios\nsystem\n.", "os.system"),
        "OBJ": (b"(cos\nsystem\n" + text(command) + b"o.", "os.system"),
        "NEWOBJ": (program(glob("os", "system") + text(command) + b"\x85\x81"), "os.system"),
        "NEWOBJ_EX": (program(glob("subprocess", "Popen") + text(command) + b"\x85}\x92"), "subprocess.Popen"),
        "dotted name": (program(glob("numpy", "ndarray.__class__.__base__.__subclasses__") + b")R"), None),
        "dotted in an allowed module": (program(glob("builtins", "slice.__init__.__globals__")), None),
        "neighbour of an allowed name": (program(glob("builtins", "eval") + text(code) + b"\x85R"), "builtins.eval"),
        "copyreg": (program(glob("copyreg", "_reconstructor") + glob("os", "system")), "copyreg._reconstructor"),
        "getattr": (
            program(glob("builtins", "getattr") + glob("os", "system") + text("x") + b"\x86R"),
            "builtins.getattr",
        ),
        "operator": (program(glob("operator", "attrgetter") + text("system") + b"\x85R"), "operator.attrgetter"),
        "numpy loads pickles": (program(glob("numpy", "load") + text("x") + b"\x85R"), "numpy.load"),
        "a name from the memory": (
            program(text("os") + b"\x940" + text("system") + b"\x940h\x00h\x01\x93" + call),
            "os.system",
        ),
        "a name that a call would give": (
            program(glob("builtins", "slice") + text("os") + b"\x85R" + text("system") + b"\x93" + call),
            None,
        ),
        "a global as a name": (program(glob("builtins", "slice") + text("system") + b"\x93" + call), None),
        "the result of a call, called": (
            program(glob("numpy", "dtype") + text("O8") + b"\x85R" + text(command) + b"\x85R"),
            None,
        ),
        "a text, called": (program(text("os.system") + call), None),
        "no tuple of arguments": (program(glob("builtins", "slice") + text(command) + b"R"), None),
        "a state for a class": (program(glob("builtins", "slice") + b"}b"), None),
        "a state for a list": (program(b"]}b"), None),
        "values into a stand-in": (program(glob("builtins", "slice") + b")R" + text("x") + b"a"), None),
        "items into a stand-in": (program(glob("builtins", "slice") + b")R" + text("x") + text("y") + b"s"), None),
        "a persistent id": (b"Pos.system\n.", None),
        "a persistent id on the stack": (program(text("os.system") + b"Q"), None),
        "an extension": (program(b"\x82\x01"), None),
        "a long extension": (program(b"\x83\x01\x00"), None),
        "a longer extension": (program(b"\x84\x01\x00\x00\x00"), None),
        "a buffer from outside": (b"\x80\x05\x97.", None),
        "a key that is an object": (program(b"}" + glob("builtins", "slice") + b")R" + text("x") + b"s"), None),
        "a key that is a tuple": (program(b"}" + b")\x85\x85" + text("x") + b"s"), None),
    }


@pytest.mark.parametrize("name", list(evil(Path("marker"))))
def test_hostile_pickles_are_refused_and_run_nothing(name: str, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    data, forbidden = evil(marker)[name]
    modules = set(sys.modules)
    with pytest.raises(PickleError) as caught:
        load_pickle(data)
    if forbidden is not None:
        assert isinstance(caught.value, ForbiddenGlobal)
        assert caught.value.name == forbidden
        assert str(caught.value) == f"the pickle names {forbidden}, which no dataset needs; nothing of it was run"
    sliced = cut(data)
    assert sliced.slices == []
    assert [fault.message for fault in sliced.faults] == [str(caught.value)]
    assert not marker.exists()
    assert not {"numpy", "pandas", "simulator"} & (set(sys.modules) - modules)


def test_the_marker_would_be_made(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    pickle.loads(evil(marker)["exec"][0])
    assert marker.exists()


def test_allowed_globals_only_stand_in() -> None:
    before = set(sys.modules)
    for name in sorted(GLOBALS):
        module, _, attribute = name.rpartition(".")
        called = load_pickle(program(glob(module, attribute) + text("touch x") + b"\x85R" + plain({"a": 1}) + b"b"))
        assert isinstance(called, Stand)
        assert (called.name, called.args, called.state) == (name, ("touch x",), {"a": 1})
    assert not {"numpy", "pandas"} & (set(sys.modules) - before)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=4) | st.integers() | st.booleans(), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(PLAIN, st.binary(), st.integers(0, 5))
def test_plain_data_is_read_as_pickle_reads_it(value: Any, data: bytes, protocol: int) -> None:
    value = [value, data] if protocol >= 3 else value
    assert load_pickle(pickle.dumps(value, protocol)) == value


@given(PLAIN, st.integers(0, 5), st.data())
def test_a_pickle_cut_short_is_told(value: Any, protocol: int, data: st.DataObject) -> None:
    whole = pickle.dumps(value, protocol)
    with pytest.raises(PickleError):
        load_pickle(whole[: data.draw(st.integers(0, len(whole) - 1))])


@given(st.binary(max_size=60) | st.binary(max_size=60).map(program))
def test_any_bytes_are_survived(data: bytes) -> None:
    sliced = cut(data)
    assert sliced.slices or sliced.faults


@given(st.data())
def test_a_damaged_dataset_is_survived(data: st.DataObject) -> None:
    whole = bytearray(program(b"](" + event(id=1, event_description="a", policies=[{"policy": "p"}]) * 3 + b"e"))
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    sliced = cut(bytes(whole))
    assert sliced.slices or sliced.faults


def test_huge_lengths_ask_for_no_memory() -> None:
    for opcode, size in (
        (b"\x8e", "<Q"),
        (b"\x96", "<Q"),
        (b"\x8d", "<Q"),
        (b"B", "<I"),
        (b"X", "<I"),
        (b"\x95", "<Q"),
    ):
        for length in (2**31 - 1, 2**62, 2**64 - 1):
            count = length % 2 ** (8 * struct.calcsize(size))
            with pytest.raises(PickleError):
                load_pickle(b"\x80\x05" + opcode + struct.pack(size, count) + b"x.")
    assert load_pickle(program(b"Nr\xff\xff\xff\xff")) is None


def test_deep_and_shared_values_are_bounded() -> None:
    deep = b"N" + b"\x85" * 300_000
    value = cut(program(b"](" + event(id=1, scenario=deep) + b"e")).slices[0].value
    assert value["id"] == 1
    assert isinstance(value["scenario"], list)
    shared = b"N" + b"2\x86" * 100
    value = cut(program(b"](" + event(scenario=shared, id=b"K\x01") + b"e")).slices[0].value
    assert isinstance(value["scenario"], list)
    cycle = program(b"](" + event(scenario=b"]q\x01(h\x01h\x01e") + b"e")
    assert isinstance(cut(cycle).slices[0].value["scenario"], list)
    stands = glob("builtins", "slice") + b")R"
    for _ in range(1000):
        stands = glob("builtins", "slice") + stands + b"\x85R"
    assert cut(program(b"](" + event(scenario=stands) + b"e")).slices[0].value["scenario"] is UNKNOWN


def test_what_json_lacks_is_unknown() -> None:
    data = program(
        b"]("
        + event(
            id=b"C\x01x",
            scenario="\ud83d\ude00 \ud83d",
            relevant_rows=[b"\x8b" + struct.pack("<I", 9000) + b"\x01" * 9000],
        )
        + b"e"
    )
    value = cut(data).slices[0].value
    assert value["id"] is UNKNOWN
    assert value["scenario"] == "😀 \ufffd"
    assert value["relevant_rows"] == [UNKNOWN]


def test_too_many_instructions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchlint.text.pickle_text.MAX_OPERATIONS", 100)
    assert load_pickle(b"N" * 99 + b".") is None
    with pytest.raises(PickleError, match="more than 100 instructions"):
        load_pickle(b"N" * 101 + b".")
