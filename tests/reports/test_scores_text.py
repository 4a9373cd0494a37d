import re

import pytest

from benchlint.reports.formats import Options
from benchlint.reports.scores import Chart, ScoreReport, draw, render
from benchlint.reports.visible import cells


@pytest.fixture
def text(scored) -> str:
    return render(scored, "text", Options(width=100))


def lines(text: str, start: str) -> list[list[str]]:
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines() if line.startswith(start)]


def test_the_numbers(text) -> None:
    assert "3 tasks, 3 policy items, items not reviewed" in text
    assert lines(text, "description alignment  judged") == [["description alignment", "judged", "2.50", "1 of 3 tasks"]]
    assert ["policy alignment", "judged", "5.75 (2.50 to 9.00)", "2 of 3 tasks"] in lines(text, "policy alignment")
    assert lines(text, "coverage, K = 3") == [["coverage, K = 3", "judged", "0.33 (0.00 to 0.33)", "3 tasks"]]
    assert [line for line in lines(text, "  ") if line[0] == "offline reader"] == [
        ["offline reader", "≥ 0.67 (0.00 to 2.00)", "3 tasks"],
        ["offline reader", "≥ 0.00 (0.00 to 0.00)", "3 tasks"],
    ]


def test_each_judge_and_their_agreement(text) -> None:
    assert ["gpt<b>", "2.00", "1 of 3 tasks"] in lines(text, "  ")
    said = "claude and gpt<b> on policy alignment: rank correlation undefined, mean offset of the second -1.00, 1 task."
    assert said in " ".join(text.split())


def test_why_there_is_no_verdict(text) -> None:
    assert "No verdict on description alignment for 1 task: the reply was cut" in text
    assert "not asked" not in text


def test_the_tasks_in_their_order(text) -> None:
    assert lines(text, "task  ")[0] == ["task", "description", "policy", "violations", "offline", "findings"]
    assert lines(text, "täsk 漢") == [["täsk 漢", "-", "9 (9/-)", "1", "-"]]
    assert lines(text, "3 ")[0] == ["3", "-", "-", "1", "-"]
    hostile = lines(text, "<script>")
    assert hostile[0][1:5] == ["2.5 (3/2)", "2.5 (3/2)", "1", "2"]
    assert hostile[0][5].startswith("1 error, 1 hint: unkn")
    assert text.index("<script>") < text.index("täsk 漢") < text.index("\n3 ")


def test_the_policy_items(text) -> None:
    assert "Policy items: 1 challenged by 3 tasks or more, 1 by fewer, 1 by none" in text
    assert lines(text, "no ") == [["no", "0", "1", "Ask first."]]
    assert lines(text, "few ") == [["few", "1", "0", "3", "Few."]]
    assert lines(text, "yes ")[0][:3] == ["yes", "3", "1"]


def test_findings_of_no_task_and_of_no_benchmark(text) -> None:
    assert text.index("Findings of no task") < text.index("untestable-policy-item")
    assert text.index("Further findings") < text.index("uncalibrated-judge")


def test_it_is_safe_to_print(text) -> None:
    assert not re.search("[\x1b\u202e\ud800]", text)
    text.encode()


@pytest.mark.parametrize("width", [80, 100, 120])
def test_it_fits_the_terminal(scored, width) -> None:
    text = render(scored, "text", Options(width=width, quiet=True))
    assert max(map(cells, text.splitlines())) <= width


def test_color_changes_no_character(scored, text) -> None:
    colored = render(scored, "text", Options(width=100, color=True))
    assert "\x1b[1m" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored) == text


def test_quiet_leaves_out_notes_and_problems(scored) -> None:
    assert "note <script>" in render(scored, "text", Options())
    quiet = render(scored, "text", Options(quiet=True))
    assert "note <script>" not in quiet
    assert "problem <script>" not in quiet


def test_nothing_found() -> None:
    assert render(ScoreReport(), "text", Options()) == "Nothing to report: no benchmark was found.\n"


def test_a_drawing() -> None:
    assert draw(Chart("scores", 4, (1, 0, 100), offline=True)).splitlines() == [
        "scores, offline reader, tasks",
        "   4 |█ 1",
        "   5 |",
        "   6 |" + "█" * 24 + " 100",
    ]
