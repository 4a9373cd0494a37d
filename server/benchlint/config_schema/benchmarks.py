"""Which files make up a benchmark: `[[benchmark]]`."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from benchlint.config_schema.values import SCHEMA, Many

FormatName = Literal["tau2", "tau-bench", "intellagent", "native", "mapped"]


@dataclass(frozen=True, kw_only=True)
class FieldMapping:
    """Where a team's own files have the parts of a task: dotted paths of keys."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
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

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
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
