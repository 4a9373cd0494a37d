"""Suppressions: each hides what it points to, and says so when it hides nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.analysis.conftest import task, told

from benchlint.analysis.suppressions import matches

if TYPE_CHECKING:
    from pathlib import Path

YAML_TASK = """\
- id: "1"
  user_scenario:
    instructions: You want a visit on 2031-03-01.
  evaluation_criteria:
    actions:
      - action_id: "1_0"
        name: {name}
        arguments: {{day: "2031-03-01"}}
    communicate_info: ["2031-03-01"]
"""


def write_tasks(folder: Path, *tasks: dict, name: str = "tasks.json") -> None:
    (folder / name).write_text(json.dumps(tasks, indent=2))


@pytest.mark.parametrize("ignore", ["unknown-tool", "tools", ["unknown-tool"], {"unknown-tool": "a trap"}])
def test_an_annotation_hides_findings_of_its_task(folder, lint, ignore):
    write_tasks(folder, task(1, "bok", annotations={"benchlint": {"ignore": ignore}}), task(2, "bok"))
    result = lint()
    assert [(finding.rule, finding.task) for finding in result.findings] == [("unknown-tool", "2")]
    assert result.suppressed == 1


def test_an_annotation_hides_only_its_own_task_where_ids_repeat(folder, lint):
    write_tasks(folder, task(1, "bok", annotations={"benchlint": {"ignore": "unknown-tool"}}), task(1, "bok"))
    result = lint(select=("unknown-tool",))
    assert [finding.anchor.slice for finding in result.findings] == [1]


def test_an_annotation_that_hides_nothing_is_told_at_the_name(folder, lint):
    write_tasks(folder, task(1, annotations={"benchlint": {"ignore": {"unknown-tool": "a trap"}}}))
    result = lint()
    (finding,) = result.findings
    assert (finding.rule, finding.task) == ("unused-suppression", "1")
    assert finding.pointer == "/annotations/benchlint/ignore/unknown-tool"
    data = result.documents["tasks.json"].data
    start = result.slices["tasks.json"][0] + finding.anchor.start
    assert data[start : start + len("unknown-tool")] == b"unknown-tool"


def test_an_unknown_name_is_told_with_the_nearest_one(folder, lint):
    write_tasks(folder, task(1, "bok", annotations={"benchlint": {"ignore": "unknwon-tool"}}))
    messages = {finding.rule: finding.message for finding in lint().findings}
    assert messages["unused-suppression"] == 'there is no rule or group "unknwon-tool": did you mean unknown-tool?'
    assert "unknown-tool" in messages


def test_a_suppression_is_not_judged_where_its_rule_did_not_run(folder, lint):
    write_tasks(folder, task(1, annotations={"benchlint": {"ignore": ["unknown-tool", "unknown-entity"]}}))
    assert told(lint(select=("syntax", "suppression"))) == []
    (folder / "tools.json").unlink()
    assert told(lint()) == [], "no tools, no database: neither rule could run"


def test_a_rule_without_a_check_is_not_judged(folder, lint):
    write_tasks(folder, task(1, annotations={"benchlint": {"ignore": "internal-error"}}))
    assert told(lint()) == []


def test_unused_suppression_can_be_left_out(folder, lint):
    write_tasks(folder, task(1, annotations={"benchlint": {"ignore": "unknown-tool"}}))
    assert told(lint(ignore=("unused-suppression",))) == []
    assert told(lint(select=("tools",))) == []


@pytest.mark.parametrize(
    "name",
    [
        "bok  # benchlint: ignore[unknown-tool] a trap",
        "bok # benchlint: ignore[tools]",
        "bok # why not? # benchlint:ignore[ duplicate-task-id , unknown-tool ]",
        "|-  # benchlint: ignore[unknown-tool]\n          bok",
        ">-  # benchlint: ignore[unknown-tool]\n\n\n          bok",
    ],
)
def test_a_comment_hides_findings_of_its_line(folder, lint, name):
    (folder / "tasks.yaml").write_text(YAML_TASK.format(name=name))
    result = lint(ignore=("unused-suppression",))
    assert (told(result), result.suppressed) == ([], 1)


def test_a_comment_above_hides_findings_of_the_next_line_only(folder, lint):
    text = YAML_TASK.format(name="bok").replace(
        "        name", "        # benchlint: ignore[unknown-tool] a trap\n        # and a remark\n        name"
    )
    (folder / "tasks.yaml").write_text(text)
    assert told(lint()) == []
    (folder / "tasks.yaml").write_text(text.replace("        # and", '        x: "y"\n        # and'))
    assert "unknown-tool tasks.yaml:10" in told(lint())


def test_a_comment_behind_a_value_does_not_reach_the_next_line(folder, lint):
    text = YAML_TASK.format(name="bok").replace('"1_0"', '"1_0" # benchlint: ignore[unknown-tool]')
    (folder / "tasks.yaml").write_text(text)
    assert told(lint()) == ["unused-suppression tasks.yaml:6", "unknown-tool tasks.yaml:7"]


@pytest.mark.parametrize("where", ["first", "last"])
def test_a_comment_for_the_whole_file(folder, lint, where):
    comment = "# benchlint: ignore-file[unknown-tool] all traps\n"
    text = YAML_TASK.format(name="bok")
    (folder / "tasks.yaml").write_text(comment + text if where == "first" else text + comment)
    result = lint()
    assert (told(result), result.suppressed) == ([], 1)


def test_text_that_looks_like_a_comment_is_none(folder, lint):
    text = YAML_TASK.format(name="|-\n          bok # benchlint: ignore[unknown-tool]")
    (folder / "tasks.yaml").write_text(text)
    assert told(lint()) == ["unknown-tool tasks.yaml:8"]


@pytest.mark.parametrize("comment", ["# benchlint: ignore", "# benchlint: ignore[]", "# benchlint: ignore-file"])
def test_a_comment_without_a_rule_is_told(folder, lint, comment):
    (folder / "tasks.yaml").write_text(YAML_TASK.format(name=f"bok {comment}"))
    messages = {finding.rule: finding.message for finding in lint().findings}
    assert messages["unused-suppression"].startswith("the comment names no rule")
    assert "unknown-tool" in messages


def test_the_unused_name_of_a_comment_is_told_at_the_name(folder, lint):
    (folder / "tasks.yaml").write_text(
        YAML_TASK.format(name="bok # é 🎈 # benchlint: ignore[unknown-tool, invalid-task]")
    )
    result = lint()
    (finding,) = result.findings
    data = result.documents["tasks.yaml"].data
    assert data[finding.anchor.start : finding.anchor.end] == b"invalid-task"


def test_comments_in_python(folder, lint):
    (folder / "tasks_test.py").write_text(
        "from tau_bench.types import Action, Task\n"
        "TASKS = [\n"
        "    Task(\n"
        '        user_id="x",\n'
        '        instruction="You want a visit on 2031-03-01.",\n'
        "        actions=[\n"
        '            Action(name="bok", kwargs={"day": "2031-03-01"}),  # benchlint: ignore[unknown-tool]\n'
        '            Action(name="bok", kwargs={"day": "2031-03-01"}),\n'
        "            # benchlint: ignore[unknown-tool]\n"
        '            Action(name="bok", kwargs={"day": "2031-03-01"}),\n'
        "        ],\n"
        '        outputs=["# benchlint: ignore[unknown-tool]"],\n'
        "    ),\n"
        "]\n"
    )
    result = lint(select=("unknown-tool", "unused-suppression"))
    assert (told(result), result.suppressed) == (["unknown-tool tasks_test.py:8"], 2)


def configure(folder: Path, text: str) -> None:
    (folder / "benchlint.toml").write_text(text)


@pytest.mark.parametrize(
    "entry",
    [
        'rule = "unknown-tool"',
        'rule = "tools"',
        'rule = "unknown-tool"\ntask = "21"',
        'rule = "unknown-tool"\ntask = "2?"',
        'rule = "unknown-tool"\npath = "tasks.json"',
        'rule = "unknown-tool"\npath = "*.json"',
        'rule = "unknown-tool"\ntask = "*1"\npath = "./tasks.json"',
    ],
)
def test_the_configuration_hides_findings(folder, lint, entry):
    configure(folder, f'[[ignore]]\n{entry}\nreason = "a trap"\n')
    write_tasks(folder, task(21, "bok"))
    result = lint()
    assert (told(result), result.suppressed) == ([], 1)


@pytest.mark.parametrize(
    "entry",
    [
        'rule = "invalid-task"',
        'rule = "unknown-tool"\ntask = "2"',
        'rule = "unknown-tool"\npath = "other.json"',
        'rule = "unknown-tool"\npath = "tasks/*.json"',
    ],
)
def test_the_configuration_tells_an_entry_that_hides_nothing(folder, lint, entry):
    configure(folder, f'[lint]\nmin-severity = "hint"\n\n[[ignore]]\n{entry}\nreason = "a trap"\n')
    write_tasks(folder, task(21, "bok"))
    expected = ["unknown-tool tasks.json:11"]
    if "other.json" not in entry:
        expected.insert(0, "unused-suppression benchlint.toml:5")
    assert told(lint()) == expected


def test_the_configuration_is_judged_only_by_a_run_that_covers_its_folder(folder, lint):
    configure(folder, '[[ignore]]\nrule = "unknown-tool"\nreason = "a trap"\n')
    write_tasks(folder, task(1))
    write_tasks(folder, task(2, "bok"), name="other.json")
    assert told(lint("tasks.json")) == []
    assert told(lint()) == []
    (folder / "other.json").unlink()
    assert told(lint("tasks.json")) == []
    assert told(lint()) == ["unused-suppression benchlint.toml:2"]
    assert told(lint(str(folder.parent))) != []


def test_unused_suppressions_can_be_suppressed(folder, lint):
    configure(
        folder,
        '[[ignore]]\nrule = "unused-suppression"\npath = "tasks.json"\nreason = "kept for later"\n',
    )
    write_tasks(folder, task(1, annotations={"benchlint": {"ignore": "unknown-tool"}}))
    result = lint()
    assert (told(result), result.suppressed) == ([], 1)
    write_tasks(folder, task(1))
    assert told(lint()) == ["unused-suppression benchlint.toml:2"]


def test_an_internal_error_cannot_be_suppressed(folder, lint, monkeypatch):
    from benchlint.analysis import engine
    from benchlint.checks.registry import Check

    def crash(view: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(engine, "all_checks", lambda: (Check(rules=("unknown-tool",), run=crash),))
    configure(folder, '[[ignore]]\nrule = "internal-error"\nreason = "no"\n')
    write_tasks(folder, task(1, annotations={"benchlint": {"ignore": "internal-error"}}))
    result = lint(ignore=("internal-error", "suppression"))
    assert [finding.rule for finding in result.findings] == ["internal-error"]
    assert result.failing == 1


def test_suppressions_in_a_file_that_two_benchmarks_share(folder, lint):
    """The tools are read with both files of tasks, and their comment is judged once."""
    (folder / "tools.json").unlink()
    (folder / "tools.py").write_text(
        "class Tools:\n"
        "    @is_tool(ToolType.WRITE)\n"
        "    # benchlint: ignore[invalid-syntax]\n"
        "    def book_visit(self, day: str) -> None: ...\n"
    )
    write_tasks(folder, task(1))
    write_tasks(folder, task(2), name="tasks_small.json")
    assert told(lint()) == ["unused-suppression tools.py:3"]
    assert told(lint("tasks.json")) == [], "other files of tasks may need it"


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("a/tasks.json", "tasks.json", True),
        ("a/tasks.json", "a/tasks.json", True),
        ("a/tasks.json", "./a/tasks.json", True),
        ("a/tasks.json", "a/*.json", True),
        ("a/b/tasks.json", "a/*.json", True),
        ("a/tasks.json", "*/tasks.json", True),
        ("tasks.json", "*/tasks.json", False),
        ("a/tasks.json", "b/*", False),
        ("../tasks.json", "tasks.json", False),
        ("../x/tasks.json", "x/tasks.json", False),
    ],
)
def test_patterns(tmp_path, path, pattern, fits):
    full = tmp_path / "root" / path
    full.parent.mkdir(parents=True, exist_ok=True)
    assert matches(str(full.resolve()), pattern, tmp_path / "root") is fits
