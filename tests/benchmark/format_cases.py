"""What the tests of formats share."""

from benchlint.text.document import Document
from benchlint.text.slices import Slice


def piece(value, index=0):
    return Slice(Document("tasks.json", b""), index, 0, 0, value, (index,))


def read(reader, value, index=0):
    return reader.read(piece(value, index))


def messages(reader, value):
    return [(problem.pointer, problem.message) for problem in read(reader, value)[1]]


def texts(fields):
    return [(field.pointer, field.text) for field in fields]


KEYS = sorted(
    {
        *("id", "user_scenario", "instructions", "evaluation_criteria", "actions", "name", "arguments", "kwargs"),
        *("initial_state", "initialization_actions", "message_history", "reward_basis", "annotations", "benchlint"),
        *("event_description", "expected_behaviour", "policies", "policy", "scenario", "instruction", "outputs"),
        *("description", "expected", "behaviour", "say", "assertions", "calls", "data", "tasks", "ignore"),
    }
)
