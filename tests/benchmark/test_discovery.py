import json
import os
import pickle
from pathlib import Path

import pytest

from benchlint.benchmark.discovery import discover
from benchlint.config import ConfigError, ConfigLookup

SHARED = Path(__file__).parents[3] / "shared" / "data"

TAU2 = {"id": "1", "user_scenario": {"instructions": "You want a refund."}, "evaluation_criteria": {"actions": []}}
INTELLAGENT = {"id": 1, "event_description": "A refund.", "expected_behaviour": "Refuse.", "policies": []}
TAU_BENCH = """\
from tau_bench.types import Task, Action

TASKS = [
    Task(annotator="0", user_id="a", instruction="x", actions=[], outputs=[]),
]
"""
NATIVE = "benchlint: 1\ntasks:\n  - id: 1\n    description: x\n    expected:\n      say: [y]\n"
RUNS = [{"task_id": 0, "reward": 1.0, "info": {"task": {"instruction": "x", "actions": []}}, "traj": [], "trial": 0}]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(path, content):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")


def found(*paths, **options):
    return discover(paths, **options).layouts


def names(*paths):
    return [layout.name for layout in found(*paths)]


def test_the_layout_of_tau2():
    for name in ("tasks.json", "tasks_full.json", "tasks.corrected.json"):
        write(f"shop/{name}", [TAU2])
    write("shop/policy.md", "# Policy")
    write("shop/db.json", {"users": {}})
    write("shop/user_db.toml", "a = 1")
    write("shop/tools.json", [])
    write("shop/split_tasks.json", {"test": ["1"]})
    first, second, third = found(".")
    assert [layout.name for layout in (first, second, third)] == [
        "shop/tasks.corrected.json",
        "shop/tasks.json",
        "shop/tasks_full.json",
    ]
    assert second.tasks == ("shop/tasks.json",)
    assert second.policy == third.policy == ("shop/policy.md",)
    assert second.tools == ("shop/tools.json",)
    assert second.database == ("shop/db.json", "shop/user_db.toml")
    assert second.splits == "shop/split_tasks.json"
    assert first.splits is None


def test_a_named_file_is_alone():
    for name in ("tasks.json", "tasks_small.json"):
        write(name, [TAU2])
    write("policy.md", "# Policy")
    assert [(layout.name, layout.policy) for layout in found("./tasks_small.json")] == [
        ("tasks_small.json", ("policy.md",))
    ]


def test_the_repository_of_tau2():
    write("data/tau2/domains/shop/tasks.json", [TAU2])
    write("data/tau2/domains/shop/main_policy.md", "")
    write("data/tau2/domains/shop/main_policy_solo.md", "")
    write("data/tau2/domains/shop/shop_manual.md", "")
    write("data/tau2/domains/shop/readme.md", "")
    write("src/tau2/domains/shop/tools.py", "")
    write("src/tau2/domains/shop/user_tools.py", "")
    write("src/tau2/domains/other/tools.py", "")
    (layout,) = found("data")
    assert layout.tools == ("src/tau2/domains/shop/tools.py", "src/tau2/domains/shop/user_tools.py")
    assert layout.policy == ("data/tau2/domains/shop/main_policy.md", "data/tau2/domains/shop/shop_manual.md")
    (layout,) = found(str(Path("data/tau2/domains/shop/tasks.json").absolute()))
    assert layout.tools[0] == str(Path("src/tau2/domains/shop/tools.py").absolute())


def test_one_task_files_are_one_benchmark():
    for number in (2, 1, 10):
        write(f"bank/tasks/task_{number:03}.json", {**TAU2, "id": f"task_{number:03}"})
    write("bank/policy.md", "")
    write("bank/split_tasks.json", {})
    (layout,) = found(".")
    assert layout.name == "bank/tasks"
    assert layout.tasks == ("bank/tasks/task_001.json", "bank/tasks/task_002.json", "bank/tasks/task_010.json")
    assert (layout.policy, layout.splits) == (("bank/policy.md",), "bank/split_tasks.json")
    assert found("bank/tasks") == (layout,)
    (alone,) = found("bank/tasks/task_002.json")
    assert (alone.name, alone.policy, alone.splits) == ("bank/tasks/task_002.json", ("bank/policy.md",), None)


def test_one_task_files_from_inside(monkeypatch):
    write("bank/tasks/task_1.json", TAU2)
    write("bank/policy.md", "")
    monkeypatch.chdir("bank/tasks")
    (layout,) = found("task_1.json")
    assert layout.policy == ("../policy.md",)


