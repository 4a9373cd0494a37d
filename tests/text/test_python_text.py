"""Python modules of tasks: read as syntax, never run."""

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchlint.text.document import Document
from benchlint.text.locate import locate
from benchlint.text.python_literals import MAX_EXPANDED
from benchlint.text.python_text import PythonText, slice_python
from benchlint.text.slices import MAX_DEPTH, UNKNOWN, UNPARSED


def cut(text: str | bytes) -> PythonText:
    return slice_python(Document("tasks_test.py", text if isinstance(text, bytes) else text.encode()))


def values(sliced: PythonText) -> list[Any]:
    return [piece.value for piece in sliced.slices]


def faults(sliced: PythonText) -> list[tuple[str, str]]:
    data = sliced.document.data
    return [(data[fault.start : fault.end].decode(), fault.message) for fault in sliced.faults]


def value_of(expression: str, module: str = "") -> Any:
    """Return what is read of an expression that stands in a task."""
    sliced = cut(f"{module}\ntasks = [Task(instruction='a', outputs={expression})]\n")
    assert sliced.faults == []
    return sliced.slices[0].value["outputs"]


MODULE = '''\
"""Tasks of the library, é 😀."""
from library.types import Action, Task

USER = "mara_\\u00e4_1"
COMMON = {"loan_id": "L-1", "days": [14, -1]}

TASKS_TEST: list[Task] = [
    Task(
        annotator="0",
        user_id=USER,
        instruction=(
            "You are Mara 😀. Renew 'L-1', "  # it's a comment
            'and say "thanks".'
        ),
        actions=[
            Action(name="renew", kwargs={"loan": "L-1", "days": 14, "note": """a
b\u2028c"""}),
            Action("extend", COMMON),
            Action(name="respond", kwargs=dict(content="\\N{SNOWMAN}\\
x")),
        ],
        outputs=["1.50", r"\\d"],
    ),
    # between
    Task(
        annotator="1",
        user_id="b",
        instruction="Nothing — é",
        actions=[],
        outputs=(),
    ),
    Task(annotator="2", user_id="c", instruction="last", actions=[Action(name="a", kwargs={})]),
]

TASKS_MORE = [{"instruction": "a dictionary", "actions": [], "n": None, "yes": True, "no": False}]
USERS = [{"user_id": "mara"}]
'''
EXPECTED = [
    {
        "annotator": "0",
        "user_id": "mara_ä_1",
        "instruction": "You are Mara 😀. Renew 'L-1', and say \"thanks\".",
        "actions": [
            {"name": "renew", "kwargs": {"loan": "L-1", "days": 14, "note": "a\nb\u2028c"}},
            {"name": "extend", "kwargs": {"loan_id": "L-1", "days": [14, -1]}},
            {"name": "respond", "kwargs": {"content": "☃x"}},
        ],
        "outputs": ["1.50", "\\d"],
    },
    {"annotator": "1", "user_id": "b", "instruction": "Nothing — é", "actions": [], "outputs": []},
    {"annotator": "2", "user_id": "c", "instruction": "last", "actions": [{"name": "a", "kwargs": {}}]},
    {"instruction": "a dictionary", "actions": [], "n": None, "yes": True, "no": False},
]
WRAPS = ["", "\r\n", "bom"]


def wrapped(text: str, wrap: str) -> bytes:
    return ("\ufeff" + text if wrap == "bom" else text.replace("\n", wrap or "\n")).encode()


@pytest.mark.parametrize("wrap", WRAPS)
def test_a_module_with_everything(agree: Any, wrap: str) -> None:
    sliced = cut(wrapped(MODULE, wrap))
    agree(sliced)
    assert sliced.faults == []
    assert values(sliced) == EXPECTED
    assert [piece.pointer for piece in sliced.slices] == [
        ("TASKS_TEST", 0),
        ("TASKS_TEST", 1),
        ("TASKS_TEST", 2),
        ("TASKS_MORE", 0),
    ]
    assert (sliced.language, sliced.header) == ("python", {})
    tree = sliced.tree(0)
    start, end = locate(tree, ("instruction",), span=(22, 27))
    assert tree.data[start:end] == b"'L-1'"
    start, end = locate(tree, ("actions", 1, "name"))
    assert tree.data[start:end] == b"extend"
    start, end = locate(tree, ("actions", 0, "kwargs", "days"), "key")
    assert tree.data[start:end] == b"days"
    start, end = locate(tree, ("user_id",))
    assert tree.data[start:end] == b"USER"


