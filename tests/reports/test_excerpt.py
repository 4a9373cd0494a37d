import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.reports.excerpt import window
from benchlint.reports.visible import cells, visible

LINE = st.text(
    st.one_of(
        st.sampled_from("ab \t#[漢🚀é\u0301\u200d\ufe0f❤\x1b\u202e"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"),
    ),
    max_size=300,
)


def under_carets(line: str, start: int, end: int, width: int) -> str:
    """Return the part of the shown ASCII line that stands above the carets."""
    shown = window(line, start, end, width)
    carets = shown.carets
    return shown.line[len(carets) - carets.count("^") : len(carets)]


def test_a_line_that_fits_is_shown_as_it_is() -> None:
    shown = window('    "name": "x"', 13, 14, 80)
    assert shown.line == '    "name": "x"'
    assert shown.carets == "             ^"


def test_wide_characters_take_two_cells() -> None:
    shown = window('"漢字🚀": wrong', 7, 12, 80)
    assert shown.line == '"漢字🚀": wrong'
    assert shown.carets == " " * 10 + "^" * 5
    assert window("漢字🚀", 1, 2, 80).carets == "  ^^"


def test_tabs_and_escapes_keep_the_carets_in_place() -> None:
    assert under_carets("\t\tname: wrong", 8, 13, 80) == "wrong"
    assert under_carets("a\x1b[31mb wrong", 8, 13, 80) == "wrong"


def test_an_empty_range_has_one_caret() -> None:
    assert window("ab", 1, 1, 80).carets == " ^"
    assert window("ab", 2, 2, 80).carets == "  ^"
    assert window("", 5, 9, 80).carets == "^"


def test_a_long_line_is_cut_on_both_sides() -> None:
    line = "x" * 1000 + "wrong" + "y" * 1000
    shown = window(line, 1000, 1005, 60)
    assert shown.line == "…" + "x" * 26 + "wrong" + "y" * 27 + "…"
    assert shown.carets == " " * 27 + "^" * 5


def test_room_that_one_side_does_not_need_goes_to_the_other() -> None:
    start = window("ab wrong" + "y" * 200, 3, 8, 60)
    assert start.line == "ab wrong" + "y" * 50 + "…"
    end = window("x" * 200 + "wrong,", 200, 205, 60)
    assert end.line == "…" + "x" * 52 + "wrong,"


def test_indentation_goes_first() -> None:
    shown = window(" " * 24 + "key: wrong" + "y" * 42, 29, 34, 60)
    assert shown.line == "key: wrong" + "y" * 42


def test_a_fault_wider_than_the_room_is_cut_at_its_end() -> None:
    shown = window("key: " + "w" * 500 + " after", 5, 505, 60)
    assert shown.line == "key: " + "w" * 53 + "…"
    assert shown.carets == "     " + "^" * 53


@pytest.mark.parametrize("cut", range(len("##vso[x]") + 1))
def test_no_log_command_where_parts_meet(cut: int) -> None:
    shown = window("##vso[x]", cut, 8, 80)
    assert "##vso[" not in shown.line


@given(LINE, st.integers(0, 300), st.integers(0, 300), st.integers(0, 120))
def test_any_line_fits_and_shows_the_start_of_the_fault(line: str, start: int, length: int, width: int) -> None:
    shown = window(line, start, start + length, width)
    assert cells(shown.line) <= max(width, 20)
    assert "\x1b" not in shown.line
    if "##" in line:
        return
    fault = visible(line[start : start + length].replace("\t", "    "))
    assert fault.startswith(shown.fault)
    assert bool(shown.fault) == bool(fault)
    if shown.fault != fault:
        assert shown.after == "…"


@given(st.integers(0, 10**6))
def test_the_cost_does_not_grow_with_the_line(start: int) -> None:
    line = "abcdefghij" * 100_000
    shown = window(line, start, start + 3, 100)
    assert under_carets(line, start, start + 3, 100) == (line[start : start + 3] or " ")[:3] or start == 10**6
    assert len(shown.line) <= 100
