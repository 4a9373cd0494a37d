"""`docs/cli.md`, made from the commands: `python -m benchlint.cli.reference > docs/cli.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import typer

from benchlint.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator

_INTRODUCTION: Final = """\
# The command line

This page is made from the commands by `python -m benchlint.cli.reference`; a test compares the two.

```console
$ benchlint lint                                 # the working folder
$ benchlint lint tasks.json --format sarif --output report.sarif
$ benchlint lint - --stdin-filename tasks.json < tasks.json
$ benchlint lint --judge openai/gpt-4o --dry-run  # what a judge would cost
$ benchlint report --format html --output report.html
$ benchlint explain unknown-entity
```
"""

_REST: Final = """\
## What is linted

A folder is searched for benchmarks; of a file only that file is linted, with the policy, tools and database that
stand beside it or that `benchlint.toml` names. A path that leads nowhere, a file without tasks and a folder without
a benchmark are errors: a gate that looked at nothing must not pass.

The configuration of a path is the nearest `benchlint.toml` or `pyproject.toml` with `[tool.benchlint]`, from its
folder upwards. The command line comes before it: `--select` takes the place of `select` and `ignore`, `--ignore`
adds to them. A rule that is selected by its own name outlives a group that is ignored.

## Exit codes

| code | meaning |
|---|---|
| 0 | no finding at or above `--fail-on` |
| 1 | at least one finding at or above `--fail-on`; for `report`, a number below its limit |
| 2 | wrong use, or an input, configuration or baseline that cannot be read; other inputs are linted all the same |
| 3 | more wanted verdicts are missing than `--allow-missing`; for `report` also a number with a limit and no verdict |
| 130 | interrupted |
| 141 | whoever read the output stopped reading |

Where several apply, 2 comes before 3, and 3 before 1. With `--diff` nothing is fixed, so the code is that of the
texts as they are.

## Judges

Without `--judge` and without `[judge]` in the configuration the offline reader reads prose behaviour; it needs no
model. [Judges](judges.md) says how models are asked, what is sent, what it costs and how verdicts are kept for CI.
`--dry-run` prints the calls, the tokens and the price that a run would take, and stops. What a run took is told on
standard error; tasks without a verdict are notes of the report.

## Changed tasks

`--changed-since REV` compares with a revision of git: only tasks whose text differs are judged and shown, and
findings that stand in no task where their file differs. Everything is read and checked all the same, so that what
spans tasks is still found.

## Streams

Findings go to standard output, or to `--output`. What cannot be read, what was written and what could not be fixed
is told on standard error, where a progress bar shows on a terminal after a second. `-` with `--fix` writes the fixed
text to standard output and the findings to standard error, and touches no file.

## Fixes

`--fix` applies the first fix of each finding, if it is safe: it keeps what the task means. `--unsafe-fixes` applies
the others too. Edits that touch each other wait for the next round; the files are linted again after each round, and
there are ten at most. A fix after which a text does not parse, or has an error that it did not have before, is taken
back, and the reason is told. Files are replaced whole, and only where they are still as they were read. `--diff`
shows the changes as a patch that `git apply -p0` takes.

## Baselines

`--write-baseline FILE` keeps the findings as they are, and passes; with `--baseline FILE`, or `baseline` in the
configuration, only new ones are told. A finding is known by its rule, path, task, pointer and quoted text, and never
by its line, so edits elsewhere do not wake it. Paths in the file are relative to its folder. Findings that are gone
are counted, and a new baseline leaves them out.

## Environment

| variable | effect |
|---|---|
| `NO_COLOR` | no colours, unless `--color always` |
| `FORCE_COLOR` | colours, unless `--color never` or `NO_COLOR` |
| `COLUMNS` | the width of text output |
| `BENCHLINT_API_KEY` | the key for models at a configured `base-url`; elsewhere the provider's own variable counts |
| `XDG_CACHE_HOME` | where the cache of verdicts is, on Linux |
| `BENCHLINT_DEBUG` | a crash shows where it happened |
"""


def reference() -> str:
    """Return the text of `docs/cli.md`."""
    group: Any = typer.main.get_command(app)
    parts = [_INTRODUCTION, "".join(_options(group))]
    parts += ["".join(_command(name, command)) for name, command in commands(group)]
    return "\n\n".join(part.strip() for part in [*parts, _REST]) + "\n"


def commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the commands of a group, each with its whole name."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield prefix + name, command


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [item for item in command.params if item.param_type_name == "argument"]
    usage = " ".join(
        ["benchlint", name, "[OPTIONS]", *(item.make_metavar(typer.Context(command)) for item in arguments)]
    )
    yield f"## {usage.replace('[OPTIONS] ', '', 1) if len(command.params) == len(arguments) else usage}\n\n"
    yield f"{(command.help or '').strip()}\n\n"
    for item in arguments:
        yield f"`{item.make_metavar(typer.Context(command))}`: {item.help}\n\n"
    yield from _options(command)


def _options(command: Any) -> Iterator[str]:
    options = [item for item in command.params if item.param_type_name == "option"]
    if options:
        yield "| option | meaning |\n|---|---|\n"
    for item in options:
        names = ", ".join(f"`{name}`" for name in sorted(item.opts, key=len, reverse=True))
        choices = getattr(item.type, "choices", None)
        value = "" if item.is_flag else f" `{'|'.join(choices) if choices else item.metavar}`".replace("|", "\\|")
        default = f" Default: `{item.default}`." if isinstance(item.default, str) else ""
        yield f"| {names}{value} | {item.help}{default} |\n"


if __name__ == "__main__":
    print(reference(), end="")
