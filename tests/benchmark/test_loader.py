import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchlint.benchmark.discovery import discover
from benchlint.benchmark.loader import Unreadable, load
from benchlint.benchmark.model import Layout
from benchlint.benchmark.scaffold import init
from benchlint.config import ConfigError, ConfigLookup
from benchlint.config_schema import read_config
from benchlint.text.document import Document
from benchlint.text.locate import locate

SHARED = Path(__file__).parents[3] / "shared" / "data"

TAU2 = {
    "id": "1",
    "user_scenario": {"instructions": "You want a refund."},
    "evaluation_criteria": {"actions": [{"action_id": "a", "name": "refund", "arguments": {}}]},
}
TOOLS = [{"type": "function", "function": {"name": "refund", "parameters": {"type": "object", "properties": {}}}}]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(path, content):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")


def read(path):
    try:
        return Document(path, Path(path).read_bytes())
    except OSError as error:
        raise Unreadable(path, (error.strerror or "").lower()) from None


def only(path=".", config=None):
    """Load the one benchmark under a path, as the configuration on disk says."""
    lookup = ConfigLookup()
    (layout,) = discover([path], lookup).layouts
    return load(layout, read, lookup(path))


def ids(benchmark):
    return [task.id for task in benchmark.tasks]


def test_everything_beside_the_tasks():
    write("tasks.json", [TAU2, {**TAU2, "id": "2"}])
    write("policy.md", "# Refunds\n\nThe agent must refuse.\n")
    write("tools.json", TOOLS)
    write("db.json", {"orders": {"#W1": {"id": "#W1"}}})
    write("split_tasks.json", {"test": ["1"]})
    benchmark = only()
    assert (benchmark.name, benchmark.format, ids(benchmark)) == ("tasks.json", "tau2", ["1", "2"])
    assert benchmark.default_reward_basis == ("DB", "COMMUNICATE")
    assert [item.text for item in benchmark.policy.items] == ["The agent must refuse."]
    assert benchmark.tools.get("assistant", "refund") is not None
    assert benchmark.database.data == {"orders": {"#W1": {"id": "#W1"}}}
    assert list(benchmark.splits.by_name) == ["test"]
    assert (benchmark.problems, benchmark.faults, benchmark.notes, benchmark.unread) == ([], [], [], [])
    for task in benchmark.tasks:
        assert benchmark.source_of(task).document is task.slice.document


def test_the_rest_is_read_when_it_is_asked_for():
    write("tasks.json", [TAU2])
    write("policy.md", "")
    asked = []

    def counting(path):
        asked.append(path)
        return read(path)

    benchmark = load(discover(["."]).layouts[0], counting)
    assert asked == ["tasks.json"]
    assert (benchmark.tools, benchmark.database, benchmark.splits) == (None, None, None)
    assert asked == ["tasks.json"]
    assert benchmark.policy is benchmark.policy is not None
    assert asked == ["tasks.json", "policy.md"]


def test_what_cannot_be_used_is_none_and_said():
    write("tasks.json", [TAU2])
    layout = Layout("x", ("tasks.json",), ("gone.md",), ("tools.json", "gone.py"), ("db.json",), "split_tasks.json")
    write("tools.json", "[{")
    write("db.json", '{"é": }')
    write("split_tasks.json", "[]")
    benchmark = load(layout, read)
    assert benchmark.policy is None
    assert [document.path for document, _ in benchmark.faults] == ["tools.json", "db.json", "split_tasks.json"]
    assert (benchmark.tools, benchmark.database, benchmark.splits) == (None, None, None)
    assert benchmark.notes[:2] == [
        "gone.md cannot be read: no such file or directory",
        "gone.py cannot be read: no such file or directory",
    ]
    assert [note.split(":")[0] for note in benchmark.notes[2:]] == [
        "tools.json cannot be used",
        "db.json cannot be used",
    ]
    (_, fault) = benchmark.faults[1]
    assert fault.start == len('{"é": '.encode())


def test_tools_are_used_as_far_as_they_go():
    write("tasks.json", [TAU2])
    write("tools.json", [*TOOLS, {"type": "function"}])
    benchmark = only()
    assert benchmark.tools.get("assistant", "refund") is not None
    assert len(benchmark.faults) == 1
    assert benchmark.notes == []