@pytest.mark.parametrize("wrap", WRAPS)
def test_every_prefix_keeps_the_tasks_before_its_end(agree: Any, wrap: str) -> None:
    data = wrapped(MODULE, wrap)
    for length in range(0, len(data), 1 if wrap == "" else 3):
        sliced = cut(data[:length])
        agree(sliced)
        assert len(sliced.faults) <= 2
        found = values(sliced)
        assert found[:-1] == EXPECTED[: max(len(found) - 1, 0)]
        assert len(found) >= len(re.findall(rb"\n    Task\(", data[:length]))


@given(
    st.integers(0, len(MODULE)),
    st.integers(0, 12),
    st.sampled_from(["", '"', "'", '"""', "[", ")", "}", "\\", "\n", ",", "=", "#", "**x", "é", "$", "def "]),
)
def test_an_edit_anywhere_is_survived(agree: Any, at: int, removed: int, typed: str) -> None:
    agree(cut(MODULE[:at] + typed + MODULE[at + removed :]))


@given(st.text(st.sampled_from("Tt=[](){}'\"\\\n, :+-*#.1aé\u2028rf"), max_size=30))
@example("t=[Task(")
@example("\ufefft = [\n  {'actions': 1},\n  {'")
def test_any_text_is_survived(agree: Any, text: str) -> None:
    agree(cut(text))
    agree(cut("tasks = [\n    Task(instruction='a'),\n    Task(instruction=" + text))


LITERALS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=12,
)


def as_lists(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [as_lists(item) for item in value]
    return {key: as_lists(item) for key, item in value.items()} if isinstance(value, dict) else value


@given(
    st.lists(st.dictionaries(st.text(max_size=4), LITERALS, max_size=3), min_size=1, max_size=3), st.sampled_from(WRAPS)
)
def test_dictionaries_are_read_as_python_reads_them(agree: Any, tasks: list[dict], wrap: str) -> None:
    tasks = [{**task, "actions": []} for task in tasks]
    source = "tasks = [\n" + "".join(f"    {(ascii if wrap else repr)(task)},\n" for task in tasks) + "]\n"
    sliced = cut(wrapped(source, wrap))
    agree(sliced)
    assert sliced.faults == []
    assert values(sliced) == as_lists(ast.literal_eval(source.removeprefix("tasks = ")))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1_000", 1000),
        ("0x1F", 31),
        ("0o17", 15),
        ("0b11", 3),
        ("00", 0),
        ("-1.5", -1.5),
        ("+2", 2),
        ("1e3", 1000.0),
        ("(((1)))", 1),
        ("'a' + ('b' 'c') + 'd'", "abcd"),
        ("{1: 'a'}", {"1": "a"}),
        ("{'a': {}}", {"a": {}}),
        ("dict(a=1)", {"a": 1}),
        ("Outputs(a=1)", {"a": 1}),
        ("types.Action('n', {'k': 1})", {"name": "n", "kwargs": {"k": 1}}),
        ("Action(name='n', **{})", UNKNOWN),
        ("Action('n', {}, 1)", UNKNOWN),
        ("[1, *more]", UNKNOWN),
        ("{'a': 1, **more}", UNKNOWN),
        ("{key: 1}", UNKNOWN),
        ("{('a', 1): 1}", UNKNOWN),
        ("{1, 2}", UNKNOWN),
        ("f'{x}'", UNKNOWN),
        ("'a' f'{x}'", UNKNOWN),
        ("b'a'", UNKNOWN),
        ("rb'a'", UNKNOWN),
        ("1j", UNKNOWN),
        ("1 + 1", UNKNOWN),
        ("'a' * 3", UNKNOWN),
        ("'a' + x", UNKNOWN),
        ("not True", UNKNOWN),
        ("~1", UNKNOWN),
        ("...", UNKNOWN),
        ("len('a')", UNKNOWN),
        ("Task('a')", UNKNOWN),
        ("x if y else z", UNKNOWN),
        ("[x for x in y]", UNKNOWN),
        ("lambda: 1", UNKNOWN),
        ("os.environ['HOME']", UNKNOWN),
        ("'{}'.format(1)", UNKNOWN),
    ],
)
def test_expressions(expression: str, value: Any) -> None:
    found = value_of(expression)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("module", "value"),
    [
        ("X = 'a'", "a"),
        ("X: str = 'a'", "a"),
        ("Y = 'a'\nX = [Y, Y]", ["a", "a"]),
        ("X = Action(name='a', kwargs={})", {"name": "a", "kwargs": {}}),
        ("X = 'a'\nprint(X)", "a"),
        ("X = 'a'\nf(X=1)\nx.X = 2", "a"),
        ("", UNKNOWN),
        ("X = f()", UNKNOWN),
        ("X = 'a'\nX = 'b'", UNKNOWN),
        ("X = 'a'\nX += 'b'", UNKNOWN),
        ("if y:\n    X = 'a'", UNKNOWN),
        ("def f():\n    X = 'a'", UNKNOWN),
        ("X = 'a'\ndel X", UNKNOWN),
        ("X = 'a'\nfor X in y: pass", UNKNOWN),
        ("X = 'a'\nimport X", UNKNOWN),
        ("X = 'a'\ndef X(): pass", UNKNOWN),
        ("X = 'a'\nX, Y = 1, 2", UNKNOWN),
        ("X = []\nX.append(1)", UNKNOWN),
        ("X = {}\nX['a'] = 1", UNKNOWN),
        ("X = 'a'\n(X := 'b')", UNKNOWN),
        ("X = X", UNKNOWN),
        ("from y import X", UNKNOWN),
    ],
)
def test_names(module: str, value: Any) -> None:
    assert value_of("X", module) == value


