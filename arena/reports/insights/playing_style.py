"""Playing styles, and how they are measured from matches.

a version's newest open matches ──measure_style──▶ PlayingStyle     how it plays, and how it did
the pool's newest open matches ──measure_average──▶ AverageBot         how its average bot plays
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Annotated, Literal

from pydantic import Field

from arena.core.answer_fields import BotName, MatchNumber, SetNumber, TournamentId, VersionName
from arena.games.traits import Tally
from arena.match.chances import share_pairs
from arena.match.seat_measures import PHASES, SeatMeasures
from arena.reports.match_details import MatchRow, SeatRow

LEAST_MATCHES = 10
"""With fewer matches nothing is said of a bot's style: it would be chance."""

_QUANTILE = 1.96
_CLEARLY = 0.2
"""Share of the range from the lowest bot of the pool to the highest by which a bot must differ from the average to stand out …"""
_OF_AVERAGE = 0.05
"""… and share of the average itself: if all bots are alike, none stands out."""

NotableKind = Literal["margin", "score", "opponent"]


@dataclass(frozen=True, slots=True)
class MeasuredMatch:
    """An open match and what its record says of its seats; no measures where the record is not kept or cannot be replayed."""

    row: MatchRow
    measures: tuple[SeatMeasures, ...] = ()


@dataclass(frozen=True, slots=True)
class TraitValue:
    """The value of a trait over all matches."""

    value: Annotated[
        float,
        Field(
            description="Its amount for each opportunity, such as expeditions started per hand.",
            examples=[3.2],
        ),
    ]
    error: Annotated[float, Field(description="Half width of its 95 % interval.", examples=[0.4])]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Results of a bot in one seat at tables of one size."""

    seats: Annotated[int, Field(description="Seats of the table.", examples=[2])]
    seat: Annotated[int, Field(description="The seat, counted from 0.", examples=[0])]
    matches: Annotated[int, Field(description="Matches in that seat.", examples=[100])]
    share: Annotated[
        float,
        Field(description="Its share of the points of its pairs with the others, 0 to 1.", examples=[0.55]),
    ]
    score: Annotated[
        float | None,
        Field(description="Its mean score; null if all of them ended by a fault.", examples=[41.5]),
    ]


@dataclass(frozen=True, slots=True)
class OpponentMargin:
    """Margin of a bot's score over an opponent's, in the matches that ended by the rules."""

    bot: BotName
    version: VersionName
    matches: Annotated[int, Field(description="Matches that they played.", examples=[40])]
    margin: Annotated[float, Field(description="Points ahead on average, negative behind.", examples=[-3.5])]


@dataclass(frozen=True, slots=True)
class NotableMatch:
    """One of a bot's best or worst matches."""

    tournament_id: TournamentId
    set: SetNumber
    match: MatchNumber
    kind: Annotated[
        NotableKind,
        Field(
            description="Why: by its margin, by the score, or because of the opponent that it beat or lost to."
        ),
    ]
    number: Annotated[
        int, Field(description="Points ahead or behind, or the score; 0 for an opponent.", examples=[84])
    ]
    opponents: Annotated[tuple[str, ...], Field(description="Opponents.", examples=[["greedy"]])]


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """The time of a part of all matches: a third of the decisions of each."""

    decisions: Annotated[int, Field(description="Decisions with more than one legal action.", examples=[600])]
    ms: Annotated[float, Field(description="Total time, in milliseconds.", examples=[900.0])]


@dataclass(frozen=True, slots=True)
class PlayingStyle:
    """Style and results of a version in its newest public matches."""

    matches: Annotated[int, Field(description="The matches, 200 at most.", examples=[200])]
    faults: Annotated[int, Field(description="Those that it ended by a fault.", examples=[0])]
    measured: Annotated[
        int, Field(description="Those whose records the traits are counted in.", examples=[198])
    ]
    traits: Annotated[Mapping[str, TraitValue], Field(description="By trait, as its game names them.")]
    scores: Annotated[tuple[int, ...], Field(description="Its scores, ascending.", examples=[[12, 41]])]
    seats: Annotated[tuple[SeatResult, ...], Field(description="By size of the table, then by seat.")]
    margins: Annotated[tuple[OpponentMargin, ...], Field(description="By opponent.")]
    best: Annotated[tuple[NotableMatch, ...], Field(description="Its best matches.")]
    worst: Annotated[tuple[NotableMatch, ...], Field(description="Its worst matches.")]
    phases: Annotated[tuple[PhaseTime, ...], Field(description="By part of the match.")]


