"""The card over the last position of a match: who won, by how much, and where it was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.match import drama

if TYPE_CHECKING:
    from arena.match.faults import SeatFault
    from arena.match.record import Record
    from arena.match.score_series import ScoreSeries


@dataclass(frozen=True, slots=True)
class Finish:
    """The place of a seat, 1 is the best, and its score, None where the match has none."""

    seat: int
    place: int
    score: int | None


@dataclass(frozen=True, slots=True)
class ResultCard:
    """A result: all seats, the best first, and what decided it."""

    finishes: tuple[Finish, ...]
    fault: SeatFault | None
    decided_at: int | None
    """The point at which the winner took the lead for good, or, never behind, got furthest ahead; None where scores do not say."""
    for_good: bool
    """Whether the lead changed there."""

    @property
    def winners(self) -> tuple[int, ...]:
        """List the seats in the first place."""
        return tuple([each.seat for each in self.finishes if each.place == 1])


def result_card(record: Record, series: ScoreSeries) -> ResultCard:
    """Return the card of a match, given the scores at each of its points."""
    result = record.result
    finishes = [
        Finish(seat, place, None if result.scores is None else result.scores[seat])
        for seat, place in enumerate(result.places)
    ]
    measured = drama.measure(series)
    decided = result.fault is None and len([place for place in result.places if place == 1]) == 1
    turns = measured.lead_changes
    at = (turns[-1] if turns else measured.largest_swing_at) if decided else 0
    return ResultCard(
        finishes=tuple(sorted(finishes, key=lambda each: (each.place, each.seat))),
        fault=result.fault,
        decided_at=at or None,
        for_good=bool(decided and turns),
    )