def test_names_that_lead_in_circles_are_unknown() -> None:
    assert value_of("X", "X = [Y]\nY = [X]") == [[UNKNOWN]]


def test_names_cannot_expand_without_end() -> None:
    module = (
        "X0 = ['a']\n" + "\n".join(f"X{at} = [{', '.join([f'X{at - 1}'] * 10)}]" for at in range(1, 60)) + "\nX = X59"
    )
    value = value_of("X", module)
    count, pending = 0, [value]
    while pending:
        item = pending.pop()
        count += 1
        pending.extend(item if isinstance(item, list) else ())
    assert count <= 2 * MAX_EXPANDED
    text = "X0 = 'aaaaaaaaaa'\n" + "\n".join(f"X{at} = X{at - 1} + X{at - 1}" for at in range(1, 60)) + "\nX = X59"
    assert value_of("X", text) is UNKNOWN


def test_a_constant_counts_for_the_hash() -> None:
    text = "X = 'a'\nY = 'c'\ntasks = [Task(instruction=X), Task(instruction='a')]\n"
    before, after = cut(text), cut(text.replace("'a'", "'b'", 1))
    assert before.slices[0].data == after.slices[0].data
    assert before.slices[0].hash != after.slices[0].hash
    assert before.slices[1].hash == after.slices[1].hash
    assert before.slices[0].hash == cut(text.replace("'c'", "'d'")).slices[0].hash


def test_an_element_may_be_a_name(agree: Any) -> None:
    sliced = cut("first = Task(instruction='1')\ntasks = [first, (second), third, *rest]\nsecond = {'actions': []}\n")
    agree(sliced)
    assert values(sliced) == [{"instruction": "1"}, {"actions": []}, UNKNOWN, UNKNOWN]
    assert [piece.data for piece in sliced.slices] == [b"Task(instruction='1')", b"{'actions': []}", b"third", b"*rest"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("tasks = [Task()]", 1),
        ("tasks = [types.LibraryTask(**x)]", 1),
        ("tasks = (Task(), Task())", 2),
        ("tasks = [Task()] + [Task()]", 2),
        ("tasks = [Task()]\ntasks += [Task()]", 2),
        ("tasks: List[Task] = [Task()]", 1),
        ("tasks = [{'instruction': 'a'}]", 1),
        ("tasks = [{'user_scenario': {}}]", 1),
        ("tasks = [Case(event_description='a')]", 1),
        ("tasks = [{'name': 'a'}]", 0),
        ("tasks = [1, 'a', f()]", 0),
        ("tasks = []", 0),
        ("tasks = load('tasks.json')", 0),
        ("def tasks():\n    return [Task()]", 0),
        ("Task(instruction='a')", 0),
    ],
)
def test_which_lists_are_of_tasks(text: str, count: int) -> None:
    sliced = cut(text)
    assert sliced.faults == []
    assert len(sliced.slices) == count


