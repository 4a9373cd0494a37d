"""One object of the metric's form is an answer; everything else is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchlint.judges.parsing import UnusableError, parse_reply

CLEAN = {"parts_read": 3, "findings": [], "score": 9}
VIOLATIONS = {
    "parts_read": 2,
    "items_read": 4,
    "violations": [{"policy_item": 2, "part": 1, "quote": "caf\u00e9 \U0001f600", "reason": "So.", "confidence": 1}],
}


def unusable(text: str, metric="policy_alignment", finish_reason: str | None = "stop") -> UnusableError:
    with pytest.raises(UnusableError) as caught:
        parse_reply(text, finish_reason, metric)
    return caught.value


@settings(deadline=None)
@given(before=st.text(), after=st.text())
def test_prose_around_an_answer_does_not_matter_unless_it_holds_another(before: str, after: str) -> None:
    text = before.replace("{", "(") + json.dumps(VIOLATIONS, ensure_ascii=False) + after.replace("{", "(")
    assert parse_reply(text, None, "violations") == VIOLATIONS


@settings(deadline=None)
@given(st.text(max_size=300))
def test_no_text_is_an_answer_by_chance_and_none_is_a_crash(text: str) -> None:
    unusable(text)


@settings(deadline=None)
@given(at=st.integers(1, len(json.dumps(VIOLATIONS)) - 1))
def test_no_beginning_of_an_answer_is_an_answer(at: int) -> None:
    unusable(json.dumps(VIOLATIONS)[:at], "violations")


def test_a_line_separator_in_a_quote_is_kept() -> None:
    text = json.dumps(VIOLATIONS, ensure_ascii=False).replace("caf\u00e9", "a\u2028b")
    assert parse_reply(f"\ufeff```json\r\n{text}\r\n```\r\n", None, "violations")["violations"][0]["quote"][:3] == (
        "a\u2028b"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"parts_read": 3, "findings": [], "score": NaN}', '"score" must be a whole number'),
        ('{"parts_read": 3, "findings": [], "score": true}', '"score" must be a whole number'),
        ('{"parts_read": 3, "findings": [{}], "score": 3}', '"findings.1.rule" is missing (3 more problems)'),
        ('{"parts_read": 3, "findings": {}, "score": 3}', '"findings" must be a list'),
        ('{"verdict": {"parts_read": 3, "findings": [], "score": 3}}', '"parts_read" is missing'),
        ('{"score": 3,}', "cannot be read"),
        ("[]", "is a list"),
        ("[{}]", '"parts_read" is missing'),
        ("{" * 100_000, "breaks off"),
        ("[" * 100_000, "is a list"),
        ('{"a":' * 30_000 + "1" + "}" * 30_000, "cannot be read"),
        ('{"score": ' + "9" * 5000 + "}", "cannot be read"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    error = unusable(text)
    assert said in error.reason
    assert error.repairable


def test_a_cut_or_withheld_reply_is_not_repaired() -> None:
    text = json.dumps(CLEAN)
    assert not unusable(text, finish_reason="length").repairable
    assert not unusable(text, finish_reason="content_filter").repairable
    assert not unusable("x" * 500_000).repairable


def test_the_largest_of_several_objects_tells_what_is_wrong() -> None:
    assert '"score" is missing' in unusable('{"a": 1} {"parts_read": 3, "findings": []}').reason


def test_a_key_that_is_given_twice_with_two_values_is_no_answer() -> None:
    twice = json.dumps(CLEAN)[:-1] + ', "score": 1}'
    assert 'gives "score" twice' in unusable(twice).reason
    same = json.dumps(CLEAN)[:-1] + f', "score": {CLEAN["score"]}}}'
    assert parse_reply(same, None, "policy_alignment") == CLEAN


def test_equal_answers_are_one_answer() -> None:
    assert parse_reply(json.dumps(CLEAN) * 2, None, "policy_alignment") == CLEAN
