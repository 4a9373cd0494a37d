"""The judges of an editor by configuration: the same while nothing that concerns them changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchlint.analysis.hearing import Hearing, Store
    from benchlint.analysis.options import JudgeOptions
    from benchlint.catalogue.rule import Rule
    from benchlint.config_schema import Config
    from benchlint.judges.protocol import Usage
    from benchlint.judges.spending import Purse


class Court(NamedTuple):
    """The judges of a configuration as it was, or why they cannot be asked.

    `asking` stands for who is asked, and how.
    """

    fits: tuple[Any, ...]
    hearing: Hearing | None
    problem: str
    asking: int


class Courts:
    """Opens judges, and keeps what may be spent in the session. `retired` takes judges that count no longer."""

    def __init__(self, retired: Callable[[Hearing], None]) -> None:
        self._retired = retired
        self._courts: dict[str, Court] = {}
        self._purses: dict[str, Purse] = {}
        self._store: Store | None = None

    @property
    def is_used(self) -> bool:
        """Whether judges were ever looked for."""
        return bool(self._purses)

    @property
    def spent(self) -> Usage:
        """What the session's calls took."""
        from benchlint.judges.protocol import Usage

        return sum((purse.spent for purse in list(self._purses.values())), Usage())

    def known(self, config: Config) -> Court | None:
        """Return the judges of a configuration, where they were opened."""
        return self._courts.get(config.path or "")

    def of(self, config: Config, rules: Mapping[str, Rule], options: JudgeOptions) -> Court:
        """Return the judges of a configuration."""
        key = config.path or ""
        fits = (repr(config.judge), options, tuple(rules.values()))
        known = self._courts.get(key)
        if known is None or known.fits != fits:
            if known is not None and known.hearing is not None:
                self._retired(known.hearing)
            known = self._courts[key] = self._opened(config, rules, options, fits)
        return known

    def close(self) -> None:
        """Let all judges go."""
        for court in self._courts.values():
            if court.hearing is not None:
                self._retired(court.hearing)
        self._courts.clear()
        if self._store is not None:
            self._store.close()

    def _opened(self, config: Config, rules: Mapping[str, Rule], options: JudgeOptions, fits: tuple[Any, ...]) -> Court:
        from benchlint.analysis.hearing import Hearing, Store
        from benchlint.benchmark.loader import Unreadable
        from benchlint.judges.errors import JudgeError
        from benchlint.trust.trust import TrustError

        if self._store is None:
            self._store = Store(use_cache=options.cache)
        try:
            hearing = Hearing(config, rules, options, self._store, self._wallet(config, options), lambda *_: None)
        except (JudgeError, TrustError, Unreadable) as error:
            return Court(fits, None, f"nothing is judged: {error}", 0)
        judge = config.judge
        asked = (
            [sorted(model.asker.items(), key=str) for model in hearing.models],
            (judge.records, judge.share, judge.redact, judge.redact_text),
            [(rule.name, rule.section("Rubric")) for rule in rules.values() if rule.metric],
        )
        return Court(fits, hearing, "", hash(repr(asked)))

    def _wallet(self, config: Config, options: JudgeOptions) -> Purse:
        """Return what may be spent in the session; what was spent stays so when a limit changes."""
        from benchlint.judges.spending import Purse

        judge = config.judge
        shared = options.max_calls is not None or options.max_usd is not None
        purse = self._purses.setdefault("" if shared else f"config {config.path}", Purse())
        purse.max_calls = options.max_calls if options.max_calls is not None else judge.max_calls
        purse.max_usd = options.max_usd if options.max_usd is not None else judge.max_usd
        return purse
