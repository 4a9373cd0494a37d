import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from benchlint.judges.metrics import BenchmarkScores, Measure, Scores
from benchlint.reports.formats import Options
from benchlint.reports.scores import ScoreReport, render

VOID = {"meta", "br", "line", "rect"}
"""Elements that are never closed, or that close themselves."""


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        if self.open and data.strip():
            self.texts.append((self.open[-1], data.strip()))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.elements if name == tag]

    @property
    def shown(self) -> str:
        return " ".join(text for tag, text in self.texts if tag != "style")


@pytest.fixture
def text(scored) -> str:
    return render(scored, "html", Options())


@pytest.fixture
def page(text) -> Page:
    return Page(text)


def test_it_is_one_well_formed_page(text, page) -> None:
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert text.endswith("</html>\n")
    assert [tag for tag, _ in page.elements if tag in ("html", "head", "body", "main", "title")] == [
        "html",
        "head",
        "title",
        "body",
        "main",
    ]
    identities = Counter(attrs["id"] for _, attrs in page.elements if "id" in attrs)
    assert set(identities.values()) == {1}


def test_it_loads_nothing_and_runs_nothing(text, page) -> None:
    assert not {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & {
        tag for tag, _ in page.elements
    }
    policy = next(meta["content"] for meta in page.of("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    for _, attrs in page.elements:
        assert not [name for name in attrs if name.startswith("on") or name in ("src", "srcset", "action", "data")]
        assert (attrs.get("href") or "#").startswith("#")
        assert "style" not in attrs


def test_links_lead_to_parts_of_the_page(page) -> None:
    identities = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
    links = [attrs["href"].removeprefix("#") for attrs in page.of("a")]
    assert links
    assert set(links) <= identities


def test_hostile_text_is_shown_and_nothing_else(scored, text, page) -> None:
    hostile = scored.benchmarks[0].tasks[0].id
    assert "<script" not in text
    assert "{{7*7}}" in page.shown
    assert not re.search("[\x1b\u202e\ud800]", text)
    visible = hostile.replace("\x1b", r"\x1b").replace("\u202e", r"\u202e").replace("\ud800", r"\ud800")
    assert visible in page.shown
    for part in (f"airline {visible}", f"wrong {visible}", f"Deny {visible}", f"note {visible}", f"problem {visible}"):
        assert part in page.shown
    text.encode()


def test_the_numbers(page) -> None:
    shown = page.shown
    for part in ("2.50", "5.75", "95%: 2.50 to 9.00", "2 of 3 tasks", "items not reviewed", "K = 3"):
        assert part in shown
    assert "Krippendorff's alpha" in shown


def test_the_numbers_of_the_offline_reader_stand_apart(page) -> None:
    values = [attrs["class"] for attrs in page.of("p") if (attrs.get("class") or "").startswith("value")]
    assert values == [
        "value judged",
        "value none",
        "value judged",
        "value none",
        *["value judged", "value offline"] * 2,
    ]


def test_no_verdict_is_said(scored) -> None:
    none = Measure(None, None, None, 0, 0)
    empty = BenchmarkScores(name="empty", tasks=(), items=(), judged=Scores(none, none, none, none))
    shown = Page(render(ScoreReport((empty,)), "html", Options())).shown
    assert shown.count("No verdict") == 4
    assert "0.00" not in shown
    assert "no policy" in shown


def test_tables_have_headers(page) -> None:
    for attrs in page.of("th"):
        assert attrs.get("scope") in ("col", "row", "rowgroup")
    assert len(page.of("table")) == 3
    assert "unchallenged" in page.shown
    assert [attrs["class"] for attrs in page.of("span") if (attrs.get("class") or "").startswith("mark")] == [
        "mark",
        "mark few",
    ]


def test_drawings_are_told_in_words(page) -> None:
    words = [attrs["aria-label"] for attrs in page.of("svg") if "aria-label" in attrs]
    assert words == [
        "description alignment: 1 task at 3",
        "policy alignment: 1 task at 3, 1 task at 9",
        "violations: 3 tasks at 1",
        "violations, offline reader: 1 task at 2",
    ]
    bars = [attrs for attrs in page.of("rect") if (attrs.get("class") or "").startswith("bar")]
    assert len(bars) == 10 + 10 + 2 + 3
    assert all(float(attrs["height"]) >= 0 for attrs in bars)


def test_it_is_light_and_dark_and_for_phones_and_print(text) -> None:
    for query in ("prefers-color-scheme: dark", "max-width: 700px", "@media print", 'name="viewport"'):
        assert query in text


def test_quiet_leaves_out_notes(scored) -> None:
    assert "note &lt;script" not in render(scored, "html", Options(quiet=True))


def test_nothing_found() -> None:
    assert "no benchmark was found" in Page(render(ScoreReport(), "html", Options())).shown


def test_several_benchmarks_have_a_table_of_contents(scored) -> None:
    page = Page(render(ScoreReport(scored.benchmarks * 2, scored.lint), "html", Options()))
    assert len(page.of("nav")) == 1
    assert {"#b1", "#b2"} <= {attrs["href"] for attrs in page.of("a")}
