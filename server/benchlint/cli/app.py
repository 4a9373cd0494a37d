"""The commands and what they share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from benchlint import __version__

_COMMANDS: Final = (
    *("lint", "report", "coverage", "replay", "rules", "explain", "init", "audit", "serve"),
    *("judge", "cache", "policy"),
)
"""In the order of the help; each is a function, or a group, in the module of its name."""


class _Commands(Mapping[str, Any]):
    """The commands, each imported and its signature read when it is asked for: all of them take 20 ms."""

    def __init__(self) -> None:
        self._read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in _COMMANDS:
            raise KeyError(name)
        if name not in self._read:
            command = getattr(import_module(f"benchlint.cli.{name}"), name)
            alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
            if isinstance(command, typer.Typer):
                alone.add_typer(command, name=name)
            else:
                alone.command(name)(command)
            self._read[name] = typer.main.get_group(alone).commands[name]
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Group(TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()  # type: ignore[assignment]


app = typer.Typer(
    name="benchlint",
    cls=_Group,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"benchlint {__version__}")
        raise typer.Exit


@app.callback()
def benchlint(
    version: Annotated[
        bool, typer.Option("--version", "-V", is_eager=True, callback=_version, help="Print the version and stop.")
    ] = False,
) -> None:
    """Lint benchmarks of conversational agents."""
