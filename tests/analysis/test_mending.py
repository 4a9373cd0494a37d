"""The quick fixes of what judges find, applied and read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from benchlint.analysis.judged import judged_findings, said
from benchlint.analysis.snapshot import Snapshot
from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import cut, load
from benchlint.catalogue.rule import load_rules
from benchlint.judges.protocol import JudgedFinding, Verdict
from benchlint.text.document import Document
from benchlint.trust.trust import Trust

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from benchlint.text.tree import Pointer

TOLD = 'The agent asks for the é 😀 id. It sends a "code". It cancels order W1, and waves.'
WITHOUT_CODE = TOLD.replace(' It sends a "code".', "")
DELETED = "Delete the unsupported step"
PROSE: Pointer = ("expected_behaviour",)
ACTIONS: Pointer = ("evaluation_criteria", "actions")
CALL: Pointer = (*ACTIONS, 1)
ARGUMENTS: Pointer = (*CALL, "arguments")

YAML_ACTIONS = """- id: "1"
  user_scenario: {instructions: You are Mia.}
  evaluation_criteria:
    actions:
      - action_id: a
        name: look
        arguments: {id: W1}
      - action_id: b
        name: cancel
        arguments:
          id: W1
          fee: 7
          note: 'It''s é'
    nl_assertions:
      - It ends.
"""
PYTHON = """TASKS = [
    Task(
        user_id="u",
        instruction="You are Mia.",
        actions=[
            Action(name="look", kwargs={"id": "W1"}),
            Action(name="cancel", kwargs={"id": "W1", "fee": 7, "note": "It's é"}),
        ],
        outputs=[],
    ),
]
"""


def prose(text: str = TOLD) -> str:
    return json.dumps([{"id": "1", "event_description": "Cancel W1.", "expected_behaviour": text}], indent=1)


def acting() -> dict[str, Any]:
    return {
        "id": "1",
        "user_scenario": {"instructions": "You are Mia."},
        "evaluation_criteria": {
            "actions": [
                {"action_id": "a", "name": "look", "arguments": {"id": "W1"}},
                {"action_id": "b", "name": "cancel", "arguments": {"id": "W1", "fee": 7, "note": "It's é"}},
            ],
            "nl_assertions": ["It ends."],
        },
    }


@pytest.fixture
def mend(tmp_path: Path) -> Callable[..., Any]:
    """Return the title of a finding's fix and the task after it; None where there is no fix."""

    def make(text: str, rule: str, quote: str, rewrite: str | None, pointer: Pointer, **more: Any) -> Any:
        name = more.pop("name", "tasks.json")
        (tmp_path / name).write_bytes(text.encode())
        benchmark = load(discover([str(tmp_path / name)]).layouts[0], Snapshot().read)
        task = benchmark.tasks[0]
        found = JudgedFinding(rule, quote, "why", (), 0.9, rewrite, pointer, **more)
        spoken = [said(task, Verdict("policy_alignment", "gpt", 8, (found,)))]
        (finding,) = judged_findings(benchmark, spoken, load_rules(), Trust())
        if not finding.fixes:
            return None
        (fix,) = finding.fixes
        assert not fix.safe
        (edit,) = fix.edits
        data = task.slice.document.data
        start, end = task.slice.start + edit.anchor.start, task.slice.start + edit.anchor.end
        after = cut(Document(name, data[:start] + edit.text.encode() + data[end:]))
        assert not after.faults
        return fix.title, after.slices[0].value

    return make


@pytest.mark.parametrize(
    ("rule", "quote", "rewrite", "title", "after"),
    [
        (
            "missing-confirmation",
            "It cancels order W1, and waves.",
            "It asks for a yes. It cancels order W1, and waves.",
            "Ask for the confirmation first",
            TOLD.replace("It cancels", "It asks for a yes. It cancels"),
        ),
        (
            "missing-confirmation",
            "cancels order W1",
            None,
            "Ask for the confirmation first",
            TOLD.replace(
                "It cancels",
                "The agent should list the details and obtain the user's explicit confirmation. It cancels",
            ),
        ),
        (
            "missing-information-collection",
            "cancels order W1",
            "asks for the reason and cancels order W1",
            "Obtain the information first",
            TOLD.replace("cancels", "asks for the reason and cancels"),
        ),
        ("hallucinated-step", 'It sends a "code".', "", DELETED, WITHOUT_CODE),
        ("hallucinated-step", 'It sends a "code"', "", DELETED, WITHOUT_CODE),
        ("hallucinated-step", 'It sends a "code"', None, DELETED, WITHOUT_CODE),
        ("hallucinated-step", ", and waves", "", DELETED, TOLD.replace(", and waves", "")),
        ("hallucinated-step", TOLD[:30], "", DELETED, TOLD[31:]),
        ("hallucinated-step", "It cancels order W1, and waves.", "", DELETED, TOLD[:49]),
        ("hallucinated-step", ", and", " or", "Leave the unsupported step out", TOLD.replace(", and", " or")),
        (
            "forbidden-action",
            "cancels order W1",
            "refuses",
            "Refuse in place of the forbidden step",
            TOLD.replace("cancels order W1", "refuses"),
        ),
        ("wrong-compensation", "W1", "200 €", "Correct the amount", TOLD.replace("W1", "200 €")),
        ("wrong-compensation", "waves", "sings", "Correct the compensation", TOLD.replace("waves", "sings")),
        ("wrong-compensation", ", and waves", "", "Delete the compensation", TOLD.replace(", and waves", "")),
        ("unmet-request", "waves", "nods", 'Write "nods"', TOLD.replace("waves", "nods")),
    ],
)  # fmt: skip
def test_prose(mend, rule, quote, rewrite, title, after):
    wanted = {**json.loads(prose())[0], "expected_behaviour": after}
    assert mend(prose(), rule, quote, rewrite, PROSE) == (title, wanted)


