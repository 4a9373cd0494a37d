"""What a user sees when a command cannot go on: a message, never a traceback."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING, Final, ParamSpec

import typer

from benchlint.cli.terminal import tell

if TYPE_CHECKING:
    from collections.abc import Callable

WRONG_USE: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

_P = ParamSpec("_P")


def guarded(command: Callable[_P, int]) -> Callable[_P, None]:
    """Make a command's result the exit code, and its exceptions messages."""

    @functools.wraps(command)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BrokenPipeError:
            # Python flushes what is left at its end, and complains.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = BROKEN_PIPE
        except Exception as error:
            if os.environ.get("BENCHLINT_DEBUG"):
                raise
            for line in _message(error):
                tell(line)
            code = WRONG_USE
        raise typer.Exit(code)

    return run


def _message(error: Exception) -> tuple[str, ...]:
    from benchlint.analysis.baseline import BaselineError
    from benchlint.analysis.revisions import RevisionError
    from benchlint.audit.errors import AuditError
    from benchlint.benchmark.loader import Unreadable
    from benchlint.catalogue.selection import UnknownRule
    from benchlint.config import ConfigError
    from benchlint.judges.errors import JudgeError
    from benchlint.reports.scores_reading import UnreadableReportError
    from benchlint.trust.trust import TrustError

    known = (AuditError, BaselineError, ConfigError, JudgeError, RevisionError, TrustError, UnknownRule, Unreadable)
    if isinstance(error, (*known, UnreadableReportError)):
        return (str(error),)
    if isinstance(error, OSError) and error.strerror:
        reason = error.strerror.lower()
        return (f"{error.filename}: {reason}" if error.filename else reason,)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return (
        f"crashed with {what}",
        "this is a fault of benchlint: please report it with the command; BENCHLINT_DEBUG=1 shows where it happened",
    )
