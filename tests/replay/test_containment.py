"""Hostile tools: contained, told, and the next task goes on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.replay.conftest import call

from benchlint.catalogue.finding import Severity
from benchlint.replay.process import environment
from benchlint.replay.results import Failure

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are found through /proc")
GOOD = [call("set_status", order_id="#W2", status="x")]


def hostile(shop, body: str, **settings):
    """Replay a good task, the hostile one and a good one; return the hostile one's result."""
    shop.write(
        GOOD,
        [call("get_order", order_id="#W1"), call("attack"), call("get_order", order_id="#W1")],
        GOOD,
        tools={"attack": ("", body)},
    )
    (first, attacked, last), whole = shop.replay(**{"timeout": 0.5, **settings})
    assert whole.problem is None
    for good in (first, last):
        assert good.problem is None
        assert [step.failure for step in good.steps] == [None]
        assert good.unchanged is False
    return attacked


def test_a_tool_that_hangs(shop):
    result = hostile(shop, "while True: pass")
    assert [step.failure and step.failure.kind for step in result.steps] == [None, "timeout"]
    assert result.unchanged is None
    assert result.problem == "it stopped at action 2"
    assert result.changes_before(1) == {}
    assert result.changes_before(2) is None


def test_a_tool_that_hangs_and_does_not_want_to_be_ended(shop):
    body = """
    import signal, time
    for number in set(range(1, 32)) - {9, 19}:
        signal.signal(number, signal.SIG_IGN)
    time.sleep(1000)
    """
    assert hostile(shop, body).steps[-1].failure.kind == "timeout"


def test_a_tool_that_ends_its_process_politely(shop):
    result = hostile(shop, "import sys; sys.exit(3)")
    assert [step.failure for step in result.steps] == [None, Failure("exit", "SystemExit: 3"), None]
    assert result.problem is None


@pytest.mark.parametrize(
    ("body", "how"),
    [("import os; os._exit(3)", "exit code 3"), ("import os, signal; os.kill(os.getpid(), 11)", "signal 11")],
)
def test_a_tool_that_ends_its_process(shop, body, how):
    assert hostile(shop, body).steps[-1].failure == Failure("died", how)


def test_a_tool_that_ends_the_process_above_it(shop):
    result = hostile(shop, "import os; os.kill(os.getppid(), 9)")
    assert result.problem is not None


def test_a_tool_that_prints(shop):
    body = """
    import os, sys
    print('{"type": "end", "unchanged": true}', flush=True)
    os.write(1, b"x" * 100000)
    os.system("echo more")
    sys.stdout.close()
    """
    result = hostile(shop, body)
    assert [step.failure for step in result.steps] == [None, None, None]


def test_a_tool_that_reads_standard_input(shop):
    result = hostile(shop, "import sys, os\nassert not os.read(0, 10)")
    assert [step.failure for step in result.steps] == [None, None, None]


def test_a_tool_that_closes_every_file(shop):
    assert hostile(shop, "import os; os.closerange(0, 100)").steps[-1].failure.kind == "died"


def test_a_tool_that_writes_to_every_file(shop):
    body = "import os\nfor fd in range(3, 50):\n    try: os.write(fd, b'[1]\\n')\n    except OSError: pass"
    assert hostile(shop, body).problem is not None


def test_a_tool_that_eats_memory(shop):
    result = hostile(shop, "x = bytearray(1 << 40)", memory="1GB")
    assert [step.failure for step in result.steps] == [None, Failure("memory", ""), None]


def test_a_tool_that_eats_memory_bit_by_bit(shop):
    body = "x = []\nwhile True: x.append(bytearray(1 << 24))"
    result = hostile(shop, body, memory="500MB", timeout=20.0)
    assert [step.failure and step.failure.kind for step in result.steps] == [None, "memory", None]


def test_a_tool_that_recurses(shop):
    assert hostile(shop, "f = lambda: f()\nf()").steps[1].failure.text.startswith("RecursionError")


def test_a_tool_that_answers_with_something_odd(shop):
    body = "class Odd:\n    def __str__(self): raise OSError\n    def __eq__(self, other): raise OSError\nreturn Odd()"
    assert [step.failure for step in hostile(shop, body).steps] == [None, None, None]


def test_an_error_that_cannot_be_told(shop):
    body = "class Odd(Exception):\n    def __str__(self): raise OSError\nraise Odd"
    assert hostile(shop, body).steps[1].failure == Failure("raised", "Odd")


