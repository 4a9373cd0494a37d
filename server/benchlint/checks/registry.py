"""What a check is, and the list of all of them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from benchlint.benchmark.model import Benchmark, Task
    from benchlint.catalogue.finding import Finding
    from benchlint.checks.view import View

Input = Literal["tools", "database", "policy", "items", "replay"]

MODULES = (
    "syntax",
    "duplicates",
    "splits",
    "calls",
    "entities",
    "disclosure",
    "redundancy",
    "criteria",
    "assertions",
    "communication",
    "outcome",
    "directed",
    "guarded",
    "opposites",
    "impossible",
    "policy_match",
    "contradictory",
    "untestable",
    "failing",
)
"""The modules of this package that define checks, in the order they run."""


class Summary(Struct, frozen=True, eq=False):
    """What a check must know of all tasks before it can judge one.

    `digest` is made of each task alone and kept while the task's text stays
    the same; `reduce` joins the digests. Findings of a check that uses the
    summary are kept while `reduce` returns an equal value.
    """

    name: str
    digest: Callable[[Task, Benchmark], Hashable]
    reduce: Callable[[Sequence[Any], Benchmark], Hashable]
    needs: tuple[Input, ...] = ()


class Check(Struct, frozen=True, eq=False):
    """A function that finds the violations of some rules.

    A check of tasks is called with each task, one of benchmarks once with
    None. `needs` are the inputs without which it has nothing to say, `reads`
    are all on which its findings depend. `by_guard` is True where it finds only
    a part of what its rules mean, and a judge the rest.
    """

    rules: tuple[str, ...]
    run: Callable[[View], Iterable[Finding]]
    scope: Literal["task", "benchmark"] = "task"
    needs: tuple[Input, ...] = ()
    reads: tuple[Input, ...] = ()
    summary: Summary | None = None
    by_guard: bool = False


@cache
def all_checks() -> tuple[Check, ...]:
    """Return every check; the modules are imported on the first call."""
    found: list[Check] = []
    for name in MODULES:
        found.extend(import_module(f"benchlint.checks.{name}").CHECKS)
    return tuple(found)