TASKS = """\
X = "x"
tasks = [
    Task(
        instruction="one",
        actions=[
            Action(name="a", kwargs={"k": "v"}),
            Action(name="b", kwargs={"k": ["v", 1]}),
        ],
    ),
    Task(
        instruction="it's two",
        actions=[],
    ),
    Task(instruction=X),  # three
]
after = [1, 2]
"""


@pytest.mark.parametrize(
    ("old", "new", "where", "message", "broken"),
    [
        ('"one",', '"one,', '"one,', "the string that starts here does not end", 0),
        ('two",', "two,", "\"it's two,", "the string that starts here does not end", 1),
        ('name="a"', 'name="a', '"}),', None, 0),
        ('["v", 1]', '["v", 1', "}", "'}' does not match the '[' that is open here", 0),
        ('"v"}),\n            A', '"v"},\n            A', "]", "']' does not match the '(' that is open here", 0),
        (
            "        ],\n    ),\n    Task(\n",
            "    ),\n    Task(\n",
            ")",
            "')' does not match the '[' that is open here",
            0,
        ),
        ("actions=[],", "actions=[", ")", "')' does not match the '[' that is open here", 1),
        ("actions=[],", "actions=,", "=", "this is no Python: something is missing or too much", 1),
        ("actions=[],", "actions=[]],", "]", None, 1),
        ('two",\n', 'two"\n', None, "this is no Python: something is missing or too much", 1),
        (
            "    ),\n    Task(\n",
            "    )\n    Task(\n",
            None,
            "this is no Python: something is missing or too much",
            None,
        ),
        ("]\nafter", "\nafter", "[", "the bracket that opens here does not close", None),
        ("after = [", "after = ", "]", "']' closes no bracket", None),
        ("tasks = [", "import\ntasks = [", None, "this is no Python: something is missing or too much", None),
        ("    Task(instruction=X)", "    Task(instruction=X", "(", "the bracket that opens here does not close", 2),
    ],
)
@pytest.mark.parametrize("wrap", WRAPS)
def test_one_fault_and_all_other_tasks(
    agree: Any, old: str, new: str, where: str | None, message: str | None, broken: int | None, wrap: str
) -> None:
    whole = values(cut(TASKS))
    assert TASKS.count(old) == 1 or old.startswith("    ),")
    sliced = cut(wrapped(TASKS.replace(old, new, 1), wrap))
    agree(sliced)
    assert values(sliced) == [UNPARSED if at == broken else value for at, value in enumerate(whole)]
    assert len(sliced.faults) == 1
    found, said = faults(sliced)[0]
    assert where in (None, found)
    assert message in (None, said)
    if broken is not None:
        piece = sliced.slices[broken]
        assert piece.start <= sliced.faults[0].start < piece.end
        assert piece.data.startswith(b"Task(")
        assert sliced.tree(broken).root.kind == "unknown"


def test_a_list_on_one_line_is_recovered_by_its_syntax() -> None:
    sliced = cut("tasks = [Task(instruction='a'), Task(instruction=), Task(instruction='c')]")
    assert values(sliced) == [{"instruction": "a"}, UNPARSED, {"instruction": "c"}]
    assert faults(sliced) == [("=", "this is no Python: something is missing or too much")]


def test_lists_that_are_not_of_tasks_stay_out_of_a_broken_module() -> None:
    text = "users = [\n    {'user_id': 'a'},\n    {'user_id': 'b'},\n]\n" + TASKS.replace('"one",', '"one,')
    sliced = cut(text)
    assert [piece.pointer[0] for piece in sliced.slices] == ["tasks"] * 3
    assert len(sliced.faults) == 1


def test_lines_of_a_long_string_are_no_elements() -> None:
    text = (
        'tasks = [\n    Task(instruction="""one\n    Tasks are\n    {it}\n    """),\n    Task(instruction="two),\n]\n'
    )
    assert values(cut(text)) == [{"instruction": "one\n    Tasks are\n    {it}\n    "}, UNPARSED]