@dataclass(frozen=True, slots=True)
class TraitRange:
    """A trait among the bots of a pool."""

    average: Annotated[float, Field(description="The average of all bots.", examples=[2.8])]
    lowest: Annotated[float, Field(description="The lowest value of a bot.", examples=[1.1])]
    highest: Annotated[float, Field(description="The highest value of a bot.", examples=[4.9])]


@dataclass(frozen=True, slots=True)
class AverageBot:
    """Average style of the bots of a pool, each counted once, in the newest public matches of its last tournaments."""

    matches: Annotated[int, Field(description="The matches, 200 at most.", examples=[200])]
    bots: Annotated[int, Field(description="Versions that played in them.", examples=[6])]
    traits: Annotated[
        Mapping[str, TraitRange], Field(description="By trait; those that two bots or more have.")
    ]
    scores: Annotated[
        tuple[int, ...], Field(description="The scores of all seats, ascending.", examples=[[12, 41]])
    ]


def measure_style(
    bot: str, version: str, found: Sequence[MeasuredMatch], elo: Mapping[tuple[str, str], float]
) -> PlayingStyle:
    """Measure the playing style of a version from its matches, the newest first; `elo` is that of the pool, by bot and version."""
    mine = [
        (each, seat)
        for each in found
        for seat in each.row.seats
        if (seat.bot, seat.version) == (bot, version)
    ]
    measured = [each.measures[seat.seat] for each, seat in mine if each.measures]
    by_rules = [one for one in measured if one.score is not None]
    return PlayingStyle(
        matches=len({(each.row.tournament_id, each.row.set, each.row.match) for each, _ in mine}),
        faults=sum(each.row.end == "fault" and seat.place == len(each.row.seats) for each, seat in mine),
        measured=len(by_rules),
        traits=_evaluate([one.tallies for one in by_rules]),
        scores=tuple(sorted(seat.score for _, seat in mine if seat.score is not None)),
        seats=_by_seat(mine),
        margins=_margins(mine),
        best=_notable(mine, elo, best=True),
        worst=_notable(mine, elo, best=False),
        phases=_add_phases(measured),
    )


def measure_average(found: Iterable[MeasuredMatch]) -> AverageBot:
    """Measure the average bot of a pool from matches of it."""
    tallies: dict[tuple[str, str], list[Mapping[str, Tally]]] = defaultdict(list)
    scores: list[int] = []
    matches = 0
    for each in found:
        matches += 1
        for seat in each.row.seats:
            if seat.score is not None:
                scores.append(seat.score)
            if each.measures and each.measures[seat.seat].score is not None:
                tallies[seat.bot, seat.version].append(each.measures[seat.seat].tallies)
    values: dict[str, list[float]] = defaultdict(list)
    for of_bot in tallies.values():
        for trait, value in _evaluate(of_bot).items():
            values[trait].append(value.value)
    return AverageBot(
        matches=matches,
        bots=len(tallies),
        traits={
            trait: TraitRange(sum(of_bots) / len(of_bots), min(of_bots), max(of_bots))
            for trait, of_bots in values.items()
            if len(of_bots) > 1
        },
        scores=tuple(sorted(scores)),
    )


def stands_out(value: TraitValue, among: TraitRange | None) -> float:
    """Return how far a value is from the average, −1 to 1 of the range of the pool; 0 where it may be chance, or is little."""
    if among is None:
        return 0.0
    low, high = min(among.lowest, value.value), max(among.highest, value.value)
    away = value.value - among.average
    least = max(value.error, _CLEARLY * (high - low), _OF_AVERAGE * abs(among.average))
    if abs(away) <= least:
        return 0.0
    return away / (high - low)


def _evaluate(tallies: Sequence[Mapping[str, Tally]]) -> dict[str, TraitValue]:
    """Divide the sums of each trait; the error is that of a quotient of sums, with matches as the units."""
    by_trait: dict[str, list[Tally]] = defaultdict(list)
    for each in tallies:
        for trait, tally in each.items():
            by_trait[trait].append(tally)
    found = {}
    for trait, of_matches in by_trait.items():
        of = sum(tally[1] for tally in of_matches)
        if of <= 0:
            continue
        value = sum(tally[0] for tally in of_matches) / of
        spread = sum((amount - value * chances) ** 2 for amount, chances in of_matches)
        size = len(of_matches)
        error = _QUANTILE * sqrt(spread * size / (size - 1)) / of if size > 1 else abs(value) + 1.0
        found[trait] = TraitValue(value, error)
    return found


