"""A test (SPRT) of one bot against another, at home: sets are played until it is certain which claim holds, or the limit is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import groupby

from arena.cli.match.contest import Contest
from arena.cli.match.match_series import play
from arena.cli.match.match_tally import Estimate, Played, comparisons, elo_difference
from arena.match.faults import FaultKind
from arena.ratings.sprt import Look, Sprt
from arena.scheduling.match_sets import PlannedMatch

SETS_AT_ONCE = 8
"""Sets between two looks: enough to keep several cores busy."""


@dataclass(frozen=True, slots=True)
class FaultOf:
    """A match that a bot ended by a fault."""

    bot: int
    match: str
    kind: FaultKind
    message: str


@dataclass(frozen=True, slots=True)
class VersionTest:
    """How bot 0 of a contest did against the others, which are copies of one bot."""

    look: Look
    matches: int
    wins: int
    draws: int
    losses: int
    elo: Estimate | None
    faults: tuple[FaultOf, ...]


async def play_test(
    address: str, contest: Contest, sprt: Sprt, advance: Callable[[], None] = lambda: None
) -> VersionTest:
    """Play sets of a contest until the test accepts a claim, or all are played.  Raises NotPlayed, RefereeUnreachable.

    `advance` is called after each match.  It looks after every `SETS_AT_ONCE` sets, so the same seed and bots give the same result.
    """
    played: list[Played] = []
    for part in _parts(contest.plan().values()):
        by_id = {match.id: match for match in part}
        async with aclosing(play(address, [contest.order(match) for match in part])) as reports:
            async for report in reports:
                match = by_id[report.match]
                result = report.record.result
                played.append(Played(match.set, match.lane, match.id, match.seats, result))
                advance()
        if sprt.look(_scores(played)).accepted is not None:
            break
    return summarize(played, sprt)


def summarize(played: Sequence[Played], sprt: Sprt) -> VersionTest:
    """Return what matches show of bot 0 against all others."""
    compared = [points for match in played for _, points in comparisons(match, 0)]
    faults = [
        FaultOf(match.seats[fault.seat], match.id, fault.kind, fault.message)
        for match in sorted(played, key=lambda each: (each.set, each.match))
        if (fault := match.result.fault) is not None
    ]
    rivals = {bot for match in played for bot in match.seats} - {0}
    return VersionTest(
        look=sprt.look(_scores(played)),
        matches=len(played),
        wins=compared.count(1.0),
        draws=compared.count(0.5),
        losses=compared.count(0.0),
        elo=elo_difference(played, rivals),
        faults=tuple(faults),
    )


def _parts(matches: Iterable[PlannedMatch]) -> Iterator[list[PlannedMatch]]:
    """Put the matches of so many sets together as are played between two looks."""
    for _, part in groupby(matches, key=lambda match: match.set // SETS_AT_ONCE):
        yield list(part)


def _scores(played: Sequence[Played]) -> list[float]:
    """Return the mean score of bot 0 in each set, 0 to 1; a set in which only others met does not count."""
    sets: dict[int, list[float]] = {}
    for match in played:
        sets.setdefault(match.set, []).extend(points for _, points in comparisons(match, 0))
    return [sum(points) / len(points) for _, points in sorted(sets.items()) if points]