def test_folders_of_tools_and_records():
    write("tasks.json", [TAU2])
    write("tools/__init__.py", "broken(")
    write("tools/a.json", TOOLS)
    write("tools/notes.txt", "")
    write("data/orders.json", {"#W1": {"id": "#W1"}, "#W2": {"id": "#W2"}})
    write("data/users.csv", "id,name\n1,Ana\n")
    benchmark = only()
    assert benchmark.tools.paths == ("tools/a.json",)
    assert benchmark.database.paths == ("data/orders.json", "data/users.csv")


@pytest.mark.parametrize("name", ["tasks.json", "tasks.jsonl", "tasks.yaml"])
def test_languages(name):
    text = json.dumps(TAU2) if name.endswith("l") and "json" in name else json.dumps([TAU2])
    write(name, text)
    benchmark = only(name)
    assert (benchmark.format, ids(benchmark), benchmark.problems) == ("tau2", ["1"], [])


def test_python():
    write(
        "tasks_test.py",
        """
from tau_bench.types import Task, Action

WHO = "You are Ana."

TASKS = [
    Task(
        annotator="0",
        user_id="ana_1",
        instruction=WHO + " You want "
        'a refund.',
        actions=[
            Action(name="refund", kwargs={"order_id": "#W1", "items": ["1", "2"]}),
            make_action(),
        ],
        outputs=["54.04", str(3)],
    ),
    Task(annotator="1", user_id="b", instruction=f"{WHO}", actions=[Action(name="x", kwargs=ARGS)], outputs=[]),
    make_task(),
]
""",
    )
    write("wiki.md", "The agent must refuse.")
    write("rules.py", 'RULES = ["You must be brief."]\n')
    benchmark = only()
    assert (benchmark.format, ids(benchmark), benchmark.problems) == ("tau-bench", ["0", "1"], [])
    first, second = benchmark.tasks
    assert [field.text for field in first.scenario] == ["You are Ana. You want a refund."]
    assert [(call.name, call.arguments, call.known) for call in first.actions] == [
        ("refund", {"order_id": "#W1", "items": ["1", "2"]}, True),
        ("", None, False),
    ]
    assert [field.text for field in first.communicate_info] == ["54.04"]
    assert [(call.name, call.known) for call in second.actions] == [("x", False)]
    assert [item.text for item in benchmark.policy.items] == ["The agent must refuse.", "You must be brief."]
    tree = benchmark.source_of(first).tree(0)
    start, end = locate(tree, ("actions", 0, "kwargs", "order_id"))
    assert tree.data[start:end] == b"#W1"


def test_a_python_file_without_tasks():
    write("tasks.py", "def f():\n    return instruction and actions\n")
    with pytest.raises(Unreadable, match="there is no list of tasks"):
        load(Layout("x", ("tasks.py",)), read)


def test_what_does_not_parse_leaves_the_rest():
    write("tasks.json", json.dumps([TAU2, {**TAU2, "id": "2"}, {**TAU2, "id": "3"}], indent=2).replace('"2"', '"2', 1))
    benchmark = only()
    assert ids(benchmark) == ["1", "3"]
    assert len(benchmark.sources[0].faults) == 1
    for text in ("", "hello", "[{"):
        write("tasks.json", text)
        benchmark = load(Layout("x", ("tasks.json",)), read)
        assert (benchmark.format, benchmark.tasks, len(benchmark.sources[0].faults)) == ("", [], 1)


def test_no_tasks_at_all():
    write("tasks.json", [])
    benchmark = load(Layout("x", ("tasks.json",)), read)
    assert (benchmark.tasks, benchmark.problems, benchmark.sources[0].faults) == ([], [], [])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([{"a": 1, "b": 2}], 'the tasks are in no known format: its first entry has "a", "b"; benchlint.toml can'),
        ([{}], "the tasks are in no known format: its first entry has no fields;"),
        ([1], "the tasks are in no known format; benchlint.toml can map their fields"),
        ({"tasks": [TAU2], "simulations": []}, "this is a file of runs, not of tasks"),
        ([{"task_id": 1, "reward": 1, "traj": []}], "this is a file of runs, not of tasks"),
    ],
)
def test_no_known_format(content, reason):
    write("cases.json", content)
    with pytest.raises(Unreadable) as caught:
        load(Layout("x", ("cases.json",)), read)
    assert caught.value.path == "cases.json"
    assert caught.value.reason.startswith(reason)