def test_tasks_and_the_folder_of_the_same_name_are_read_together():
    write("tasks.json", [TAU2])
    write("tasks/task_1.json", TAU2)
    write("tasks/task_2.json", TAU2)
    write("tasks_full.json", [TAU2])
    first, second = found(".")
    assert (first.tasks, first.together) == (("tasks.json",), ("tasks/task_1.json", "tasks/task_2.json"))
    assert (second.tasks, second.together) == (("tasks_full.json",), ())


def test_the_layout_of_tau_bench():
    write("envs/shop/tasks_test.py", TAU_BENCH)
    write("envs/shop/tasks_dev.py", TAU_BENCH)
    write("envs/shop/env.py", TAU_BENCH)
    write("envs/shop/tasks_base.py", "def tasks(): ...")
    write("envs/shop/wiki.md", "")
    write("envs/shop/rules.py", "RULES = []")
    write("envs/shop/tools/__init__.py", "")
    write("envs/shop/tools/think.py", "")
    write("envs/shop/data/orders.json", {})
    first, second = found(".")
    assert [first.name, second.name] == ["envs/shop/tasks_dev.py", "envs/shop/tasks_test.py"]
    assert first.policy == ("envs/shop/wiki.md", "envs/shop/rules.py")
    assert (first.tools, first.database) == (("envs/shop/tools",), ("envs/shop/data",))


def test_the_layout_of_intellagent():
    write("run/a.json", [INTELLAGENT])
    Path("run/a.pickle").write_bytes(pickle.dumps([INTELLAGENT]))
    Path("run/b.pickle").write_bytes(pickle.dumps([INTELLAGENT]))
    Path("run/c.pickle").write_bytes(pickle.dumps(["other"]))
    write("run/prompt.md", "")
    assert [(layout.name, layout.policy) for layout in found(".")] == [
        ("run/a.json", ("run/prompt.md",)),
        ("run/b.pickle", ("run/prompt.md",)),
    ]
    write("run/wiki.md", "")
    assert found("run/a.pickle")[0].policy == ("run/wiki.md",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.yaml", NATIVE),
        ("a.yml", "# a comment\npolicy: p.md\nbenchlint: 1\ntasks: []\n"),
        ("a.yaml", "- id: 1\n  user_scenario:\n    instructions: x\n"),
        ("a.yaml", "- id: 1\r\n  user_scenario:\r\n    instructions: x\r\n"),
        ("a.yaml", "tasks:\r- event_description: x\r  expected_behaviour: y\r"),
        ("a.yaml", "tasks:\n- event_description: x\n  expected_behaviour: y\n"),
        ("a.yaml", "- id: 1\n  description: x\n  expected:\n    say: [y]\n"),
        ("a.json", {"benchlint": 1, "tasks": []}),
        ("a.json", {"policy": "p", "tasks": [TAU2]}),
        ("a.json", [TAU2]),
        ("a.json", "\ufeff" + json.dumps([TAU2])),
        ("a.json", json.dumps([{"id": 'é🙂 { [ " ', **TAU2}])),
        ("a.json", json.dumps([{"filler": "x" * 10_000, **TAU2}] * 20)),
        ("a.json", '[{"id": "1", "user_scenario": {"instructions": "x'),
        ("a.json", [{"id": "1", "description": "x", "expected": {"say": ["y"]}}]),
        ("a.jsonl", "\n" + json.dumps(INTELLAGENT) + "\n"),
        ("a.jsonl", json.dumps({"id": "1", "description": "x", "expected": {}})),
    ],
)
def test_recognised(name, content):
    write(name, content)
    assert names(".") == [name]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", [{"description": "a test", "input": 1, "expected": {"a": 1}}]),
        ("a.json", {"tasks": {"task_1": {"instruction": "x", "actions": []}}}),
        ("a.json", {"version": "2.0.0", "tasks": [{"label": "build"}]}),
        ("a.json", [1, 2]),
        ("a.json", "user_scenario"),
        ("a.json", {"note": "user_scenario and expected"}),
        ("a.jsonl", '{"task": "1", "expected": "x"}'),
        ("a.yaml", "tasks:\n  - name: install\n    expected: x\n"),
        ("a.yaml", "benchlint-options: 1\n"),
        ("tasks.py", "class Task: ...\n"),
        ("a.txt", json.dumps([TAU2])),
        (".hidden.json", json.dumps([TAU2])),
        (".git/a.json", json.dumps([TAU2])),
        ("node_modules/a.json", json.dumps([TAU2])),
        ("__pycache__/a.json", json.dumps([TAU2])),
        (".venv/a.json", json.dumps([TAU2])),
        ("runs.json", RUNS),
        ("runs.json", {"timestamp": "x", "info": {}, "tasks": [TAU2], "simulations": []}),
        ("runs.json", {"tasks": [TAU2] * 500, "simulations": []}),
        ("runs.json", [{"id": "s", "task_id": "1", "reward_info": {}, "messages": ["user_scenario"]}]),
    ],
)
def test_not_taken_for_tasks(name, content):
    write(name, content)
    assert names(".") == []
    assert discover(["."]).problems == ((".", "there is no benchmark in this folder"),)


