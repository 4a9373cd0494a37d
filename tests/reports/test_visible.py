import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.reports.visible import cells, visible, whole

ANY = st.text(st.characters(exclude_categories=[]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢", "plain é 漢"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\r\nb\tc", r"a\r\nb\tc"),
        ("\x85\x9b", r"\x85\x9b"),
        ("a\u2028b\u202ec", r"a\u2028b\u202ec"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("x ##vso[task.setvariable]", r"x #\x23vso[task.setvariable]"),
        ("##[error]", r"#\x23[error]"),
        ("## heading, #W123", "## heading, #W123"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY)
def test_shown_text_obeys_nobody(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") for character in shown)
    assert visible(shown) == shown


@given(ANY)
def test_whole_text_is_unicode(text: str) -> None:
    whole(text).encode()
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert whole(text) == text


def test_cells() -> None:
    assert [cells(text) for text in ("abc", "é", "漢字", "🚀", "")] == [3, 1, 4, 2, 0]