def test_files_that_cannot_be_read():
    write("a.json", TAU2)
    write("c.json", {"a": 1})
    benchmark = load(Layout("x", ("a.json", "b.json", "c.json")), read)
    assert ids(benchmark) == ["1"]
    assert [path for path, _ in benchmark.unread] == ["b.json", "c.json"]
    with pytest.raises(Unreadable, match=r"b\.json: no such file"):
        load(Layout("x", ("b.json",)), read)
    write("a.txt", "")
    with pytest.raises(Unreadable, match=r"reads no tasks from such a file"):
        load(Layout("x", ("a.txt",)), read)


def test_one_task_files():
    write("tasks/task_1.json", TAU2)
    write("tasks/task_2.json", {**TAU2, "id": "2", "typo": 1})
    benchmark = only()
    assert (benchmark.name, ids(benchmark)) == ("tasks", ["1", "2"])
    ((source, index, problem),) = benchmark.problems
    assert (source.document.path, index, problem.pointer) == ("tasks/task_2.json", 0, ("typo",))


def test_read_together():
    write("tasks.json", [TAU2, {**TAU2, "id": "2"}])
    write("tasks/task_1.json", TAU2)
    write("tasks/task_2.json", {**TAU2, "id": "2", "ticket": "other"})
    write("tasks/task_3.json", {**TAU2, "id": "3"})
    benchmark = only()
    assert [(task.id, task.slice.document.path) for task in benchmark.tasks] == [
        ("1", "tasks.json"),
        ("2", "tasks.json"),
        ("2", "tasks/task_2.json"),
        ("3", "tasks/task_3.json"),
    ]


class TestNative:
    FILE = """\
benchlint: 1
policy: docs/rules.md
tools: [tools.json]
databse: db.json
tasks:
  - id: 7
    description: You want a refund.
    expected:
      actions:
        - name: refund
"""

    def test_paths_in_the_file(self):
        write("cases/first.yaml", self.FILE)
        write("cases/docs/rules.md", "The agent must refuse.")
        write("cases/policy.md", "Other.")
        write("cases/tools.json", TOOLS)
        write("cases/db.json", {})
        benchmark = only()
        assert (benchmark.format, ids(benchmark), benchmark.default_reward_basis) == ("native", ["7"], ())
        assert benchmark.layout.policy == ("cases/docs/rules.md",)
        assert benchmark.layout.tools == ("cases/tools.json",)
        assert benchmark.layout.database == ("cases/db.json",)
        assert [item.text for item in benchmark.policy.items] == ["The agent must refuse."]
        ((source, index, problem),) = benchmark.problems
        assert (index, problem.pointer, problem.replacement) == (None, ("databse",), "database")
        tree = source.header_tree()
        start, end = locate(tree, problem.pointer, problem.part)
        assert tree.data[start:end] == b"databse"

    def test_the_configuration_comes_first(self):
        write("first.yaml", self.FILE)
        write("mine.md", "")
        write(
            "benchlint.toml",
            "[[benchmark]]\ntasks = 'first.yaml'\npolicy = 'mine.md'\ndefault-reward-basis = ['ACTION']\n",
        )
        benchmark = only()
        assert benchmark.layout.policy == ("mine.md",)
        assert benchmark.layout.tools == ("tools.json",)
        assert benchmark.default_reward_basis == ("ACTION",)

    def test_json_and_lines(self):
        task = {"id": "a", "description": "x", "expected": {"say": ["y"]}}
        write("a.json", {"benchlint": 1, "policy": "p.md", "tasks": [task]})
        write("b.jsonl", json.dumps(task) + "\n\n" + json.dumps({**task, "id": "b"}))
        assert ids(only("a.json")) == ["a"]
        assert ids(only("b.jsonl")) == ["a", "b"]

    def test_no_list_of_tasks(self):
        write("a.yaml", "benchlint: 1\ntasks:\n  first: {}\n")
        benchmark = only("a.yaml")
        assert [problem.message for _, _, problem in benchmark.problems] == ['"tasks" must be a list, not an object']


