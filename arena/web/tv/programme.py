"""The programme of Arena TV: the match and its step, as a pure function of the clock and the matches.

    period ──┬── match ──┬── first position
             │           ├── step, step, step …      each for as long as it takes to read it
             │           └── last position           a while longer
             ├── match …
             └── the last match ends with the period

A period is filled with the best matches that fit, and the steps are stretched or shortened by what is left, so that no match is cut
off and nothing is ever empty.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from math import gcd
from typing import Generic, TypeVar

PERIOD_S = 1800.0
"""The length of a programme; the matches of the next one are chosen when it begins."""
_ROTATION = 24
"""Number of best matches that take turns while nothing new is played."""
_FULL = 0.87
"""A period is full when its matches take this part of it; they may take as much more than all of it."""
_FASTEST = 0.65
"""A match that is longer than a period has one to itself when its turn comes, its steps shortened to this part at most."""
_STEP_ON = 4
"""Minimum number of matches by which each period begins later in their row."""

Match = TypeVar("Match")


@dataclass(frozen=True, slots=True)
class Slot(Generic[Match]):
    """A match on the programme: seconds since the epoch at which each of its positions is shown, and at which it is over."""

    match: Match
    shown_at: tuple[float, ...]
    ends_at: float

    @property
    def begins_at(self) -> float:
        """Return when its first position is shown."""
        return self.shown_at[0]

    def point(self, now: float) -> int:
        """Return the position that is shown at a moment of the slot."""
        return max(bisect_right(self.shown_at, now) - 1, 0)


def period_of(now: float) -> float:
    """Return when the period of a moment began, in seconds since the epoch."""
    return now // PERIOD_S * PERIOD_S


def compose(
    ranked: Sequence[Match], begins_at: float, lengths: Callable[[Match], Sequence[float]]
) -> tuple[Slot[Match], ...]:
    """Fill a period with matches, the best first and others than in the period before; nothing if there are none.

    `lengths` gives the seconds for which each position of a match is to be read; nothing for one that cannot be shown.
    """
    best = list(ranked[:_ROTATION])
    if not best:
        return ()
    # A long match is shown only where a period begins with it, so each match has to be the first of some period.
    step = next(step for step in count(_STEP_ON) if gcd(step, len(best)) == 1)
    start = int(begins_at // PERIOD_S) * step % len(best)
    seen: list[tuple[Match, Sequence[float]]] = []
    chosen: list[tuple[Match, Sequence[float]]] = []
    total, before = 0.0, -1.0
    for match in best[start:] + best[:start]:
        if total < _FULL * PERIOD_S and (shown := lengths(match)):
            seen.append((match, shown))
            total += _add(chosen, seen[-1], total)
    while before < total < _FULL * PERIOD_S:  # too few: some are shown again
        before = total
        for each in seen:
            if total < _FULL * PERIOD_S:
                total += _add(chosen, each, total)
    return _place(chosen or sorted(seen, key=lambda each: sum(each[1]))[:1], begins_at)


def _add(
    chosen: list[tuple[Match, Sequence[float]]], each: tuple[Match, Sequence[float]], total: float
) -> float:
    """Add a match if it fits behind what takes `total` seconds; return its seconds, 0 if it does not fit."""
    length = sum(each[1])
    if total + length > PERIOD_S / (_FULL if chosen else _FASTEST):
        return 0.0
    chosen.append(each)
    return length


def _place(chosen: Sequence[tuple[Match, Sequence[float]]], begins_at: float) -> tuple[Slot[Match], ...]:
    stretch = PERIOD_S / max(sum(sum(shown) for _, shown in chosen), 1.0)
    slots = []
    at = begins_at
    for match, shown in chosen:
        *starts, ends_at = accumulate((each * stretch for each in shown), initial=at)
        slots.append(Slot(match, tuple(starts), ends_at))
        at = ends_at
    return tuple(slots)


def on_air(slots: Sequence[Slot[Match]], now: float) -> int:
    """Return the index of the slot of a moment."""
    return max(bisect_right([slot.begins_at for slot in slots], now) - 1, 0)


def interleave(ranked: Sequence[Match], kind: Callable[[Match], str]) -> tuple[Match, ...]:
    """Order matches so that kinds take turns: the best of each, then the second best of each, and so on."""
    turns: dict[str, int] = {}
    placed = []
    for at, match in enumerate(ranked):
        turn = turns[kind(match)] = turns.get(kind(match), -1) + 1
        placed.append((turn, at, match))
    return tuple(match for _, _, match in sorted(placed, key=lambda each: each[:2]))
