"""The judges of a configuration: sessions with models, or those that repeat what models have said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from benchlint.config_schema import parse_size
from benchlint.judges.cached import CachedJudge, Exported
from benchlint.judges.errors import JudgeError
from benchlint.judges.prompt import Options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchlint.config_schema import JudgeConfig
    from benchlint.judges.cached import Readable
    from benchlint.judges.choice import Choice
    from benchlint.judges.llm import LiteLLMModel
    from benchlint.judges.session import Session, Store
    from benchlint.judges.spending import Purse

_OWN: Final = frozenset({"temperature", "max_tokens", "seed"})
"""Parameters that have fields of their own in `ModelOptions`."""

_EVERYTHING: Final = ("task", "policy", "records")


def prompt_options(config: JudgeConfig) -> Options:
    """Return how requests are made."""
    from benchlint.judges.redaction import redaction

    return Options(
        records=parse_size(config.records),
        share=frozenset(_EVERYTHING if config.share is None else config.share),
        redact=redaction(config.redact, config.redact_text) if config.redact or config.redact_text else str,
    )


def models(choice: Choice, config: JudgeConfig) -> list[LiteLLMModel]:
    """Return the models, each as often as it is asked. Raises JudgeError."""
    from benchlint.judges.llm import LiteLLMModel, ModelOptions
    from benchlint.judges.prices import Price

    found = []
    for name in choice.models:
        settings = config.of(name)
        parameters = settings.parameters
        own = {name: value for name, value in parameters.items() if name in _OWN}
        price = settings.price
        for repetition in range(settings.repeats or 1):
            try:
                options = ModelOptions(
                    model=name,
                    base_url=settings.base_url,
                    key_variable=settings.key_variable,
                    parameters={name: value for name, value in parameters.items() if name not in _OWN},
                    timeout=settings.timeout or config.timeout,
                    concurrency=settings.concurrency or config.concurrency,
                    repetition=repetition,
                    price=Price(price.input / 1e6, price.output / 1e6) if price is not None else None,
                    **_checked(own),
                )
                found.append(LiteLLMModel(options))
            except ValueError as error:
                raise JudgeError(f"{name}: {error}") from None
    return found


def _checked(own: dict[str, Any]) -> dict[str, Any]:
    for name, value in own.items():
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise ValueError(f"the parameter {name} must be a number")
    return own


def sessions(found: list[LiteLLMModel], config: JudgeConfig, store: Store, purse: Purse) -> list[Session]:
    """Return sessions with models."""
    from benchlint.judges.session import Session

    return [Session(model, store, purse, config.thresholds.likelihood) for model in found]


def repeaters(choice: Choice, config: JudgeConfig, store: Readable, found: list[LiteLLMModel]) -> list[CachedJudge]:
    """Return judges that repeat the verdicts of models; without models, everybody's."""
    from benchlint.judges.keys import asker_key

    likelihood = config.thresholds.likelihood
    if not choice.models:
        return [CachedJudge(store, likelihood=likelihood)]
    return [CachedJudge(store, [asker_key(model.asker)], model.name, likelihood) for model in found]


def check_consent(found: list[LiteLLMModel], config: JudgeConfig) -> None:
    """Raise JudgeError where something would leave the machine and nobody has said that it may."""
    if config.share is not None:
        return
    away = list(dict.fromkeys(model.name for model in found if not model.endpoint.local))
    if away:
        raise JudgeError(
            f"tasks, policy and database records would be sent to {', '.join(away)}, which is not on this machine: "
            'say what may be sent in benchlint.toml, as share = ["task", "policy", "records"] under [judge]; '
            "`benchlint judge show TASK` prints what that is"
        )


def committed(path: Path) -> Exported:
    """Read the verdicts that are kept with a benchmark. Raises JudgeError."""
    try:
        return Exported.read(path)
    except FileNotFoundError:
        raise JudgeError(
            f"{path}: there is no such file; `benchlint cache export PATHS --output {path}` writes one"
        ) from None
    except OSError as error:
        raise JudgeError(f"{path}: it cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise JudgeError(f"{path}: {error}") from None


class Layered:
    """A store that also reads committed verdicts."""

    def __init__(self, store: Store, below: Exported) -> None:
        self._store = store
        self._below = below

    def get(self, key: str) -> dict[str, Any] | None:
        """Return an entry, or None."""
        return self._store.get(key) or self._below.get(key)

    def put(self, key: str, entry: dict[str, Any]) -> None:
        """Keep an entry."""
        self._store.put(key, entry)

    def keys(self) -> Iterator[str]:
        """Yield the keys of the committed verdicts."""
        return self._below.keys()