class TestMapped:
    CONFIG = """\
[[benchmark]]
tasks = "cases.*"
[benchmark.mapping]
id = "uid"
description = "who"
behaviour = "gold.text"
actions = "gold.calls"
"""
    CASE = {"uid": "a", "who": "Ana", "gold": {"text": "Refuse.", "calls": []}}  # noqa: RUF012

    @pytest.mark.parametrize("name", ["cases.json", "cases.jsonl", "cases.yaml"])
    def test_reads(self, name):
        write("benchlint.toml", self.CONFIG)
        write(name, json.dumps(self.CASE) if name.endswith("jsonl") else [self.CASE, {**self.CASE, "uid": "b"}])
        benchmark = only()
        assert (benchmark.name, benchmark.format, benchmark.problems) == (name, "mapped", [])
        assert ids(benchmark)[0] == "a"
        assert benchmark.tasks[0].behaviour[0].text == "Refuse."

    @pytest.mark.parametrize("name", ["cases.json", "cases.yaml"])
    def test_a_list_further_down(self, name):
        write("benchlint.toml", self.CONFIG + 'tasks = "data.examples"\n')
        write(name, {"version": 1, "data": {"examples": [self.CASE]}})
        assert ids(only()) == ["a"]

    @pytest.mark.parametrize(
        ("old", "new", "line", "message"),
        [
            ('"uid"', '"udi"', 4, 'mapping.id: "udi" finds nothing in any of the 2 tasks of cases.json: did you mean'),
            ('"gold.text"', '"gld.text"', 6, 'mapping.behaviour: "gld.text" finds nothing'),
            ("id =", 'tasks = "data.list"\nid =', 4, 'mapping.tasks: "data.list" leads to no tasks in cases.json'),
        ],
    )
    def test_a_path_that_finds_nothing(self, old, new, line, message):
        write("benchlint.toml", self.CONFIG.replace(old, new, 1))
        write("cases.json", [self.CASE, self.CASE])
        with pytest.raises(ConfigError) as caught:
            only()
        assert caught.value.message.startswith(message)
        assert (caught.value.line, caught.value.path) == (line, "benchlint.toml")

    def test_one_task_that_lacks_something(self):
        write("benchlint.toml", self.CONFIG)
        write("cases.json", [self.CASE, {"uid": "b", "who": "x"}])
        ((_, index, problem),) = only().problems
        assert (index, problem.pointer, problem.part) == (1, (), "opening")
        assert problem.message == '"gold" is missing, and gold.calls too: the task has no expected behaviour'


class TestInit:
    def test_what_is_found_is_declared(self):
        write("x/shop/tasks.json", [TAU2])
        write("x/shop/tasks_full.json", [TAU2])
        write("x/shop/tasks/1.json", TAU2)
        write("x/shop/policy.md", "")
        write("x/shop/é manual.md", "")
        write("x/shop/split_tasks.json", {})
        write("x/other/1.json", TAU2)
        write("x/other/2.json", TAU2)
        write("x/other/tools.json", TOOLS)
        before = discover(["x"]).layouts
        write("x/benchlint.toml", init("x"))
        after = discover(["x"], ConfigLookup()).layouts
        assert len(after) == 3
        for layout in before:
            (again,) = [other for other in after if other.name == layout.name]
            assert again.config == "x/benchlint.toml"
            for part in ("tasks", "together", "policy", "tools", "database", "splits"):
                assert getattr(again, part) == getattr(layout, part)

    def test_every_example_in_it_is_right(self):
        Path("my-rules").mkdir()
        for text in (init("."), re.sub(r"^# (?=\[|[a-z-]+ = )", "", init("."), flags=re.MULTILINE)):
            config = read_config(Document("benchlint.toml", text.encode()))
            assert config.max_bytes == 10**8
        assert config.lint.select == ("tools", "unscored-criterion")
        assert config.ignore[0].task == "21"
        assert config.benchmark[0].mapping.action_name == "tool"