def test_a_database_with_keys_and_values_that_json_does_not_have(shop):
    result = hostile(shop, "data['orders'][('a',)] = {1: {2}}")
    assert [(change.path, change.value) for change in result.steps[1].changes] == [(("orders", "('a',)"), {"1": "{2}"})]


def test_a_database_that_cannot_be_written_down(shop):
    assert hostile(shop, "data['orders']['#W1'] = {('a',): 1}").steps[-1].failure == Failure("died", "exit code 70")


def running(mark: Path) -> list[str]:
    """Return the processes that have a file open or its path in their command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if str(mark).encode() in words and int(folder.name) != os.getpid():
            found.append(words.decode())
    return found


@linux
def test_a_tool_that_forks(shop):
    result = hostile(shop, "import os; os.fork(); os.fork()")
    assert [step.failure for step in result.steps] == [None, None, None]


@linux
def test_what_a_tool_starts_is_ended_with_it(shop, tmp_path):
    mark = tmp_path / "sleeper"
    code = f"import time; '{mark}'; time.sleep(1000)"
    body = f"""
    import os, subprocess, sys
    subprocess.Popen([sys.executable, "-c", {code!r}], start_new_session=True)
    subprocess.Popen([sys.executable, "-c", {code!r}], start_new_session=True, env={{}})
    subprocess.Popen([sys.executable, "-c", {code!r}])
    """
    result = hostile(shop, body)
    assert [step.failure for step in result.steps] == [None, None, None]
    assert running(mark) == []


@linux
def test_what_an_environment_starts_is_ended_at_the_end(shop, tmp_path):
    mark = tmp_path / "daemon"
    code = f"import time; '{mark}'; time.sleep(1000)"
    shop.write(GOOD)
    path = shop.folder / "shop" / "data" / "__init__.py"
    start = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {code!r}], start_new_session=True)\n"
    path.write_text(start + path.read_text())
    (task,), whole = shop.replay()
    assert whole.problem is None
    assert task.problem is None
    assert running(mark) == []


@linux
def test_a_chain_of_processes_that_each_start_the_next(shop, tmp_path):
    """Each leaves the session of its parent, forks and ends, so that none is there for long."""
    mark = tmp_path / "chain"
    chain = "for _ in range(2000):\n    if os.fork(): os._exit(0)\n    os.setsid(); time.sleep(0.003)"
    code = f"import os, time; '{mark}'\n{chain}"
    body = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {code!r}], start_new_session=True)"
    result = hostile(shop, body)
    assert [step.failure for step in result.steps] == [None, None, None]
    assert running(mark) == []


@linux
def test_many_processes_at_once(shop, tmp_path):
    mark = tmp_path / "many"
    code = f"import os, time; '{mark}'\nfor _ in range(5): os.fork()\ntime.sleep(1000)"
    body = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {code!r}])\ntime.sleep(0.3)"
    result = hostile(shop, body, timeout=20.0)
    assert [step.failure for step in result.steps] == [None, None, None]
    assert running(mark) == []


def test_a_tool_whose_threads_never_end(shop):
    body = """
    import threading, time
    for daemon in (True, False):
        threading.Thread(target=time.sleep, args=(1000,), daemon=daemon).start()
    """
    assert [step.failure for step in hostile(shop, body).steps] == [None, None, None]


def test_a_tool_that_replaces_its_process(shop):
    body = "import os, sys; os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(1000)'])"
    assert hostile(shop, body).steps[-1].failure.kind in ("timeout", "died")


def test_a_tool_that_changes_what_python_itself_does(shop):
    body = """
    import builtins, json, os, signal, sys
    signal.alarm(0)
    builtins.print = builtins.len = json.dumps = os.write = os.fork = None
    sys.modules.clear()
    """
    assert hostile(shop, body).problem is not None


def test_relative_paths_do_not_reach_the_benchmark(shop):
    body = """
    import pathlib
    for name in ("tasks.json", "policy.md", "new.txt"):
        pathlib.Path(name).write_text("overwritten")
    """
    assert [step.failure for step in hostile(shop, body).steps] == [None, None, None]
    assert (shop.folder / "tasks.json").is_file()
    assert not [path for path in shop.folder.rglob("*") if path.suffix in (".json", ".md", ".txt") and
                b"overwritten" in path.read_bytes()]  # fmt: skip


def test_files_go_to_a_folder_that_is_removed(shop, tmp_path):
    body = f"""
    import os, pathlib, tempfile
    pathlib.Path("here").write_text("x")
    (pathlib.Path.home() / "home").write_text("x")
    places = [os.getcwd(), str(pathlib.Path.home()), tempfile.gettempdir()]
    pathlib.Path({str(tmp_path / "where")!r}).write_text("\\n".join(places))
    """
    result = hostile(shop, body)
    assert [step.failure for step in result.steps] == [None, None, None]
    where = (tmp_path / "where").read_text().splitlines()
    assert len(set(where)) == 1
    assert not Path(where[0]).exists()


@linux
def test_a_file_that_grows_without_end(shop, tmp_path):
    body = f"with open({str(tmp_path / 'big')!r}, 'wb') as file:\n    for _ in range(100): file.write(bytes(1 << 20))"
    result = hostile(shop, body, timeout=20.0)
    assert result.steps[1].failure.text.startswith("OSError")
    assert (tmp_path / "big").stat().st_size <= 64 << 20


def test_secrets_do_not_reach_the_environment(shop, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("MY_TOKEN", "secret")
    body = "import os\nraise ValueError(' '.join(sorted(os.environ)))"
    names = set(hostile(shop, body).steps[1].failure.text.split())
    assert not names & {"OPENAI_API_KEY", "MY_TOKEN"}
    assert {"PATH", "HOME"} <= names


def test_the_variables_of_a_child():
    inherited = {"PATH": "/bin", "LC_ALL": "C", "HOME": "/home/me", "AWS_SECRET_ACCESS_KEY": "x", "SSH_AUTH_SOCK": "x"}
    variables = environment(inherited, "/tmp/x", "m")
    assert variables["PATH"] == "/bin"
    assert variables["LC_ALL"] == "C"
    assert variables["HOME"] == variables["TMPDIR"] == "/tmp/x"
    assert not {"AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK"} & set(variables)


def test_an_environment_that_ends_while_it_loads(shop):
    shop.write(GOOD)
    (shop.folder / "shop" / "data" / "__init__.py").write_text("import os; os._exit(4)")
    _, whole = shop.replay()
    assert "cannot be loaded: it ended with exit code 4" in whole.problem


def test_a_hostile_tool_is_told_in_a_finding_and_a_note(shop):
    shop.write([call("attack")], GOOD, tools={"attack": ("", "import os; os._exit(3)")})
    result = shop.lint()
    (finding,) = [item for item in result.findings if item.rule == "failing-action"]
    assert finding.severity is Severity.WARNING
    assert finding.message == "attack ends the process of its environment: exit code 3"
    assert any("was not replayed to its end" in note for note in result.notes)


SERVER = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "identify":
        answers = [{"type": "identity", "identity": None}]
    elif message["type"] == "load":
        answers = [{"type": "loaded"}]
    else:
        print('{"type": "start"}', flush=True)
        answers = []
        for action in message["actions"]:
            name = action["name"]
            if name == "hang":
                time.sleep(1000)
            if name == "exit":
                sys.exit(5)
            if name == "flood":
                while True:
                    print(json.dumps({"type": "step"}))
            if name == "long":
                print("x" * (17 << 20))
            if name == "odd":
                print('{"type": "step", "changes": 7}')
            answers.append({"type": "step", "effect": "write"})
        answers.append({"type": "end", "unchanged": True})
    for answer in answers:
        print(json.dumps(answer), flush=True)
"""


def commanded(shop, name: str):
    (shop.folder / "server.py").write_text(SERVER)
    shop.write([call("fine")], [call(name)], [call("fine")])
    (shop.folder / "benchlint.toml").write_text(
        f"[replay]\ncommand = {[sys.executable, 'server.py']!r}\ntimeout = 0.5\n"
    )
    result = shop.lint()
    return result, [result.benchmarks[0].replay.of(task) for task in result.benchmarks[0].tasks]


def test_a_command_that_speaks_the_protocol(shop):
    result, tasks = commanded(shop, "fine")
    assert not result.problems
    assert [task.unchanged for task in tasks] == [True, True, True]


@pytest.mark.parametrize(
    ("name", "kind"), [("hang", "timeout"), ("exit", "died"), ("flood", None), ("long", "died"), ("odd", None)]
)
def test_a_command_that_misbehaves_is_started_anew(shop, name, kind):
    result, (first, attacked, last) = commanded(shop, name)
    assert not result.problems
    assert first.unchanged
    assert last.unchanged
    assert attacked.problem
    assert [step.failure.kind for step in attacked.steps if step.failure] == ([kind] if kind else [])
