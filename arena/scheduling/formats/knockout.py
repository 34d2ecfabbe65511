"""Knockout: who loses a tie is out.

    seeds 1 8 4 5 2 7 3 6: the two best can meet in the final only; where the field is no power of two, the best have a bye

A tie is some sets; while it is even, one more set at a time; after so many that no end is in sight, the better seed goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arena.games.chance import Stream
from arena.scheduling.formats.adaptive_rounds import PlayedRound, Round, TableEntries

MAX_EXTRA_SETS = 8


@dataclass(frozen=True, slots=True)
class Knockout:
    """Two seats; `seeding` lists the entries, the best first, `sets` is the length of a tie."""

    seeding: tuple[int, ...]
    sets: int = 1

    def next(self, played: Sequence[PlayedRound], gone: Collection[int], stream: Stream) -> Round | None:  # noqa: ARG002 - seeds, not lots, decide
        """Draw the next round: new ties, or one set more of those that are even."""
        even, through = self._now(played, gone)
        if even:
            return Round(even)
        while len(through) > 1:
            ties = _ties(through)
            open_ties = [tie for tie in _known(ties) if not _walkover(tie, gone)]
            if open_ties:
                byes = tuple(entry for tie in ties if None in tie for entry in tie if entry is not None)
                return Round(tuple(tie for tie in open_ties for _ in range(self.sets)), byes)
            through = [_without_play(tie, gone) for tie in ties]
        return None

    def places(self, played: Sequence[PlayedRound], gone: Collection[int]) -> int:
        """Count the places of the bracket that the round after these is drawn for: 2 for the final."""
        _, through = self._now(played, gone)
        while len(through) > 1 and all(_walkover(tie, gone) for tie in _known(_ties(through))):
            through = [_without_play(tie, gone) for tie in _ties(through)]
        return len(through)

    def champion(self, played: Sequence[PlayedRound], gone: Collection[int] = ()) -> int | None:
        """Name who has won it; None while it goes on, or if nobody is left."""
        even, through = self._now(played, gone)
        while not even and len(through) > 1:
            ties = _ties(through)
            if any(not _walkover(tie, gone) for tie in _known(ties)):
                return None
            through = [_without_play(tie, gone) for tie in ties]
        return None if even else through[0]

    def _now(
        self, played: Sequence[PlayedRound], gone: Collection[int]
    ) -> tuple[tuple[tuple[int, int], ...], list[int | None]]:
        """Go through what was played: the ties that are even, or else who is through, in the bracket's order."""
        rank = {entry: place for place, entry in enumerate(self.seeding)}
        through: list[int | None] = [
            self.seeding[place] if place < len(self.seeding) else None
            for place in _bracket(len(self.seeding))
        ]
        drawn = stages(played)
        for number, stage in enumerate(drawn):
            lead: dict[tuple[int, int], int] = {}
            for one in (one for each in stage for one in each.sets):
                first, second = one.table
                lead[first, second] = lead.get((first, second), 0) + one.halves[0] - one.halves[1]
            if stage is drawn[-1] and len(stage) <= MAX_EXTRA_SETS:
                even = tuple(tie for tie, ahead in lead.items() if not ahead and not _walkover(tie, gone))
                if even:
                    return even, []
            # What was drawn since is not drawn again, whatever was annulled meanwhile.
            later = {entry for each in drawn[number + 1 :] for entry in _drawn(each[0])}
            winners = {
                tie: next((entry for entry in tie if entry in later), _winner(tie, ahead, gone, rank))
                for tie, ahead in lead.items()
            }
            through = _next_bracket(through, stage[0].gone, winners)
        return (), through


def stages(played: Sequence[PlayedRound]) -> list[list[PlayedRound]]:
    """Put the rounds of each stage together: the first has all its ties, the others one set more of those that were even.

    Who met is not drawn together again later on: one of them is out.
    """
    found: list[list[PlayedRound]] = []
    for each in played:
        if found and _tables(each) <= _tables(found[-1][0]):
            found[-1].append(each)
        else:
            found.append([each])
    return found


def _tables(drawn: PlayedRound) -> set[TableEntries]:
    return {one.table for one in drawn.sets}


def _drawn(each: PlayedRound) -> set[int]:
    return {entry for table in _tables(each) for entry in table} | set(each.byes)


def _next_bracket(
    through: list[int | None], had_left: Collection[int], winners: dict[tuple[int, int], int | None]
) -> list[int | None]:
    """Return who of a stage is through; stages that nobody played before it are left behind first."""
    ties = _ties(through)
    while not any(tie in winners for tie in ties):
        ties = _ties([_without_play(tie, had_left) for tie in ties])
    return [winners[tie] if tie in winners else _without_play(tie, had_left) for tie in ties]


def _bracket(entries: int) -> list[int]:
    """Order the seeds, from 0, so that each meets the weakest that it can as late as it can: 0 7 3 4 1 6 2 5."""
    order = [0]
    while len(order) < entries:
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return order


_Tie: TypeAlias = tuple[int | None, int | None]


def _ties(through: Sequence[int | None]) -> list[_Tie]:
    return list(zip(through[::2], through[1::2], strict=True))


def _known(ties: Sequence[_Tie]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in ties if a is not None and b is not None]


def _walkover(tie: _Tie, gone: Collection[int]) -> bool:
    return any(entry in gone for entry in tie)


def _without_play(tie: _Tie, gone: Collection[int]) -> int | None:
    """Return who goes on without playing: the one that is there; nobody if neither is."""
    return next((entry for entry in tie if entry is not None and entry not in gone), None)


def _winner(tie: _Tie, ahead: int, gone: Collection[int], rank: dict[int, int]) -> int | None:
    """Return who won a tie that was played; where it stayed even, who did not leave, or the better seed."""
    if ahead:
        return tie[0] if ahead > 0 else tie[1]
    if _walkover(tie, gone):
        return _without_play(tie, gone)
    return min((entry for entry in tie if entry is not None), key=rank.__getitem__)