@pytest.mark.parametrize("content", [RUNS, {"tasks": [TAU2] * 500, "simulations": []}])
def test_a_named_file_of_runs_is_noted(content):
    write("runs.json", content)
    result = discover(["runs.json"])
    assert (result.layouts, result.problems) == ((), ())
    assert result.notes == ("runs.json is a file of runs, not of tasks",)


def test_what_cannot_be_linted_is_said():
    write("tasks.json", [TAU2])
    write("db.json", {})
    write("policy.md", "")
    write("notes.txt", "")
    result = discover(["db.json", "policy.md", "notes.txt", "nowhere.json", "nowhere"])
    assert result.layouts == ()
    assert [note.split(":")[0] for note in result.notes] == [
        "db.json is the database of a benchmark, not tasks",
        "policy.md is the policy of a benchmark, not tasks",
    ]
    assert [path for path, _ in result.problems] == ["notes.txt", "nowhere.json", "nowhere"]
    assert result.problems[1][1] == "there is no such file or folder"


def test_a_broken_tasks_file_is_kept():
    write("policy.md", "")
    for content in ("", "[{", "hello", "\x00"):
        write("tasks.json", content)
        assert names(".") == ["tasks.json"]
    write("tasks.json", "{}")
    assert names(".") == []


def test_a_database_is_not_read_to_look_at_it():
    write("tasks.json", [TAU2])
    write("db.json", {"note": "user_scenario"})
    write("other.json", {"records": ["x" * 100_000]})
    read = []

    def reader(path, size):
        read.append((path, size))
        return Path(path).read_bytes()[:size]

    assert len(found(".", read=reader)) == 1
    assert read == [("other.json", 65_536), ("tasks.json", 65_536)]


def test_text_that_is_on_no_disk():
    write("policy.md", "")
    (layout,) = found("tasks.json", read=lambda path, size: json.dumps([TAU2]).encode())
    assert layout.policy == ("policy.md",)


def test_paths_that_overlap_are_linted_once():
    write("a/tasks.json", [TAU2])
    assert names("a/tasks.json", "a", ".", "./a/tasks.json", str(Path("a").absolute())) == ["a/tasks.json"]


def test_links():
    write("a/tasks.json", [TAU2])
    Path("a/loop").symlink_to(Path("a").absolute())
    Path("b").symlink_to("a")
    Path("a/gone.json").symlink_to("nowhere.json")
    result = discover(["."])
    assert [layout.name for layout in result.layouts] == ["a/tasks.json"]
    assert (result.problems, result.notes) == ((), ())


def test_special_files_are_left_alone():
    write("tasks.json", [TAU2])
    os.mkfifo("pipe.json")
    assert names(".") == ["tasks.json"]


def test_unreadable_folders(monkeypatch):
    write("a/tasks.json", [TAU2])
    write("b/tasks.json", [TAU2])

    def scandir(path):
        if Path(path).name == "b":
            raise PermissionError(13, "Permission denied")
        return real(path)

    real = os.scandir
    monkeypatch.setattr("os.scandir", scandir)
    result = discover([".", "b"])
    assert [layout.name for layout in result.layouts] == ["a/tasks.json"]
    assert result.notes == ("b cannot be read: permission denied",)
    assert result.problems == (("b", "the folder cannot be read: permission denied"),)


def test_deep_folders():
    path = Path("/".join(["a"] * 900))
    path.mkdir(parents=True)
    write(path / "tasks.json", [TAU2])
    assert len(names(".")) == 1


