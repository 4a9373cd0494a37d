"""What must be true of a configuration beyond what the schema can say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from benchlint.config_schema.faults import name_of
from benchlint.config_schema.values import many, parse_size

if TYPE_CHECKING:
    from benchlint.config_schema.judge import ModelConfig
    from benchlint.config_schema.settings import Config

_KEY_VARIABLE = re.compile(r"BENCHLINT_(?:[A-Z0-9_]*_)?KEY")
"""A configuration must not choose whose key is sent where: only keys that are meant for benchlint are."""

_BOUNDS: tuple[tuple[tuple[str, ...], str, float, float], ...] = (
    (("judge",), "repeats", 1, 25),
    (("judge",), "concurrency", 1, 256),
    (("judge",), "timeout", 1, 3600),
    (("judge",), "max_calls", 0, inf),
    (("judge",), "max_usd", 0, inf),
    (("judge",), "allow_missing", 0, inf),
    (("judge", "thresholds"), "confidence", 0, 1),
    (("judge", "thresholds"), "likelihood", 0, 1),
    (("judge", "thresholds"), "alignment", 1, 10),
    (("judge", "thresholds"), "challenge", 0, inf),
    (("judge", "thresholds"), "challengers", 1, inf),
    (("judge", "price"), "input", 0, inf),
    (("judge", "price"), "output", 0, inf),
    (("report",), "min_description_alignment", 1, 10),
    (("report",), "min_policy_alignment", 1, 10),
    (("report",), "min_violations", 0, inf),
    (("report",), "min_coverage", 0, 1),
)
"""The tables, their keys, and the least and the greatest that each takes."""


def check(config: Config) -> None:
    """Raise ConfigError for what the schema cannot say."""
    try:
        parse_size(config.max_file_size)
    except ValueError as error:
        raise config.error(("max-file-size",), f"max-file-size: {error}") from None
    _check_replay(config)
    for folder in config.rules:
        if not (config.folder / folder).is_dir():
            raise config.error(("rules",), f'rules: there is no folder "{folder}"')
    for index, item in enumerate(config.ignore):
        if not item.reason.strip():
            raise config.error(("ignore", index, "reason"), "ignore.reason must say why; it is empty")
    for index, declared in enumerate(config.benchmark):
        if not many(declared.tasks):
            raise config.error(("benchmark", index, "tasks"), "benchmark.tasks must name at least one file")
        if declared.format == "mapped" and declared.mapping is None:
            raise config.error(("benchmark", index, "format"), 'the format "mapped" needs [benchmark.mapping]')
        if declared.mapping is not None and declared.format not in (None, "mapped"):
            message = f'[benchmark.mapping] is for the format "mapped", not for "{declared.format}"'
            raise config.error(("benchmark", index, "mapping"), message)
    _check_judge(config)


def _check_judge(config: Config) -> None:
    judge = config.judge
    for at, name, least, most in _BOUNDS:
        table: Any = config
        for part in at:
            table = getattr(table, part)
        value = getattr(table, name) if table is not None else None
        if value is not None and not least <= value <= most:
            pointer = (*at, name.replace("_", "-"))
            limits = f"from {least:g} to {most:g}" if most < inf else f"at least {least:g}"
            raise config.error(pointer, f"{name_of(pointer)} must be {limits}, not {value:g}")
    if isinstance(judge.models, Mapping):
        _check_models(config, judge.models)
    if judge.models is not None and not all(name.strip() for name in many(judge.models) or ("",)):
        raise config.error(("judge", "models"), 'judge.models must name a model, "offline", "cached" or "none"')
    try:
        parse_size(judge.records)
    except ValueError as error:
        raise config.error(("judge", "records"), f"judge.records: {error}") from None
    for index, pattern in enumerate(judge.redact_text):
        try:
            re.compile(pattern)
        except re.error as error:
            message = f'judge.redact-text: "{pattern}" is no regular expression: {error}'
            raise config.error(("judge", "redact-text", index), message) from None


def _check_models(config: Config, models: Mapping[str, ModelConfig]) -> None:
    """Raise ConfigError for what is wrong in the tables of models."""
    bounds = {name: limits for at, name, *limits in _BOUNDS if at == ("judge",)}
    for model, own in models.items():
        at = ("judge", "models", model)
        for name in ("repeats", "concurrency", "timeout"):
            value = getattr(own, name)
            least, most = bounds[name]
            if value is not None and not least <= value <= most:
                message = f'{name} of "{model}" must be from {least:g} to {most:g}, not {value:g}'
                raise config.error((*at, name), message)
        if own.price is not None and min(own.price.input, own.price.output) < 0:
            raise config.error((*at, "price"), f'price of "{model}" must be at least 0')
        if own.key_variable is not None and not _KEY_VARIABLE.fullmatch(own.key_variable):
            message = f'key-variable of "{model}" must begin with BENCHLINT_ and end in KEY, as BENCHLINT_OTHER_KEY'
            raise config.error((*at, "key-variable"), message)


def _check_replay(config: Config) -> None:
    settings = config.replay
    try:
        parse_size(settings.memory)
    except ValueError as error:
        raise config.error(("replay", "memory"), f"replay.memory: {error}") from None
    if not 0 < settings.timeout < float("inf"):
        raise config.error(("replay", "timeout"), "replay.timeout must be a number of seconds greater than 0")
    if settings.command and settings.environment is not None:
        message = "replay.command takes the place of replay.environment; only one of them can count"
        raise config.error(("replay", "command"), message)
