from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.catalogue.finding import Severity
from benchlint.text.document import Document
from benchlint.trust.trust import Measurement, Trust, TrustError, read_trust, wilson

ENTRY = {"judge": "openai/é", "rule": "missing-confirmation", "rubric": "0f1e2d3c", "n": 40, "precision": 0.95}


def read(text: str, name: str = "trust.toml") -> Trust:
    return read_trust(Document(name, text.encode()))


def test_who_was_not_measured_gives_information():
    trust = Trust([Measurement("judge", "missing-confirmation", 100, 1.0)])
    assert trust.ceiling("judge", "forbidden-action") is Severity.INFORMATION
    assert trust.ceiling("other", "missing-confirmation") is Severity.INFORMATION
    assert trust.measurement("other", "missing-confirmation") is None


@pytest.mark.parametrize(
    ("n", "precision", "ceiling"),
    [
        (100, 1.0, Severity.ERROR),
        (20, 1.0, Severity.WARNING),
        (40, 0.95, Severity.WARNING),
        (5, 1.0, Severity.INFORMATION),
        (40, 0.7, Severity.INFORMATION),
        (3, 0.0, Severity.INFORMATION),
        (40, 0.2, Severity.HINT),
    ],
)
def test_the_ceiling_follows_the_lower_bound(n, precision, ceiling):
    assert Trust([Measurement("judge", "rule", n, precision)]).ceiling("judge", "rule") is ceiling


def test_the_interval_is_wilsons():
    assert wilson(0.9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


@given(st.integers(1, 10_000), st.floats(0, 1))
def test_the_interval_holds_the_share(n, share):
    lower, upper = wilson(share, n)
    assert 0 <= lower <= share + 1e-9
    assert share - 1e-9 <= upper <= 1
    assert wilson(share, n * 4)[0] >= lower - 1e-9


def test_the_last_measurement_counts():
    trust = Trust([Measurement("a", "r", 100, 1.0), Measurement("a", "r", 100, 0.1)])
    assert trust.ceiling("a", "r") is Severity.HINT


def test_a_measurement_under_another_rubric_does_not_count():
    measured = [Measurement("a", "r", 100, 1.0, "old"), Measurement("a", "s", 100, 1.0, "same")]
    trust = Trust(measured, {"r": "new", "s": "same"}.get)
    assert trust.ceiling("a", "r") is Severity.INFORMATION
    assert (trust.is_outdated("a", "r"), trust.is_outdated("a", "s"), trust.is_outdated("b", "r")) == (
        True,
        False,
        False,
    )
    assert trust.ceiling("a", "s") is Severity.ERROR
    both = Trust([*measured, Measurement("a", "r", 100, 0.1, "new")], {"r": "new", "s": "same"}.get)
    assert (both.ceiling("a", "r"), both.is_outdated("a", "r")) == (Severity.HINT, False)


def test_the_offline_reader_is_given_no_rubric():
    trust = read("[[measurement]]\njudge='offline'\nrule='r'\nn=100\nprecision=1.0")
    assert trust.ceiling("offline", "r") is Severity.ERROR


@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_toml_and_json_say_the_same(bom):
    toml = "\n".join(["[[measurement]]", *(f"{key} = {json.dumps(value)}" for key, value in ENTRY.items())])
    for trust in (read(bom + toml.replace("\n", "\r\n")), read(bom + json.dumps({"measurement": [ENTRY]}), "a.JSON")):
        assert trust.measurement("openai/é", "missing-confirmation") == Measurement(**ENTRY)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("judge = 'x'", 'there is no list "measurement"'),
        ("measurement = 3", 'there is no list "measurement"'),
        ("[[measurement]]\njudge = ", "line 2: the file is no TOML"),
        ("[[measurement]]\njudge='a'\nn=3\nprecision=0.5", "rule of measurement 1: field required"),
        ("[[measurement]]\njudge='a'\nrule='r'\nn=0\nprecision=0.5", "measurement 1: n must be at least 1"),
        ("[[measurement]]\njudge='a'\nrule='r'\nn=3\nprecision=nan", "measurement 1: n must be at least 1"),
        ("[[measurement]]\njudge='a'\nrule='r'\nn=3\nprecision=95", "measurement 1: n must be at least 1"),
        ("[[measurement]]\njudge='a'\nrule='r'\nn='x'\nprecision=1", "n of measurement 1: "),
        ("[[measurement]]\njudge='a'\nrule='r'\nn=3\nprecision=1\nnote='x'", "note of measurement 1: "),
        ("measurement = ['x']", "measurement 1: "),
        (
            "[[measurement]]\njudge='a'\nrule='r'\nn=3\nprecision=1",
            "rubric of measurement 1: it is needed, and `benchlint explain r` shows it",
        ),
    ],
)
def test_a_file_that_cannot_be_used_says_why(text, reason):
    with pytest.raises(TrustError) as caught:
        read(text)
    assert str(caught.value).startswith(f"trust.toml: {reason}")


@pytest.mark.parametrize("text", ["[", "[]", "3", "\x00", "[" * 100_000])
def test_json_that_cannot_be_used_is_no_crash(text):
    with pytest.raises(TrustError):
        read(text, "trust.json")
