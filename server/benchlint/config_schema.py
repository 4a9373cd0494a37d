"""The one schema of `benchlint.toml` and of `[tool.benchlint]`.

The fields of the dataclasses are the keys (`_` written as `-`), their
docstrings the descriptions in the published JSON schema. pydantic checks
values against them and is imported only then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from benchlint.config import PROJECT, TABLE, ConfigError, error_at
from benchlint.text.toml_text import key_range, parse_toml

if TYPE_CHECKING:
    from benchlint.text.document import Document
    from benchlint.text.tree import Pointer

Many = str | tuple[str, ...]
"""One text or several."""

SeverityName = Literal["error", "warning", "information", "hint"]
FailOn = Literal["error", "warning", "information", "hint", "never"]
FormatName = Literal["tau2", "tau-bench", "intellagent", "native", "mapped"]
ShareName = Literal["task", "policy", "records"]
MetricName = Literal["description_alignment", "policy_alignment", "violations", "ambiguity", "contradictions"]

_KEY_VARIABLE = re.compile(r"BENCHLINT_(?:[A-Z0-9_]*_)?KEY")
"""A configuration must not choose whose key is sent where: only keys that are meant for benchlint are."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg]?)(i?)b?", re.IGNORECASE)
_SCHEMA: dict[str, Any] = {
    "extra": "forbid",
    "use_attribute_docstrings": False,  # they are read from the source, which takes as long as all the rest
    "alias_generator": lambda name: name.replace("_", "-"),
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LintConfig:
    """What `benchlint lint` reports, and when it fails."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    select: tuple[str, ...] = ()
    """The rules and groups of rules to check. Default: all."""
    ignore: tuple[str, ...] = ()
    """Rules and groups of rules to leave out."""
    min_severity: SeverityName = "hint"
    """Findings below this severity are not reported."""
    fail_on: FailOn = "error"
    """The severity from which on a finding makes the exit code 1."""
    baseline: str | None = None
    """A file of findings that are known and not reported again."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class IgnoreConfig:
    """A suppression: findings of one rule that are meant to stay."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    rule: str
    """The rule."""
    reason: str
    """Why its findings are no faults here."""
    task: str | None = None
    """The id of the task; a pattern with * and ? fits several. Default: all tasks."""
    path: str | None = None
    """The file, relative to this one; a pattern fits several. Default: all files."""


@dataclass(frozen=True, kw_only=True)
class FieldMapping:
    """Where a team's own files have the parts of a task: dotted paths of keys."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    tasks: str | None = None
    """From the top of the file to the list of tasks. Default: the list at the top, or the lines."""
    id: str = "id"
    """The task's id."""
    description: Many = "description"
    """What the simulated user knows and wants."""
    behaviour: Many = ()
    """The expected behaviour in prose."""
    actions: str | None = None
    """The expected actions: a list of objects."""
    action_name: str = "name"
    """Inside an action: the tool."""
    action_arguments: str = "arguments"
    """Inside an action: the arguments, an object."""
    action_requestor: str = "requestor"
    """Inside an action: who calls the tool, "assistant" or "user"."""
    communicate: str | None = None
    """What the agent must say: a list of texts."""
    assertions: str | None = None
    """What must be true of the conversation: a list of texts."""
    reward_basis: str | None = None
    """Which criteria count: a list of names."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BenchmarkConfig:
    """Which files make up a benchmark. Paths are relative to this file."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    tasks: Many
    """Files or patterns. Each file is a benchmark of its own, a folder is one."""
    together: bool = False
    """Whether all the files are one benchmark."""
    name: str | None = None
    """The benchmark's name in reports. Default: the path of the tasks."""
    policy: Many = ()
    """Markdown files."""
    tools: Many = ()
    """JSON or Python files, or folders of them."""
    database: Many = ()
    """JSON, TOML or CSV files, or folders of them."""
    splits: str | None = None
    """A JSON file of lists of task ids."""
    items: Many = ()
    """YAML files of the policy's items. Default: `policy.items.yaml` beside `policy.md`."""
    format: FormatName | None = None
    """The format of the tasks. Default: what their content shows."""
    default_reward_basis: tuple[str, ...] | None = None
    """What counts where a task names no reward basis. Default: the format's own."""
    mapping: FieldMapping | None = None
    """Where the parts of a task are, for the format "mapped"."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ThresholdConfig:
    """From where on something that a judge says is told."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    confidence: float = 0.7
    """A judge's own confidence in a finding, from 0 to 1."""
    likelihood: float = 0.2
    """The share of runs that would end otherwise, from 0 to 1, for an instruction to be ambiguous."""
    alignment: float = 5.0
    """Scores under this floor, from 1 to 10, are low-alignment."""
    challenge: float = 1.0
    """Fewer violations a task than these are low-challenge."""
    challengers: int = 3
    """K: how many tasks should challenge a policy item."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PriceConfig:
    """What a model costs whose price is not known: US dollars for a million tokens."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    input: float
    """Tokens that it reads."""
    output: float
    """Tokens that it writes."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModelConfig:
    """How one model is asked. What is not set here is as for all models."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    base_url: str | None = None
    """Where the model is reached; an empty text is the provider's own."""
    key_variable: str | None = None
    """The variable of the environment that holds the key for the base URL. Default: BENCHLINT_API_KEY."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What is passed on to the model, beside and before the parameters of all models."""
    repeats: int | None = None
    """How often the model is asked the same."""
    concurrency: int | None = None
    """How many calls of the model may be on their way at once."""
    timeout: float | None = None
    """Seconds that a call may take."""
    price: PriceConfig | None = None
    """What the model costs, where the price is not known."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgeConfig:
    """Who reads what only a reader can see, and what may be sent to whom. Keys come from the environment."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    models: Many | Mapping[str, ModelConfig] | None = None
    """Model strings of litellm; "offline", "cached" or "none". Several models are a panel, each with a table of its
    own where that is needed. Default: "offline"."""
    base_url: str | None = None
    """Where the models are reached. Default: the provider's own."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What is passed on to the models: temperature, max_tokens, seed, reasoning_effort and the like."""
    metrics: tuple[MetricName, ...] = (
        "description_alignment",
        "policy_alignment",
        "violations",
        "ambiguity",
        "contradictions",
    )
    """What models are asked about: a call each for every task, contradictions once for the policy."""
    repeats: int = 1
    """How often each model is asked the same."""
    concurrency: int = 8
    """How many calls of a model may be on their way at once."""
    timeout: float = 120.0
    """Seconds that a call may take."""
    max_calls: int | None = None
    """The most calls that a run may make."""
    max_usd: float | None = None
    """The most US dollars that a run may spend."""
    price: PriceConfig | None = None
    """What the models cost, where the price is not known."""
    share: tuple[ShareName, ...] | None = None
    """What may be sent to models: "task", "policy", "records". Needed where they are not on this machine."""
    redact: tuple[str, ...] = ()
    """Names of fields whose values are not sent; a pattern with * and ? fits several."""
    redact_text: tuple[str, ...] = ()
    """Regular expressions; what they match is not sent."""
    records: int | str = "16kB"
    """How much of the database's records a model is shown with each task."""
    trust: str | None = None
    """A file of what was measured of judges."""
    verdicts: str | None = None
    """An export of verdicts that is kept with the benchmark."""
    allow_missing: int = 0
    """How many wanted verdicts may be missing before the exit code is 3."""
    thresholds: ThresholdConfig = field(default_factory=ThresholdConfig)

    def of(self, model: str) -> ModelConfig:
        """Return how a model is asked, with the settings of all models where it has none of its own."""
        own = self.models.get(model) if isinstance(self.models, Mapping) else None
        own = own or ModelConfig()
        return ModelConfig(
            base_url=self.base_url if own.base_url is None else own.base_url,
            key_variable=own.key_variable,
            parameters={**_underscored(self.parameters), **_underscored(own.parameters)},
            repeats=own.repeats or self.repeats,
            concurrency=own.concurrency or self.concurrency,
            timeout=own.timeout or self.timeout,
            price=own.price or self.price,
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReportConfig:
    """The least that `benchlint report` must find for the exit code 0."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    min_description_alignment: float | None = None
    """S_desc, from 1 to 10."""
    min_policy_alignment: float | None = None
    """S_pol, from 1 to 10."""
    min_violations: float | None = None
    """S_vcount, violations a task."""
    min_coverage: float | None = None
    """S_vcov, from 0 to 1."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReplayConfig:
    """How the expected actions are run with the domain's own tools. Nothing runs without --replay."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
    environment: str | None = None
    """`tau2:` and a domain, `tau2` for the domain that the tasks' folder is named after, or a folder of tau-bench."""
    python: str | None = None
    """The Python that the environment is installed in, relative to this file. Default: the one that runs benchlint."""
    command: Many = ()
    """A program that speaks the protocol, in place of an environment."""
    timeout: float = 10.0
    """Seconds that an action may take."""
    memory: int | str = "4GB"
    """What the environment may use: bytes, or a number with kB, MB, GB, KiB, MiB or GiB."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Settings:
    """The configuration of benchlint."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _SCHEMA
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

    document: Document | None = None
    table: Pointer = ()
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

    def place(self, pointer: Pointer) -> tuple[int, int]:
        """Return the range in bytes of a setting's key: `("ignore", 0, "rule")`."""
        return key_range(self.document, (*self.table, *pointer)) if self.document else (0, 0)

    def error(self, pointer: Pointer, message: str) -> ConfigError:
        """Return an error at a setting."""
        assert self.document is not None
        return error_at(self.document, self.place(pointer)[0], message)


def many(value: Many | Mapping[str, Any]) -> tuple[str, ...]:
    """Return one text or several as several; of a table its keys."""
    return (value,) if isinstance(value, str) else tuple(value)


def _underscored(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in values.items()}


def parse_size(value: int | str) -> int:
    """Return a size in bytes; ValueError where the text is none.

    `MB` is a million bytes, `MiB` 1,048,576.
    """
    if isinstance(value, int):
        if value <= 0:
            raise ValueError("the size must be greater than 0")
        return value
    match = _SIZE.fullmatch(value.strip())
    if match is None:
        raise ValueError(f'"{value}" is no size: write "100MB", "64KiB" or a number of bytes')
    unit = 1024 if match[3] else 1000
    return parse_size(int(float(match[1]) * unit ** " kmg".index(match[2].lower() or " ")))


def read_config(document: Document) -> Config:
    """Read a configuration; ConfigError where it cannot be used."""
    values, fault = parse_toml(document)
    if fault is not None:
        raise error_at(document, fault.start, fault.message)
    project = Path(document.path).name == PROJECT
    table: Any = values
    for key in TABLE if project else ():
        table = table.get(key) if isinstance(table, dict) else None
    at = TABLE if project else ()
    if not isinstance(table, dict):
        missing = "the file has no table [tool.benchlint]" if table is None else "[tool.benchlint] must be a table"
        raise error_at(document, key_range(document, at)[0], missing)
    settings = _validated(document, table, at)
    values = {item.name: getattr(settings, item.name) for item in fields(Settings)}
    config = Config(**values, document=document, table=at)
    _check(config)
    return config


def config_schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration file."""
    from pydantic import TypeAdapter

    _SCHEMA["use_attribute_docstrings"] = True
    try:
        schema = TypeAdapter(Settings).json_schema()
    finally:
        _SCHEMA["use_attribute_docstrings"] = False
    _plain(schema)
    for name in ("lint", "judge", "report"):
        schema["properties"][name].pop("default", None)
    schema["$defs"]["JudgeConfig"]["properties"]["thresholds"].pop("default", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "benchlint.toml"}


def _plain(schema: Any) -> None:
    """Leave out the titles that pydantic makes of names."""
    if isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for item in schema.values():
            _plain(item)
    elif isinstance(schema, list):
        for item in schema:
            _plain(item)


def _validated(document: Document, table: dict[str, Any], at: Pointer) -> Settings:
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Settings).validate_python(table)
    except ValidationError as error:
        problems: dict[Pointer, list[Any]] = {}
        for item in error.errors(include_url=False, include_input=False):
            problems.setdefault(_existing(table, item["loc"], item["type"]), []).append(item)
    # of the ways to read a value, the one that went furthest tells what is wrong
    problems = {
        pointer: found
        for pointer, found in problems.items()
        if not any(len(other) > len(pointer) and other[: len(pointer)] == pointer for other in problems)
    }
    placed = [(key_range(document, (*at, *pointer))[0], pointer) for pointer in problems]
    start, pointer = min(placed, key=lambda item: (item[0], -len(item[1])))
    raise error_at(document, start, _sentence(table, pointer, problems[pointer]))


def _existing(table: Any, loc: tuple[Any, ...], kind: str) -> Pointer:
    """Return an error's location without the parts that are no keys of the file."""
    pointer: Pointer = ()
    value = table
    for index, part in enumerate(loc):
        listed = isinstance(value, list) and isinstance(part, int) and part < len(value)
        if listed or (isinstance(value, dict) and part in value):
            value = value[part]
        elif kind == "missing" and isinstance(value, dict) and index == len(loc) - 1:
            return (*pointer, part)
        else:
            continue
        pointer = (*pointer, part)
    return pointer


_WORDS = {
    "string_type": "a text in quotes",
    "tuple_type": "a list",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "dict_type": "a table",
    "dataclass_type": "a table",
}


def _sentence(table: Any, pointer: Pointer, problems: list[Any]) -> str:
    """Say what is wrong with a setting."""
    kind, name = problems[0]["type"], _name(pointer)
    if kind == "unexpected_keyword_argument":
        return _unknown(pointer)
    if kind == "missing":
        return f"{_name(pointer[:-1])} needs {pointer[-1]}"
    value: Any = table
    for part in pointer:
        value = value[part]
    if kind == "literal_error":
        choices = problems[0]["ctx"]["expected"].replace("'", '"')
        if not isinstance(value, str):
            return f"{name} must be {choices}, not {_type(value)}"
        known = re.findall(r'"([^"]*)"', choices)
        return f'{name} must be {choices}, not "{value}"{_suggestion(value, known)}'
    words = list(dict.fromkeys(_WORDS.get(item["type"], item["msg"]) for item in problems))
    return f"{name} must be {' or '.join(words)}, not {_type(value)}"


def _name(pointer: Pointer) -> str:
    """Name a setting in a message, its table first: `lint.select`, entry 2 of `ignore`."""
    if not pointer:
        return "the configuration"
    if isinstance(pointer[-1], int):
        return f"entry {pointer[-1] + 1} of {_name(pointer[:-1])}"
    keys = [str(part) for part in pointer if isinstance(part, str)]
    return ".".join(keys)


def _unknown(pointer: Pointer) -> str:
    table: Any = Settings
    for part in pointer[:-1]:
        if isinstance(part, str):
            table = _TABLES.get(part, table)
    known = [item.name.replace("_", "-") for item in fields(table)]
    where = f"[{_name(pointer[:-1])}]" if len(pointer) > 1 else "the configuration"
    if len(pointer) > 1 and isinstance(pointer[-2], int):
        where = f"[[{_name(pointer[:-2])}]]"
    key = str(pointer[-1])
    return f'{where} has no key "{key}"{_suggestion(key, known) or "; it has " + ", ".join(known)}'


_TABLES = {
    "lint": LintConfig,
    "ignore": IgnoreConfig,
    "benchmark": BenchmarkConfig,
    "mapping": FieldMapping,
    "judge": JudgeConfig,
    "models": ModelConfig,
    "thresholds": ThresholdConfig,
    "price": PriceConfig,
    "report": ReportConfig,
}


def _suggestion(name: str, known: list[str]) -> str:
    from rapidfuzz import fuzz, process

    found = process.extractOne(name.replace("_", "-").lower(), known, scorer=fuzz.ratio, score_cutoff=60)
    return f': did you mean "{found[0]}"?' if found else ""


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    for kind, word in ((str, "a text"), ((int, float), "a number"), (list, "a list"), (dict, "a table")):
        if isinstance(value, kind):
            return word
    return "a date or time"


def _check(config: Config) -> None:
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
            raise config.error(pointer, f"{_name(pointer)} must be {limits}, not {value:g}")
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
