"""The command as a process of its own: start-up, streams, signals, crashes."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CLINIC = Path(__file__).parent / "clinic"
SHARED = Path(__file__).parents[3] / "shared" / "data" / "tau2"
FORBIDDEN = (
    "pygls",
    "lsprotocol",
    "cel",
    "litellm",
    "diskcache",
    "asyncio",
    "pydantic",
    "benchlint.lsp",
    "benchlint.judges",
)
"""What a run without judges and configuration must not import; rich only colours and help need."""


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    shutil.copytree(CLINIC, tmp_path, dirs_exist_ok=True)
    return tmp_path


def benchlint(folder: Path, *arguments: str, env: dict[str, str] | None = None, **more) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "benchlint", *arguments]
    clean = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "BENCHLINT_DEBUG")
    }
    return subprocess.run(
        command, cwd=folder, capture_output=True, env=clean | (env or {}), check=False, timeout=60, **more
    )


def imported(folder: Path, *arguments: str) -> set[str]:
    """Return the modules that a command imports."""
    script = (
        "import sys, atexit\n"
        "from benchlint.cli.app import app\n"
        "try:\n    app(sys.argv[1:], prog_name='benchlint')\n"
        "except SystemExit:\n    pass\n"
        "import json; print('\\n' + json.dumps(sorted(sys.modules)))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [
        ("lint",),
        ("lint", "--format", "json"),
        ("lint", "--fix"),
        ("explain", "unknown-tool"),
        ("rules",),
        ("--version",),
    ],
    ids=" ".join,
)
def test_start_up_imports_little(clinic: Path, arguments: tuple[str, ...]) -> None:
    modules = imported(clinic, *arguments)
    assert "benchlint" in modules
    assert sorted(name for name in FORBIDDEN if name in modules) == []
    assert "rich" not in modules
    if arguments[0] not in ("lint", "rules"):
        assert sorted(name for name in modules if name.startswith(("benchlint.analysis", "benchlint.checks"))) == []


def test_the_exit_code_and_both_streams(clinic: Path) -> None:
    run = benchlint(clinic, "lint", "tasks.json", "nowhere.json")
    assert run.returncode == 2
    assert run.stdout.endswith(b"Nothing found in 1 file (2 tasks); 1 input could not be read.\n")
    assert run.stderr == b"benchlint: nowhere.json: there is no such file or folder\n"


def test_standard_input(clinic: Path) -> None:
    text = (clinic / "tasks.json").read_bytes().replace(b'"book_visit"', b'"bok_visit"')
    run = benchlint(clinic, "lint", "-", "--stdin-filename", "tasks.json", "--fix", "-q", input=text)
    assert run.stdout == (clinic / "tasks.json").read_bytes()
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_text_that_the_terminal_cannot_show_is_escaped(clinic: Path, encoding: str) -> None:
    text = (clinic / "tasks.json").read_text().replace('"name": "book_visit"', '"name": "büch 🎈"', 1)
    (clinic / "tasks.json").write_text(text, encoding="utf-8")
    run = benchlint(clinic, "lint", "--format", "concise", "-q", env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert run.returncode == 1
    assert run.stderr == b""
    shown = {"ascii": r"b\xfcch \U0001f388", "latin-1": "büch \\U0001f388", "utf-8": "büch 🎈"}[encoding]
    assert shown in run.stdout.decode(encoding)


def test_a_reader_that_stops_reading(clinic: Path) -> None:
    task = json.loads((clinic / "tasks.json").read_text())[0]
    text = ",".join(json.dumps(task | {"id": "same", f"unknown{number}": 1}, indent=2) for number in range(1000))
    (clinic / "tasks.json").write_text(f"[{text}]")
    process = subprocess.Popen(
        [sys.executable, "-m", "benchlint", "lint"],
        cwd=clinic,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=60) == 141


CRASH = """\
import sys
from benchlint.analysis import run
def crash(*args, **more):
    raise {error}
run.run = crash
import benchlint.api
benchlint.api.run = crash
sys.argv = ["benchlint", "lint"]
from benchlint.cli import main
main()
"""


def crashed(folder: Path, error: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", CRASH.format(error=error)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ | (env or {}),
    )


def test_a_crash_is_one_message(clinic: Path) -> None:
    run = crashed(clinic, "ZeroDivisionError('b\\x1boom')")
    assert (run.returncode, run.stdout) == (2, "")
    first, second = run.stderr.splitlines()
    assert first == r"benchlint: crashed with ZeroDivisionError: b\x1boom"
    assert "please report it" in second
    assert "BENCHLINT_DEBUG=1" in second


def test_a_crash_shows_its_place_on_request(clinic: Path) -> None:
    run = crashed(clinic, "ZeroDivisionError('boom')", {"BENCHLINT_DEBUG": "1"})
    assert run.returncode == 1
    assert "Traceback" in run.stderr


def test_an_interruption_is_quiet(clinic: Path) -> None:
    run = crashed(clinic, "KeyboardInterrupt")
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


@pytest.mark.parametrize("error", ["RecursionError()", "MemoryError()"])
def test_exhaustion_is_a_message(clinic: Path, error: str) -> None:
    run = crashed(clinic, error)
    assert run.returncode == 2
    assert run.stderr.startswith(f"benchlint: crashed with {error[:-2]}\n")


def on_terminal(folder: Path, *arguments: str) -> tuple[int, bytes]:
    """Run a command whose output and errors go to a terminal; return exit code and output."""
    parent, child = pty.openpty()
    env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    env |= {"TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [sys.executable, "-m", "benchlint", *arguments], cwd=folder, stdout=child, stderr=child, stdin=child, env=env
    )
    os.close(child)
    chunks = []
    while True:
        try:
            chunk = os.read(parent, 4096)
        except OSError:
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(parent)
    return process.wait(timeout=60), b"".join(chunks)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_colours_and_rendered_pages(clinic: Path) -> None:
    code, shown = on_terminal(clinic, "lint")
    assert code == 0
    assert b"\x1b[1;32mAll clean\x1b[0m" in shown
    code, shown = on_terminal(clinic, "explain", "unknown-tool")
    assert code == 0
    assert b"\x1b[" in shown
    assert b"## What it finds" not in shown
    assert b"What it finds" in shown


def test_nothing_derived_is_written(clinic: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    before = sorted(path.name for path in clinic.iterdir())
    env = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert benchlint(clinic, "lint", "--no-cache", env=env).returncode == 0
    assert list(home.iterdir()) == []
    assert sorted(path.name for path in clinic.iterdir()) == before


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not here")
def test_the_domains_of_tau2_lint_without_a_message_on_standard_error() -> None:
    run = benchlint(SHARED, "lint", "--fail-on", "never", "--format", "json")
    assert (run.returncode, run.stderr) == (0, b"")
    report = json.loads(run.stdout)
    assert report["summary"]["benchmarks"] >= 7
    assert "internal-error" not in report["summary"]["by_rule"]
