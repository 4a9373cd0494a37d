"""The progress bar: on a terminal, and not at once."""

from __future__ import annotations

import io
import sys

from benchlint.cli import terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch, stream: io.StringIO, seconds: float, *, quiet: bool = False) -> str:
    now = [100.0]
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    monkeypatch.setenv("TERM", "xterm")
    with terminal.progress(quiet=quiet) as tick:
        tick(0, 3, "a/[bold]tasks\x1b.json")
        now[0] += seconds
        tick(1, 3, "a/[bold]tasks\x1b.json")
    return stream.getvalue()


def test_a_short_run_shows_nothing(monkeypatch):
    assert shown(monkeypatch, Terminal(), 0.9) == ""


def test_a_long_run_shows_what_is_linted(monkeypatch):
    text = shown(monkeypatch, Terminal(), 1.1)
    assert r"a/[bold]tasks\x1b.json" in text


def test_nothing_is_shown_off_a_terminal_or_quietly(monkeypatch):
    assert shown(monkeypatch, io.StringIO(), 5) == ""
    assert shown(monkeypatch, Terminal(), 5, quiet=True) == ""