class TestDeclared:
    def lint(self, *paths):
        return discover(paths, ConfigLookup()).layouts

    def test_a_benchmark_of_ones_own(self):
        write(
            "benchlint.toml",
            """
            [[benchmark]]
            name = "mine"
            tasks = "cases/all.json"
            policy = "docs/how.md"
            database = ["cases/records"]
            default-reward-basis = ["DB"]
            [benchmark.mapping]
            id = "uid"
            """,
        )
        write("cases/all.json", [{"uid": 1}])
        write("cases/tools.json", [])
        write("cases/records/a.json", {})
        write("docs/how.md", "")
        (layout,) = self.lint("cases")
        assert (layout.name, layout.tasks) == ("mine", ("cases/all.json",))
        assert (layout.policy, layout.tools, layout.database) == (
            ("docs/how.md",),
            ("cases/tools.json",),
            ("cases/records",),
        )
        assert (layout.format, layout.mapping.id) == ("mapped", "uid")
        assert (layout.config, layout.entry, layout.default_reward_basis) == ("benchlint.toml", 0, ("DB",))
        assert self.lint("cases/all.json") == (layout,)
        assert self.lint("docs") == ()

    def test_patterns_are_a_benchmark_each(self):
        write("sub/benchlint.toml", "[[benchmark]]\nname = 'x'\ntasks = 'in/*.json'\nformat = 'tau2'\n")
        write("sub/in/b.json", [TAU2])
        write("sub/in/a.json", [TAU2])
        assert [layout.name for layout in self.lint(".")] == ["x: sub/in/a.json", "x: sub/in/b.json"]

    def test_together(self):
        write("benchlint.toml", "[[benchmark]]\ntasks = ['a.json', 'b', 'c.json']\ntogether = true\n")
        for name in ("a.json", "b/1.json", "b/2.json", "c.json"):
            write(name, TAU2)
        write("b/tools.json", [])
        (layout,) = self.lint(".")
        assert (layout.name, layout.tasks) == ("a.json", ("a.json",))
        assert layout.together == ("b/1.json", "b/2.json", "c.json")
        (alone,) = self.lint("c.json")
        assert (alone.name, alone.tasks, alone.together) == ("c.json", ("c.json",), ())

    def test_a_folder_is_one_benchmark(self):
        write("benchlint.toml", "[[benchmark]]\ntasks = 'cases'\nformat = 'tau2'\n")
        for name in ("a.json", "b.json"):
            write(f"cases/{name}", {})
        (layout,) = self.lint(".")
        assert (layout.name, layout.tasks) == ("cases", ("cases/a.json", "cases/b.json"))

    def test_the_rest_is_found_by_itself(self):
        write("benchlint.toml", "[[benchmark]]\ntasks = 'x/tasks.json'\nname = 'x'\n")
        write("x/tasks.json", [TAU2])
        write("y/tasks.json", [TAU2])
        assert [layout.name for layout in self.lint(".")] == ["x", "y/tasks.json"]

    def test_only_what_is_under_the_path(self):
        write("benchlint.toml", "[[benchmark]]\ntasks = 'x/tasks.json'\nname = 'x'\n")
        write("y/pyproject.toml", "[project]\n")
        write("x/tasks.json", [TAU2])
        write("y/z/tasks.json", [TAU2])
        assert [layout.name for layout in self.lint("y")] == ["y/z/tasks.json"]

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("tasks = 'no.json'", 'benchmark.tasks: there is no file or folder "no.json"'),
            ("tasks = 'no*.json'", 'benchmark.tasks: no file fits "no*.json"'),
            ("tasks = 'tasks.json'\npolicy = ['no.md']", 'benchmark.policy: there is no file or folder "no.md"'),
        ],
    )
    def test_paths_that_lead_nowhere(self, line, message):
        write("benchlint.toml", f"[[benchmark]]\n{line}\n")
        write("tasks.json", [TAU2])
        with pytest.raises(ConfigError) as caught:
            self.lint(".")
        assert caught.value.message == message
        assert caught.value.line == 1 + len(line.split("\n"))
        assert len(self.lint("tasks.json")) == 1


def test_the_shared_data():
    if not SHARED.exists():
        pytest.skip("the shared data is not here")
    result = discover([str(SHARED)])
    assert [str(Path(layout.name).relative_to(SHARED)) for layout in result.layouts] == [
        "intellagent/airline_run0.json",
        "intellagent/airline_run1.json",
        "tau2/airline/tasks.corrected.json",
        "tau2/airline/tasks.json",
        "tau2/banking_knowledge/tasks.json",
        "tau2/mock/tasks.json",
        "tau2/retail/tasks.corrected.json",
        "tau2/retail/tasks.json",
        "tau2/telecom/tasks.json",
        "tau2/telecom/tasks_full.json",
        "tau2/telecom/tasks_small.json",
    ]
    assert (result.problems, result.notes) == ((), ())
    telecom = result.layouts[-1]
    assert [Path(path).name for path in telecom.policy] == ["main_policy.md", "tech_support_manual.md"]
    assert [Path(path).name for path in telecom.database] == ["db.toml", "user_db.toml"]
    runs = discover([str(SHARED / "tau-bench" / "gpt-4o-airline.json")])
    assert len(runs.notes) == 1
