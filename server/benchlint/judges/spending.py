"""What a run may spend, and what it has spent."""

from __future__ import annotations

import threading

from benchlint.judges.protocol import Usage


class Purse:
    """Counts calls and money up to limits; several sessions may share one.

    Money is reserved by estimate while a call is on its way, so `max_usd` can
    be passed by no more than the calls on their way cost above it.
    """

    def __init__(self, max_calls: int | None = None, max_usd: float | None = None) -> None:
        self.max_calls = max_calls
        self.max_usd = max_usd
        self.spent = Usage()
        self._taken = 0
        self._reserved = 0.0
        self._lock = threading.Lock()

    def open(self, usd: float | None) -> str | None:
        """Take a call that is expected to cost some dollars; else say why none may be made.

        None stands for an unknown price: then no limit in dollars can be kept.
        """
        with self._lock:
            if self.max_calls is not None and self._taken >= self.max_calls:
                return f"the limit of {self.max_calls:,} calls (max-calls) is reached"
            if self.max_usd is not None:
                if usd is None or self.spent.usd is None:
                    what = "the price of the model" if usd is None else "what the calls before have cost"
                    return f"{what} is not known, so the limit of ${self.max_usd:g} cannot be kept"
                if self.spent.usd + self._reserved + usd > self.max_usd:
                    return f"the limit of ${self.max_usd:g} (max-usd) is reached"
            self._taken += 1
            self._reserved += usd or 0.0
            return None

    def take(self) -> bool:
        """Take one more call for what is open already; False where there is none left."""
        with self._lock:
            if self.max_calls is not None and self._taken >= self.max_calls:
                return False
            self._taken += 1
            return True

    def settle(self, taken: int, usd: float | None, usage: Usage) -> None:
        """Count what calls took in the end: how many had been taken, and what was expected."""
        with self._lock:
            self._taken -= taken - usage.calls
            self._reserved -= usd or 0.0
            self.spent += usage