_Mine = Sequence[tuple[MeasuredMatch, SeatRow]]


def _by_seat(mine: _Mine) -> tuple[SeatResult, ...]:
    shares: dict[tuple[int, int], list[float]] = defaultdict(list)
    scores: dict[tuple[int, int], list[int]] = defaultdict(list)
    for each, seat in mine:
        places = [other.place for other in each.row.seats if other.place is not None]
        if len(places) < len(each.row.seats):
            continue
        key = (len(places), seat.seat)
        shares[key].append(share_pairs(places)[seat.seat])
        if seat.score is not None:
            scores[key].append(seat.score)
    return tuple(
        SeatResult(
            key[0],
            key[1],
            len(shares[key]),
            sum(shares[key]) / len(shares[key]),
            sum(scores[key]) / len(scores[key]) if scores[key] else None,
        )
        for key in sorted(shares)
    )


def _margins(mine: _Mine) -> tuple[OpponentMargin, ...]:
    ahead: dict[tuple[str, str], list[int]] = defaultdict(list)
    for each, seat in mine:
        for other in each.row.seats:
            if other.seat != seat.seat and seat.score is not None and other.score is not None:
                ahead[other.bot, other.version].append(seat.score - other.score)
    return tuple(
        OpponentMargin(bot, version, len(of_pair), sum(of_pair) / len(of_pair))
        for (bot, version), of_pair in sorted(ahead.items())
    )


def _notable(mine: _Mine, elo: Mapping[tuple[str, str], float], *, best: bool) -> tuple[NotableMatch, ...]:
    """Choose the matches with the largest margin, the highest score and the strongest rival beaten, or the reverse of these."""
    played = [
        (each.row, seat, _margin(each.row, seat))
        for each, seat in mine
        if seat.score is not None and all(other.score is not None for other in each.row.seats)
    ]
    sign = 1 if best else -1
    decided = [
        (row, seat, ahead)
        for row, seat, ahead in played
        if sign * ahead > 0 and _is_end(row, seat, best=best)
    ]
    found: dict[tuple[int, int, int], NotableMatch] = {}

    def note(
        row: MatchRow, seat: SeatRow, kind: NotableKind, number: int, opponents: Sequence[SeatRow]
    ) -> None:
        names = tuple(dict.fromkeys(other.bot for other in opponents if other.seat != seat.seat))
        key = (row.tournament_id, row.set, row.match)
        found.setdefault(key, NotableMatch(*key, kind, number, names))

    if decided:
        row, seat, ahead = max(decided, key=lambda each: sign * each[2])
        note(row, seat, "margin", abs(ahead), row.seats)
    if played:
        row, seat, _ = max(played, key=lambda each: sign * (each[1].score or 0))
        note(row, seat, "score", seat.score or 0, row.seats)
    rivals = [
        (elo[other.bot, other.version], row, seat, other)
        for row, seat, _ in decided
        for other in row.seats
        if (other.bot, other.version) in elo and other.bot != seat.bot and other.place != seat.place
    ]
    if rivals:
        own = elo.get((rivals[0][2].bot, rivals[0][2].version))
        strength, row, seat, other = max(rivals, key=lambda each: sign * each[0])
        if own is not None and sign * (strength - own) > 0:  # else it is no surprise
            note(row, seat, "opponent", 0, [other])
    return tuple(found.values())


def _margin(row: MatchRow, seat: SeatRow) -> int:
    """Return how far a seat's score is ahead of the best of the others, negative behind it."""
    others = [other.score or 0 for other in row.seats if other.seat != seat.seat]
    return (seat.score or 0) - max(others, default=0)


def _is_end(row: MatchRow, seat: SeatRow, *, best: bool) -> bool:
    """Return whether a seat was the first of a match, or the last."""
    places = [other.place or 0 for other in row.seats]
    return seat.place == (1 if best else max(places))


def _add_phases(measured: Sequence[SeatMeasures]) -> tuple[PhaseTime, ...]:
    return tuple(
        PhaseTime(
            sum(one.phases[phase].decisions for one in measured),
            sum(one.phases[phase].ms for one in measured),
        )
        for phase in range(PHASES)
    )