@pytest.mark.parametrize(
    ("rule", "quote", "rewrite"),
    [
        ("hallucinated-step", "waves", None),
        ("missing-information-collection", "It cancels order W1, and waves.", None),
        ("wrong-compensation", "W1", None),
        ("hallucinated-step", TOLD, ""),
    ],
)
def test_there_is_no_fix_where_a_rewrite_is_wanting_or_nothing_would_be_left(mend, rule, quote, rewrite):
    assert mend(prose(), rule, quote, rewrite, PROSE) is None


@pytest.mark.parametrize("quoted", ["loose", "missing"])
def test_there_is_no_fix_of_a_misquote(mend, quoted):
    assert mend(prose(), "hallucinated-step", "It sends a code.", "", PROSE, quoted=quoted, span=(31, 49)) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tasks.json", json.dumps([acting()])),
        ("tasks.json", json.dumps([acting()], indent="\t", ensure_ascii=False).replace("\n", "\r\n")),
        ("tasks.jsonl", json.dumps(acting()) + "\n"),
        ("tasks.yaml", YAML_ACTIONS),
        ("tasks.yaml", json.dumps([acting()])),
    ],
)
class TestActions:
    def test_a_forbidden_action_is_removed(self, mend, name, text):
        found = mend(text, "forbidden-action", "cancel", "The agent refuses.", (*CALL, "name"), name=name)
        assert found[0] == "Remove the expected action cancel"
        assert found[1]["evaluation_criteria"] == {
            "actions": acting()["evaluation_criteria"]["actions"][:1],
            "nl_assertions": ["It ends."],
        }

    def test_an_action_with_too_much_of_something_is_removed(self, mend, name, text):
        found = mend(text, "forbidden-action", "cancel", None, (*ARGUMENTS, "note"), name=name)
        assert [item["name"] for item in found[1]["evaluation_criteria"]["actions"]] == ["look"]

    @pytest.mark.parametrize(
        ("quote", "rewrite", "key"),
        [
            ("7", "5", ()),
            ("fee=7", "fee=5", ()),
            ('cancel(id="W1", fee=7', 'cancel(id="W1", fee=5, note="It\'s é")', ()),
        ],
    )
    def test_an_amount_is_corrected(self, mend, name, text, quote, rewrite, key):
        at = CALL if "(" in quote else (*ARGUMENTS, "fee")
        title, after = mend(text, "wrong-compensation", quote, rewrite, at, name=name)
        assert title == "Correct the amount: 5"
        wanted = acting()
        wanted["evaluation_criteria"]["actions"][1]["arguments"]["fee"] = 5
        assert after == wanted

    def test_a_text_is_corrected(self, mend, name, text):
        at = (*ARGUMENTS, "note")
        title, after = mend(text, "forbidden-action", "It's é", 'note="😀 \\"ok\\""', at, name=name)
        assert title == 'Set note to "😀 \\"ok\\""'
        assert after["evaluation_criteria"]["actions"][1]["arguments"]["note"] == '😀 "ok"'

    def test_prose_is_not_written_into_an_argument(self, mend, name, text):
        at = (*ARGUMENTS, "note")
        assert mend(text, "missing-confirmation", "It's é", "The agent asks first.", at, name=name) is None
        title, _ = mend(text, "forbidden-action", "It's é", "The agent refuses.", at, name=name)
        assert title == "Remove the expected action cancel"

    @pytest.mark.parametrize(
        ("rule", "rewrite"),
        [
            ("missing-confirmation", "The agent asks first. cancel"),
            ("missing-confirmation", "5"),
            ("wrong-compensation", "NaN"),
            ("wrong-compensation", "[" * 4000),
            ("wrong-compensation", "true"),
            ("wrong-compensation", None),
            ("wrong-compensation", "five"),
            ("wrong-compensation", "[5]"),
            ("wrong-compensation", "other=5"),
        ],
    )
    def test_there_is_no_fix_that_would_fit(self, mend, name, text, rule, rewrite):
        assert mend(text, rule, "7", rewrite, (*ARGUMENTS, "fee"), name=name) is None


def test_actions_in_python(mend):
    removed = mend(PYTHON, "hallucinated-step", "look", "", ("actions", 0, "name"), name="tasks_test.py")
    assert [item["name"] for item in removed[1]["actions"]] == ["cancel"]
    at = ("actions", 1, "kwargs", "fee")
    title, corrected = mend(PYTHON, "wrong-compensation", "7", "5.5", at, name="tasks_test.py")
    assert title == "Correct the amount: 5.5"
    assert corrected["actions"][1]["kwargs"] == {"id": "W1", "fee": 5.5, "note": "It's é"}


def test_the_only_action(mend):
    task = acting()
    del task["evaluation_criteria"]["actions"][0]
    at = (*ACTIONS, 0, "name")
    _, after = mend(json.dumps([task]), "forbidden-action", "cancel", "", at)
    assert after["evaluation_criteria"]["actions"] == []
    text = YAML_ACTIONS.replace("      - action_id: a\n        name: look\n        arguments: {id: W1}\n", "")
    _, after = mend(text, "forbidden-action", "cancel", "", at, name="tasks.yaml")
    assert after["evaluation_criteria"] == {"actions": [], "nl_assertions": ["It ends."]}


def test_an_assertion_of_which_nothing_is_left_goes(mend):
    task = acting()
    task["evaluation_criteria"]["nl_assertions"].append("It waves.")
    at = ("evaluation_criteria", "nl_assertions", 1)
    _, after = mend(json.dumps([task]), "hallucinated-step", "It waves.", "", at)
    assert after["evaluation_criteria"]["nl_assertions"] == ["It ends."]
