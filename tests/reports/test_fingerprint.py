import pytest
from msgspec.structs import replace

from benchlint.catalogue.finding import Anchor, Finding, Severity
from benchlint.catalogue.fingerprint import fingerprint, numbered

FINDING = Finding("unknown-tool", Severity.ERROR, "message", Anchor("a.json", 5, 9), "b", "12", "/name", "get \ud800")


def test_place_and_message_do_not_matter() -> None:
    moved = replace(FINDING, anchor=Anchor("a.json", 50, 90, 3), message="other", severity=Severity.HINT)
    assert fingerprint(moved) == fingerprint(FINDING)
    assert len(fingerprint(FINDING)) == 32


@pytest.mark.parametrize(
    "change",
    [
        {"rule": "x"},
        {"task": "13"},
        {"task": None},
        {"pointer": "/id"},
        {"quote": "get \ud801"},
        {"anchor": Anchor("b.json", 5, 9)},
    ],
)
def test_each_part_matters(change) -> None:
    assert fingerprint(replace(FINDING, **change)) != fingerprint(FINDING)


def test_parts_do_not_run_into_each_other() -> None:
    one = replace(FINDING, pointer="/a", quote="b")
    other = replace(FINDING, pointer="/", quote="ab")
    assert fingerprint(one) != fingerprint(other)


def test_a_path_may_be_given() -> None:
    elsewhere = replace(FINDING, anchor=Anchor("/home/x/a.json"))
    assert fingerprint(elsewhere, "a.json") == fingerprint(FINDING)


def test_equal_fingerprints_are_numbered() -> None:
    assert numbered(["a", "b", "a", "a"]) == ["a:1", "b:1", "a:2", "a:3"]
