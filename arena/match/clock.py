"""The clock rules: time controls, and the clocks of a match.  Times are milliseconds; the caller measures them.

    thinking time ──charge──▶ off the bank, down to 0 at most ──▶ plus the increment

Only choices that a seat was asked to make are charged.  What the platform plays itself (a single legal action) costs
nothing and earns nothing; a line of talk has a limit of its own and leaves the bank alone.  Every part that shows a clock takes it
from here: the session, the replay, the live page, the decision trace and the page of a person who plays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.core.errors import UsageError
from arena.core.translatable import say

_TEXT = re.compile(r"(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)")
_MAX_BASE_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time of a seat: a bank, what each decision adds to it, and the most one decision may take."""

    base_ms: int = 30_000
    increment_ms: int = 100
    cap_ms: int = 10_000
    talk_ms: int = 1_000

    def __str__(self) -> str:
        """Write it as people do, in seconds: `30+0.1`."""
        return f"{self.base_s:g}+{self.increment_ms / 1000:g}"

    @property
    def base_s(self) -> float:
        """Return the bank at the start, in seconds."""
        return self.base_ms / 1000

    def in_words(self) -> str:
        """Return the bank and the increment as a sentence about a seat has them, in seconds."""
        return f"{self.base_s:g} s and {self.increment_ms / 1000:g} s more for each"

    def share_of_bank(self, bank_ms: float) -> float:
        """Return the share of the initial bank that `bank_ms` is, from 0."""
        return bank_ms / self.base_ms

    def longest_ms(self, decisions: int, lines: int) -> int:
        """Return the most that a seat can think in a match of `decisions` decisions and `lines` lines of talk, in milliseconds."""
        return self.base_ms + decisions * self.increment_ms + lines * self.talk_ms


STANDARD = TimeControl()


def parse_time_control(text: str) -> TimeControl:
    """Read `BASE+INC` in seconds; the cap per decision is a third of the base, at most that of the standard.

    Raises UsageError.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        raise UsageError(
            say(
                "time {text!r}: must be BASE+INC in seconds, such as {standard}", text=text, standard=STANDARD
            )
        )
    base_ms, increment_ms = [round(float(seconds) * 1000) for seconds in match.groups()]
    if not 1 <= base_ms <= _MAX_BASE_MS or increment_ms > base_ms:
        raise UsageError(
            say("time {text!r}: BASE must be 0.001 to 86400 seconds, and INC at most BASE", text=text)
        )
    cap_ms = max(1, min(STANDARD.cap_ms, base_ms // 3))
    return TimeControl(base_ms=base_ms, increment_ms=increment_ms, cap_ms=cap_ms)


class Clock:
    """The clocks of a match: what each seat has left in its bank, in milliseconds.  Mutable; seats count from 0."""

    __slots__ = ("_answered", "_banks", "_thought", "time")

    def __init__(self, time: TimeControl, seats: int) -> None:
        self.time = time
        self._banks = [float(time.base_ms)] * seats
        self._answered = [0] * seats
        self._thought = [0.0] * seats

    @property
    def banks_ms(self) -> tuple[float, ...]:
        """Return what each seat has left, in seat order."""
        return tuple(self._banks)

    def remaining_ms(self, seat: int, thinking_ms: float = 0.0) -> float:
        """Return what a seat has left once it has been thinking that long about its open choice; never below 0."""
        return max(0.0, self._banks[seat] - thinking_ms)

    def time_for_choice(self, seat: int) -> tuple[float, float]:
        """Return what a seat has in its bank, and how long its next choice may take: the bank, or the cap if that is less."""
        bank_ms, cap_ms = self._banks[seat], self.time.cap_ms
        return bank_ms, bank_ms if bank_ms < cap_ms else cap_ms  # noqa: FURB136 - quicker than min, for each decision

    def time_for_talk(self, seat: int) -> tuple[float, float]:
        """Return what a seat has in its bank, and how long its next line of talk may take."""
        return self._banks[seat], float(self.time.talk_ms)

    def charge(self, seat: int, thinking_ms: float) -> float:
        """Charge a seat for a choice that it was asked to make, and add the increment.

        Return the time that was charged: the thinking time rounded to tenths of a millisecond, as the record has it, so
        that a replay has the same clocks.
        """
        charged_ms = round(thinking_ms, 1)
        left_ms = self._banks[seat] - charged_ms
        self._banks[seat] = (left_ms if left_ms > 0.0 else 0.0) + self.time.increment_ms  # noqa: FURB136 - quicker than max
        self._answered[seat] += 1
        self._thought[seat] += charged_ms
        return charged_ms

    def correct(self, seat: int, bank_ms: float) -> None:
        """Set a seat's bank to the value that the referee has sent."""
        self._banks[seat] = float(bank_ms)

    def answered(self, seat: int) -> int:
        """Return how many choices a seat has been charged for."""
        return self._answered[seat]

    def thought_ms(self, seat: int) -> float:
        """Return how long a seat has thought in all, in milliseconds."""
        return self._thought[seat]


def time_left_ms(limit_ms: float, gone_ms: float) -> float:
    """Return what is left of a limit after some time, in milliseconds; never below 0."""
    return max(0.0, limit_ms - gone_ms)
