"""A model that drafts: asked as judges are, with the same consent, purse and cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchlint.analysis.hearing import Store
from benchlint.config import ConfigLookup, load_config
from benchlint.config_schema import Config
from benchlint.judges import choice as choices
from benchlint.judges import members
from benchlint.judges.budget import estimate, spent
from benchlint.judges.errors import JudgeError
from benchlint.judges.spending import Purse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchlint.analysis.options import JudgeOptions
    from benchlint.judges.cached import CachedJudge
    from benchlint.judges.prompt import Asked, Options
    from benchlint.judges.protocol import NoVerdict, Verdict
    from benchlint.judges.session import Session

    Tick = Callable[[int, int, str], None]


class Drafted(NamedTuple):
    """What came of requests, in their order, and sentences about what that took.

    With an estimate nothing was asked, and there are no answers.
    """

    answers: Sequence[Verdict | NoVerdict]
    told: tuple[str, ...]
    asked: bool = True


class Drafter:
    """One model, as the configuration of a policy says. Raises ConfigError and JudgeError."""

    def __init__(self, policy: str, options: JudgeOptions, config: str | None = None) -> None:
        found = load_config(config) if config is not None else ConfigLookup()(policy)
        self.config: Config = found or Config()
        judge = self.config.judge
        self._options = options
        self._choice = choices.choose(options.judges, judge, network=options.network)
        if not (self._choice.asks or self._choice.cached) or self._choice.offline:
            raise JudgeError("drafts are written by a model: --judge MODEL, or --judge cached for what one has written")
        if len(set(self._choice.models)) > 1:
            raise JudgeError(f"one model writes drafts, not {len(set(self._choice.models))}")
        self.prompts: Options = members.prompt_options(judge)
        if "policy" not in self.prompts.share:
            raise JudgeError('"policy" is not in share, so nothing can be drafted')

    def ask(self, asked: Sequence[Asked], tick: Tick = lambda done, total, name: None) -> Drafted:
        """Ask everything, or with `estimate` say what that would take."""
        options, judge = self._options, self.config.judge
        models = members.models(self._choice, judge)[:1]
        store = Store(use_cache=options.cache)
        member: Session | CachedJudge
        try:
            if self._choice.cached:
                if store.cache is None:
                    raise JudgeError("there is no cache to take drafts from")
                member = members.repeaters(self._choice, judge, store.cache, models)[0]
            else:
                if not options.estimate:
                    members.check_consent(models, judge)
                (member,) = members.sessions(models, judge, store.answers, self._purse())
                if options.estimate:
                    lines = estimate(member, asked).text.splitlines()
                    return Drafted((), (*store.warnings, *lines), asked=False)
            return self._answers(member, asked, tick, store)
        finally:
            store.close()

    def _answers(self, member: Session | CachedJudge, asked: Sequence[Asked], tick: Tick, store: Store) -> Drafted:
        done = 0

        def deliver(*_: object) -> None:
            nonlocal done
            done += 1
            tick(done, len(asked), member.name)

        try:
            outcome = member.run(asked, deliver)
        finally:
            member.close()
        told = list(store.warnings)
        if self._choice.asks:
            told.append(spent(member.name, outcome.usage, outcome.cached))
        if outcome.stopped is not None:
            told.append(f"no more was asked: {outcome.stopped}")
        return Drafted(outcome.verdicts, tuple(told))

    def _purse(self) -> Purse:
        options, judge = self._options, self.config.judge
        calls = options.max_calls if options.max_calls is not None else judge.max_calls
        return Purse(calls, options.max_usd if options.max_usd is not None else judge.max_usd)
