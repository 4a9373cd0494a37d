"""Who judges, what may be sent to whom, and what it may cost: `[judge]`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from benchlint.config_schema.values import SCHEMA, Many

ShareName = Literal["task", "policy", "records"]
MetricName = Literal["description_alignment", "policy_alignment", "violations", "ambiguity", "contradictions"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ThresholdConfig:
    """From where on something that a judge says is told."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
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

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
    input: float
    """Tokens that it reads."""
    output: float
    """Tokens that it writes."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ModelConfig:
    """How one model is asked. What is not set here is as for all models."""

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
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

    __pydantic_config__: ClassVar[dict[str, Any]] = SCHEMA
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


def _underscored(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("-", "_"): value for name, value in values.items()}
