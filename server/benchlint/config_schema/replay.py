"""How the expected actions are run: `[replay]`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from benchlint.config_schema.values import SCHEMA, Many


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReplayConfig:
    """How the expected actions are run with the domain's own tools. Nothing runs without --replay."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
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
