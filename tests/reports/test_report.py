from hypothesis import given
from hypothesis import strategies as st

from benchlint.catalogue.finding import Anchor, Edit, Finding, Fix, Related, Severity
from benchlint.reports.report import Place, count, row
from benchlint.text.document import Document

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<>"), max_size=20)
TEXT = '[\r\n  {"é": "🚀 wrong"},\r\n  {"b": 2}\r\n]'


def finding(anchor: Anchor, **details) -> Finding:
    return Finding("r", Severity.ERROR, "m", anchor, **details)


def test_every_anchor_is_resolved() -> None:
    data = TEXT.encode()
    base = data.index(b"{")
    at = data.index(b"wrong") - base
    anchor = Anchor("/x/a.json", at, at + 5, slice=0)
    fixes = (
        Fix("One", (Edit(anchor, "right"), Edit(Anchor("/x/a.json", 0, 1), "("))),
        Fix("Two", (Edit(anchor, "other"),)),
    )
    given_finding = finding(anchor, fixes=fixes, related=(Related("see", Anchor("/x/b.json", 4, 5)),))
    made = row(
        given_finding,
        {"/x/a.json": Document("/x/a.json", data)},
        {"/x/a.json": [base]},
        lambda path: path[3:],
    )
    assert made.place == Place("a.json", 2, 12, 2, 17)
    assert made.excerpt == ('  {"é": "🚀 wrong"},',)
    assert made.excerpt_column == 1
    assert made.edits == ((made.place, "right"), (Place("a.json", 1, 1, 1, 2), "("))
    assert made.related == (("see", Place("b.json")),)


def test_short_ranges_keep_all_their_lines() -> None:
    data = TEXT.encode()
    made = row(finding(Anchor("a", 5, data.index(b"2}"))), {"a": Document("a", data)}, {}, str)
    assert made.excerpt == ('  {"é": "🚀 wrong"},', '  {"b": 2}')


def test_a_range_of_many_lines_keeps_the_first() -> None:
    data = b"[\n" * 1000
    made = row(finding(Anchor("a", 0, len(data))), {"a": Document("a", data)}, {}, str)
    assert made.excerpt == ("[",)


@given(
    WORDS,
    WORDS,
    st.integers(0, 400),
    st.integers(0, 400),
    st.integers(0, 400),
)
def test_a_long_line_is_cut_around_the_fault(lead: str, words: str, before: int, inside: int, after: int) -> None:
    line = lead * before + "<" + words * inside + ">" + lead * after
    data = f"first\n{line}\nlast".encode()
    start, end = data.index(b"<"), data.rindex(b">") + 1
    made = row(finding(Anchor("a", start, end)), {"a": Document("a", data)}, {}, str)
    assert len(made.excerpt) == 1
    first = made.place.start_column - made.excerpt_column
    shown = made.excerpt[0]
    assert len(shown.encode()) <= 6_010
    assert "�" not in shown or "�" in line
    assert line[made.excerpt_column - 1 :].startswith(shown)
    assert line[made.place.start_column - 1 :].startswith(shown[first:])
    if inside < 20:
        assert shown[first : made.place.end_column - made.excerpt_column] == "<" + words * inside + ">"


def test_counts() -> None:
    safe = Fix("Safe", (), safe=True)
    unsafe = Fix("Unsafe", ())
    findings = [
        finding(Anchor("a"), fixes=(safe, unsafe)),
        finding(Anchor("a"), fixes=(unsafe, safe)),
        Finding("s", Severity.HINT, "m", Anchor("a")),
    ]
    counts = count([row(item, {}, {}, str) for item in findings], files=1, tasks=2, benchmarks=1, fixed=7)
    assert counts.by_severity == {Severity.ERROR: 2, Severity.HINT: 1}
    assert counts.by_rule == {"r": 2, "s": 1}
    assert (counts.fixable, counts.fixed, counts.suppressed) == (1, 7, 0)