def test_a_long_string_may_start_its_lines_anywhere() -> None:
    tasks = [f'    Task(instruction="""{at}\nif you can,\n  ask for {{it}}\n"""),\n' for at in range(3)]
    tasks[1] = "    Task(instruction=),\n"
    sliced = cut("tasks = [\n" + "".join(tasks) + "]\nmore = [\n    Task(instruction='x'),\n]\n")
    texts = [value if value is UNPARSED else value["instruction"] for value in values(sliced)]
    assert texts == ["0\nif you can,\n  ask for {it}\n", UNPARSED, "2\nif you can,\n  ask for {it}\n", "x"]
    assert len(sliced.faults) == 1


def test_duplicate_keys_are_faults_and_the_last_counts() -> None:
    sliced = cut("tasks = [Task(instruction='a', instruction='b'), {'actions': [], 'k': 1, 'k': 2}]\n")
    assert values(sliced) == [{"instruction": "b"}, {"actions": [], "k": 2}]
    assert faults(sliced) == [
        ("instruction", 'the key "instruction" appears twice in this object; only the last value counts'),
        ("'k'", 'the key "k" appears twice in this object; only the last value counts'),
    ]


def test_deep_text_is_a_fault_and_no_crash(agree: Any) -> None:
    for deep in ("[" * 5_000 + "]" * 5_000, "{'a': " * 5_000 + "1" + "}" * 5_000, "-" * 5_000 + "1"):
        sliced = cut(f"tasks = [{{'actions': {deep}}}, {{'actions': []}}]\n")
        assert [message for _, message in faults(sliced)] == [f"the text nests more than {MAX_DEPTH} levels deep"]
        assert sliced.slices[1].value == {"actions": []}
        sliced.tree(0)
    assert value_of(" + ".join(["'a'"] * 2_000)) == "a" * 2_000
    assert value_of("(" * 2_000 + "1" + ")" * 2_000) == 1


def test_unclosed_depth_is_no_crash() -> None:
    for deep in ("[" * 50_000, "(" * 50_000, "Task(a=" * 20_000, "{'a':" * 20_000):
        sliced = cut(f"tasks = [\n    Task(instruction='a'),\n    Task(instruction={deep}\n]\n")
        assert values(sliced) == [{"instruction": "a"}, UNPARSED]
        assert len(sliced.faults) == 1


def test_a_number_too_long_and_half_a_character_are_faults() -> None:
    digits = "9" * (sys.get_int_max_str_digits() + 1)
    sliced = cut(f"tasks = [{{'actions': {digits}, 'b': 'x\\ud83d'}}]\n")
    assert sliced.slices[0].value == {"actions": UNKNOWN, "b": "x\ufffd"}
    assert faults(sliced) == [
        (digits, f"a number of {len(digits)} digits is too long"),
        ("'x\\ud83d'", "the string holds half of a character: a lone surrogate"),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf \n", "the file is empty"),
        ("tasks = [Task()]".encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
        (b"tasks = [\0]", "the file is binary: it contains a NUL byte"),
    ],
)
def test_what_is_no_python(agree: Any, data: bytes, message: str) -> None:
    sliced = cut(data)
    agree(sliced)
    assert sliced.slices == []
    assert [fault.message for fault in sliced.faults] == [message]


def test_wrong_bytes_leave_the_tasks() -> None:
    sliced = cut(b"tasks = [Task(instruction='caf\xe9'), Task(instruction='b')]\n")
    assert values(sliced) == [{"instruction": "caf\ufffd"}, {"instruction": "b"}]
    assert [fault.start for fault in sliced.faults] == [30]


def test_nothing_is_run(tmp_path: Path) -> None:
    marker = tmp_path / "run"
    text = f"""\
import os
os.system("touch {marker}")
open({str(marker)!r}, "w")
class Task:
    open({str(marker)!r}, "w")
tasks = [Task(instruction=open({str(marker)!r}, "w"), actions=[__import__("os").system("touch {marker}")])]
"""
    sliced = cut(text)
    assert values(sliced) == [{"instruction": UNKNOWN, "actions": [UNKNOWN]}]
    assert not marker.exists()
