"""All parts of the configuration together, and the file that they stand in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from benchlint.config import ConfigError, error_at
from benchlint.config_schema.benchmarks import BenchmarkConfig
from benchlint.config_schema.judge import JudgeConfig
from benchlint.config_schema.replay import ReplayConfig
from benchlint.config_schema.reporting import IgnoreConfig, LintConfig, ReportConfig
from benchlint.config_schema.values import SCHEMA, SeverityName, parse_size
from benchlint.text.toml_text import key_range

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Settings:
    """The configuration of benchlint."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
    rules: tuple[str, ...] = ()
    """Folders of further rule pages, relative to this file."""
    max_file_size: int | str = "100MB"
    """Larger files are refused: bytes, or a number with kB, MB, GB, KiB, MiB or GiB."""
    lint: LintConfig = field(default_factory=LintConfig)
    severity: Mapping[str, SeverityName] = field(default_factory=dict)
    """The severity of a rule, by its name."""
    ignore: tuple[IgnoreConfig, ...] = ()
    """Findings that are meant to stay, each with the reason."""
    benchmark: tuple[BenchmarkConfig, ...] = ()
    """Benchmarks that are not found by themselves."""
    replay: ReplayConfig = field(default_factory=ReplayConfig)
    """How the expected actions are run with the domain's own tools. Nothing runs without --replay."""
    judge: JudgeConfig = field(default_factory=JudgeConfig)
    report: ReportConfig = field(default_factory=ReportConfig)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Config(Settings):
    """Settings and the file that they were read from; none for the defaults."""

    document: "Document | None" = None
    table: "Pointer" = ()
    """Where the settings stand in the file."""

    @property
    def path(self) -> str | None:
        """The path of the file."""
        return self.document.path if self.document else None

    @property
    def folder(self) -> Path:
        """The folder that the paths in the file start from."""
        return Path(self.document.path).parent if self.document else Path()

    @property
    def max_bytes(self) -> int:
        """The size in bytes from which on files are refused."""
        return parse_size(self.max_file_size)

    @property
    def replay_bytes(self) -> int:
        """The memory in bytes that a replayed environment may use."""
        return parse_size(self.replay.memory)

    def place(self, pointer: "Pointer") -> tuple[int, int]:
        """Return the range in bytes of a setting's key: `("ignore", 0, "rule")`."""
        return key_range(self.document, (*self.table, *pointer)) if self.document else (0, 0)

    def error(self, pointer: "Pointer", message: str) -> ConfigError:
        """Return an error at a setting."""
        assert self.document is not None
        return error_at(self.document, self.place(pointer)[0], message)
