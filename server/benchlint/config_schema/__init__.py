"""The one schema of `benchlint.toml` and of `[tool.benchlint]`.

The fields of the dataclasses are the keys (`_` written as `-`), their
docstrings the descriptions in the published JSON schema. pydantic checks
values against them and is imported only then. A module for each part of the
file; what others use is named here.
"""

from benchlint.config_schema.benchmarks import BenchmarkConfig, FieldMapping
from benchlint.config_schema.judge import JudgeConfig, ModelConfig, PriceConfig, ThresholdConfig
from benchlint.config_schema.reading import read_config
from benchlint.config_schema.replay import ReplayConfig
from benchlint.config_schema.reporting import IgnoreConfig, LintConfig, ReportConfig
from benchlint.config_schema.settings import Config, Settings
from benchlint.config_schema.values import Many, many, parse_size

__all__ = [
    "BenchmarkConfig",
    "Config",
    "FieldMapping",
    "IgnoreConfig",
    "JudgeConfig",
    "LintConfig",
    "Many",
    "ModelConfig",
    "PriceConfig",
    "ReplayConfig",
    "ReportConfig",
    "Settings",
    "ThresholdConfig",
    "many",
    "parse_size",
    "read_config",
]
