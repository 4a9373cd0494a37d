from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from benchlint.judges.metrics import ItemRow, TaskRow
from benchlint.reports.formats import Options
from benchlint.reports.markdown import escape, table
from benchlint.reports.scores import ScoreReport, render

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = {"<details>", "</details>", "<summary>", "<br>"}


def tokens(text: str) -> list:
    return [child for token in READER.parse(text) for child in (token, *(token.children or ()))]


@pytest.fixture
def text(scored) -> str:
    return render(scored, "markdown", Options())


def test_hostile_text_is_text(text) -> None:
    found = tokens(text)
    assert not [
        token
        for token in found
        if token.type in ("link_open", "image", "s_open", "fence") and "tasks" not in token.content
    ]
    for token in found:
        if token.type in ("html_inline", "html_block"):
            assert "script" not in token.content
    shown = "".join(token.content for token in found if token.type in ("text", "text_special"))
    assert '<script>alert("1")</script>|' in shown
    assert "@bob" not in shown
    assert "https://evil" not in shown


def test_tables_have_the_cells_of_their_titles(text) -> None:
    for part in text.split("\n\n"):
        rows = [line for line in part.splitlines() if line.startswith("|")]
        html = READER.render("\n".join(rows))
        if rows:
            assert html.count("<table>") == 1
            assert html.count("<tr>") == len(rows) - 1
            cells = [row.count("<td>") for row in html.split("<tr>")[2:]]
            assert set(cells) == {html.count("<th>")}


def test_the_numbers(text) -> None:
    assert "| policy alignment (`S_pol`) | **5.75** (2.50 to 9.00)<br>2 of 3 tasks |" in text
    assert "| no verdict |" in text
    assert "3 tasks, 3 policy items, items not reviewed. Findings: 1 error, 2 hints." in text


def test_what_nobody_challenges_comes_first(text) -> None:
    part = text[text.index("Policy items:") :]
    assert part.index("| no | 0 | 1 |") < part.index("| few | 1 | 0 | 3 |") < part.index("| yes | 3 | 1 |")


def test_long_tables_are_cut(scored) -> None:
    benchmark = scored.benchmarks[0]
    rows = tuple(TaskRow(id=f"task {index} {'x' * 300}", path="a.json", line=1) for index in range(500))
    items = tuple(ItemRow(id=f"p{index}", text="y" * 500) for index in range(500))
    big = replace(benchmark, tasks=rows, items=items)
    for many in (1, 3):
        text = render(ScoreReport((big,) * many), "markdown", Options())
        assert len(text) < 65_536
        assert text.count(f"\n{500 - 120 // many} more tasks.\n") == many


def test_quiet_leaves_out_notes(scored) -> None:
    assert "**problem**" in render(scored, "markdown", Options())
    assert "**problem**" not in render(scored, "markdown", Options(quiet=True))


def test_nothing_found() -> None:
    assert "no benchmark was found" in render(ScoreReport(), "markdown", Options())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<b> &amp; `x`", r"\<b\> &amp;amp; \`x\`"),
        ("@bob, #12, #a", "@&#8203;bob, #&#8203;12, #a"),
        ("see https://a.b and WWW.a.b", "see https:&#8203;//a.b and WWW&#8203;.a.b"),
        ("a\nb", r"a\\nb"),
    ],
)
def test_escaping(text, shown) -> None:
    assert escape(text) == shown


@given(st.text())
def test_any_text_is_one_cell_of_text(text) -> None:
    html = READER.render(table(["a", "b"], [[escape(text), "end"]]))
    assert html.count("<td>") == 2
    assert html.count("<td>end</td>") == 1
    inside = html[html.index("<td>") + 4 : html.index("</td>")]
    assert "<" not in inside
