"""A test (SPRT) of one bot against another, at home: sets are played until it is certain which claim holds, or the limit is reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from arena.cli.match.contest import Contest, Planned
from arena.cli.match.home_referee import HomeReferee
from arena.cli.match.match_tally import Estimate, Played, comparisons, elo_difference
from arena.cli.match.progress_meter import Meter
from arena.match.faults import FaultKind
from arena.ratings.sprt import Look, Sprt

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
    """Result of bot 0 of a contest against the others, which are copies of one bot."""

    look: Look
    matches: int
    wins: int
    draws: int
    losses: int
    elo: Estimate | None
    faults: tuple[FaultOf, ...]


async def play_test(
    referee: HomeReferee, contest: Contest, sets: int, sprt: Sprt, meter: Meter, played: list[Played]
) -> None:
    """Play sets of a contest until the test accepts a claim, or all are played.  Raises NotPlayed, RefereeUnreachable.

    The matches are added to `played` as they end; `summarize` says what they show.  It looks after every `SETS_AT_ONCE` sets, so the same seed and bots give the same result.
    """
    for part in _parts(contest.plan_series(sets)):
        await referee.play(contest, part, meter, so_far=played)
        if sprt.look(_scores(played)).accepted is not None:
            break


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


def _parts(plan: Planned) -> Iterator[Planned]:
    """Yield the matches of the sets between two looks."""
    for _, part in groupby(plan.items(), key=lambda item: item[1].set // SETS_AT_ONCE):
        yield dict(part)


def _scores(played: Sequence[Played]) -> list[float]:
    """Return the mean score of bot 0 in each set, 0 to 1; a set in which only others met does not count."""
    sets: dict[int, list[float]] = {}
    for match in played:
        sets.setdefault(match.set, []).extend(points for _, points in comparisons(match, 0))
    return [sum(points) / len(points) for _, points in sorted(sets.items()) if points]