@pytest.fixture(scope="module")
def _shared():
    if not SHARED.exists():
        pytest.skip("the shared data is not here")


@pytest.mark.usefixtures("_shared")
class TestSharedData:
    COUNTS = {  # noqa: RUF012
        "intellagent/airline_run0.json": 30,
        "intellagent/airline_run1.json": 8,
        "tau2/airline/tasks.corrected.json": 12,
        "tau2/airline/tasks.json": 50,
        "tau2/banking_knowledge/tasks.json": 97,
        "tau2/mock/tasks.json": 9,
        "tau2/retail/tasks.corrected.json": 15,
        "tau2/retail/tasks.json": 114,
        "tau2/telecom/tasks.json": 114,
        "tau2/telecom/tasks_full.json": 2285,
        "tau2/telecom/tasks_small.json": 20,
    }

    @pytest.mark.parametrize("name", ["airline_run0", "airline_run1"])
    def test_a_pickle_has_the_same_tasks_as_its_json(self, name):
        first, second = (
            load(discover([str(SHARED / "intellagent" / f"{name}.{suffix}")]).layouts[0], read)
            for suffix in ("json", "pickle")
        )
        assert (second.format, second.problems, second.sources[0].faults) == ("intellagent", [], [])
        assert ids(first) == ids(second)
        for one, other in zip(first.tasks, second.tasks, strict=True):
            for part in ("scenario", "behaviour", "cites", "initial_data"):
                assert getattr(one, part) == getattr(other, part)

    def test_all_tasks_and_five_problems(self):
        counts, problems = {}, []
        for layout in discover([str(SHARED)]).layouts:
            benchmark = load(layout, read)
            name = str(Path(layout.name).relative_to(SHARED))
            counts[name] = len(benchmark.tasks)
            problems += [
                (name, benchmark.sources[0].slices[at].value["id"], p.pointer[-1]) for _, at, p in benchmark.problems
            ]
            assert [source.faults for source in benchmark.sources] == [[]]
            assert (benchmark.faults, benchmark.notes) == ([], [])
        assert counts == self.COUNTS
        banking = "tau2/banking_knowledge/tasks.json"
        assert problems == [
            (banking, "task_058", "users"),
            (banking, "task_058", "accounts"),
            (banking, "task_059", "users"),
            (banking, "task_059", "accounts"),
            (banking, "task_091", "persoca"),
        ]


NATIVE_TASK = {"id": "é🙂", "description": "x\u2028y", "expected": {"actions": [{"name": "a"}], "say": ["n"]}}
TEXTS = {
    "tasks.json": json.dumps([TAU2, NATIVE_TASK], ensure_ascii=False, indent=2),
    "tasks.jsonl": json.dumps(TAU2) + "\r\n" + json.dumps(NATIVE_TASK, ensure_ascii=False),
    "tasks.yaml": TestNative.FILE + json.dumps(NATIVE_TASK, ensure_ascii=False),
    "tasks.py": "A = 'é'\nTASKS = [\n    Task(instruction=A, actions=[Action(name='x', kwargs={})], outputs=[]),\n]\n",
}


@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_damaged_files_are_read_or_refused(name, data):
    text = TEXTS[name].encode()
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    text = text[:start] + data.draw(st.binary(max_size=4)) + text[end:]
    found = discover([name], read=lambda _, size: text[:size])
    assert len(found.layouts) == 1
    try:
        benchmark = load(found.layouts[0], lambda path: Document(path, text))
    except Unreadable:
        return
    for task in benchmark.tasks:
        assert benchmark.source_of(task).slices[task.slice.index].value is task.value


@pytest.mark.parametrize("name", ["tasks.json", "tasks.jsonl", "tasks.py"])
def test_every_prefix_keeps_the_tasks_before_it(name):
    text = TEXTS[name].encode()
    counts = []
    for end in range(len(text) + 1):
        try:
            counts.append(len(load(Layout("x", (name,)), lambda path, end=end: Document(path, text[:end])).tasks))
        except Unreadable:
            counts.append(0)
    assert counts == sorted(counts)
    assert counts[-1] == (1 if name.endswith("py") else 2)
