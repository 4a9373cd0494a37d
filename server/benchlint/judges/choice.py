"""Who judges: the offline reader, models, verdicts that are there already, or nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from benchlint.config_schema import many
from benchlint.judges.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchlint.config_schema import JudgeConfig

OFFLINE: Final = "offline"
CACHED: Final = "cached"
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Choice:
    """Who judges. `models` are asked, or, with `cached`, their verdicts are looked up.

    With `cached` and no models everybody's verdicts count. `default` says
    that nobody has chosen.
    """

    offline: bool = False
    cached: bool = False
    models: tuple[str, ...] = ()
    default: bool = False

    @property
    def asks(self) -> bool:
        """Whether models are asked."""
        return bool(self.models) and not self.cached


def choose(judges: Sequence[str], config: JudgeConfig, *, network: bool = True) -> Choice:
    """Return who judges: those of the command line, else the configured ones.

    Else committed verdicts count where the configuration names some, and
    the offline reader reads where it does not. Without `network` configured
    models are replaced in the same way. Raises JudgeError.
    """
    configured = tuple(dict.fromkeys(many(config.models))) if config.models is not None else ()
    models = tuple(name for name in configured if name not in (OFFLINE, CACHED, NONE))
    names = tuple(dict.fromkeys(judges)) or configured
    if not names:
        return Choice(offline=True, default=True) if config.verdicts is None else Choice(cached=True)
    if NONE in names:
        if len(names) > 1:
            raise JudgeError(f'the judge "{NONE}" stands alone, not with {", ".join(n for n in names if n != NONE)}')
        return Choice()
    asked = tuple(name for name in names if name not in (OFFLINE, CACHED))
    cached = CACHED in names
    if cached and asked and judges:
        raise JudgeError(f'the judge "{CACHED}" asks nobody: it does not go with {", ".join(asked)}')
    if asked and not network:
        if judges:
            raise JudgeError(f"without network nobody can be asked, not {', '.join(asked)} either")
        cached = config.verdicts is not None
        if not cached:
            return Choice(offline=True)
    return Choice(OFFLINE in names, cached, asked or (models if cached else ()))
