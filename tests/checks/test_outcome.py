from __future__ import annotations

import pytest

RULE = "outcome-only-behaviour"


def native(*expected: dict) -> dict:
    tasks = [
        {"id": f"t{number}", "description": "You want to cancel booking HB-1.", "expected": item}
        for number, item in enumerate(expected)
    ]
    return {"tasks.json": {"benchlint": 1, "tasks": tasks}}


OUTCOME = {"assertions": ["The booking is not cancelled."]}


@pytest.mark.parametrize(
    "expected",
    [
        OUTCOME,
        {"behaviour": "The agent refuses the cancellation."},
        {"behaviour": ["The booking is gone."]},
        {"say": ["42"]},
        {"say": ["42"], "assertions": ["Agent should refuse to proceed."]},
        {"actions": [], "assertions": ["Agent should not cancel."]},
    ],
)
def test_an_outcome_and_no_workflow(lint, expected):
    (found,) = lint(native(expected, OUTCOME, OUTCOME), RULE)
    assert found.message.startswith('3 of 3 tasks (100 %) expect an outcome and tell no workflow: "t0", "t1", "t2"')
    assert found.severity == "information"
    assert found.task is None


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"behaviour": "The agent asks for the reason and cancels the booking."},
        {"behaviour": "The booking is looked up. It is cancelled."},
        {"behaviour": ["The booking is found.", "It is cancelled."]},
        {"behaviour": "The booking is cancelled after a yes."},
        {"assertions": ["The agent verifies the rate.", "The booking is cancelled."]},
        {"assertions": ["The booking is cancelled if the guest agrees."]},
        {"actions": [{"name": "cancel"}], "assertions": ["The booking is cancelled."]},
        {"actions": ["cancel"], "assertions": ["The booking is cancelled."]},
    ],
)
def test_a_workflow(lint, expected):
    assert lint(native(expected, expected, expected, OUTCOME, OUTCOME), RULE) == []


def test_few_tasks_and_half_of_them_are_no_trait(lint):
    assert lint(native(OUTCOME, OUTCOME), RULE) == []
    way = {"behaviour": "The agent asks first. It cancels."}
    assert lint(native(*[OUTCOME] * 4, *[way] * 4), RULE) == []


def test_one_finding_tells_the_share(lint):
    way = {"behaviour": "The agent asks first. It cancels."}
    (found,) = lint(native(way, *[OUTCOME] * 20), RULE)
    assert found.message.startswith("20 of 21 tasks (95 %)")
    assert found.message.endswith("and 10 more")
    assert found.text == "The booking is not cancelled."


def test_assertions_of_the_environment_are_outcomes(lint):
    tasks = [
        {
            "id": str(number),
            "user_scenario": {"instructions": "Your phone has no signal."},
            "evaluation_criteria": {
                "env_assertions": [{"env_type": "user", "func_name": "has_signal", "arguments": {}}],
                "reward_basis": ["ENV_ASSERTION"],
            },
        }
        for number in range(3)
    ]
    (found,) = lint({"tasks.json": tasks}, RULE)
    assert found.text == "has_signal"


def test_real_benchmarks_tell_a_workflow(real):
    assert real("", RULE) == []
