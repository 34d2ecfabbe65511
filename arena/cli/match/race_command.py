"""`arena race`: which of many bots is the best, at home, with as few matches as that takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from arena.cli.match.contenders import read_contenders, split_game
from arena.cli.match.contest import Contest, read_seed
from arena.cli.match.home_options import bots_and_variant, how_it_is_played
from arena.cli.match.home_referee import HomeReferee, home_referee
from arena.cli.match.match_tally import POINTS, Played, Row, row_of
from arena.cli.match.progress_meter import Meter
from arena.cli.match.race_ratings import elo_of_all
from arena.cli.match.scoresheet import estimate_to_document, write_estimate
from arena.cli.support.fitted_table import FittedTable, name, number
from arena.cli.support.game_options import read_options
from arena.cli.support.interruption import Interruption, same_command
from arena.cli.support.json_output import print_json
from arena.cli.support.output import echo, print_table
from arena.games import registry
from arena.games.chance import Stream
from arena.match.clock import parse_time_control
from arena.ratings.totals import pair_results
from arena.scheduling import seeds
from arena.scheduling.formats.adaptive_rounds import PlayedRound, PlayedSet, TableEntries
from arena.scheduling.formats.format_registry import check_format, make_format
from arena.scheduling.formats.race import ERROR, USUAL_PERCENT, USUAL_ROUNDS, Race, RaceState

_EXAMPLES = """\b
Examples:
  arena race lost_cities v1.py v2.py v3.py greedy
  arena race land_unter v1.py v2.py v3.py v4.py greedy --seats 4 --rounds 200 --error 10
"""


@click.command(epilog=_EXAMPLES)
@bots_and_variant
@click.option(
    "--seats", type=int, metavar="N", help="Seats of a match.  [default: the fewest of the variant]"
)
@click.option("--rounds", type=int, metavar="N", help=f"The most rounds.  [default: {USUAL_ROUNDS}]")
@click.option("--error", type=int, metavar="PERCENT", help=f"{ERROR.meaning}.  [default: {ERROR.usual}]")
@how_it_is_played
def command(
    *,
    bots: tuple[str, ...],
    variant: str | None,
    options: tuple[str, ...],
    seats: int | None,
    rounds: int | None,
    error: int | None,
    time: str,
    seed: str | None,
    records: Path | None,
    sandbox: bool,
    as_json: bool,
) -> None:
    """Find the best of many bots at home, in few matches.

    In each round every bot that is still in plays a set, at tables put together by lot.  A bot that can no longer be the best
    leaves, so that the matches go to the others; the best is lost on the way with a probability of at most
    --error.  The race ends when one bot is left, or after --rounds.  Meanwhile it estimates how many more rounds that takes.

    A BOT is what it is for `arena match`: a house bot's name, a project's folder, a file, or HOST:PORT.
    The same seed gives the same deals.
    """
    game, bots = split_game(bots)
    rules = registry.find(game)
    form = make_format("race", rounds=rounds, error=error)
    if seats is None:
        seats = min(rules.variants.get(variant or next(iter(rules.variants)), (0,)))
    setup = rules.setup(seats, variant=variant, options=read_options(options))
    contenders = read_contenders(game, bots)
    check_format(form, seats)
    form.check_entries(len(contenders), seats)
    contest = Contest(game, setup, parse_time_control(time), read_seed(seed), contenders)
    if sandbox:
        contest = contest.as_submitted()
    race = Race(len(contenders), seats, rounds or USUAL_ROUNDS, (error or USUAL_PERCENT) / 100)
    interruption, so_far = Interruption(), _SoFar(race.state(()))
    with interruption.catching(), home_referee(records, sandbox=sandbox) as referee:
        interruption.run(_run(referee, contest, race, so_far))
    if as_json:
        interrupted = {"interrupted": interruption.came is not None}
        print_json(_to_document(contest, race, so_far.played, so_far.state) | interrupted)
    else:
        _print(contest, race, so_far.played, so_far.state)
    done = f"{len(so_far.played)} matches are played, {sum(so_far.state.rounds)} rounds are judged"
    interruption.end(done, same_command(contest.seed))


@dataclass(slots=True)
class _SoFar:
    """Progress of a race.  Mutable."""

    state: RaceState
    """After the last look: matches of a round that is not over do not count in it."""
    played: list[Played] = field(default_factory=list)


async def _run(referee: HomeReferee, contest: Contest, race: Race, so_far: _SoFar) -> None:
    """Play from look to look, until nothing more is drawn."""
    tables: list[TableEntries] = []
    looked_at: list[PlayedRound] = []
    while drawn := race.next(
        looked_at, (), Stream(seeds.schedule_seed(contest.seed, "round", len(looked_at)))
    ):
        first = len(tables)
        tables += drawn.tables
        plan = contest.plan_tables(tables, first)
        found = await referee.play(contest, plan, Meter(len(plan), says_lines=False), so_far=so_far.played)
        looked_at.append(PlayedRound(tuple(_sets(tables, first, found)), byes=drawn.byes))
        so_far.state = state = race.state(looked_at)
        left = ", ".join(contest.contenders[entry].label for entry in state.left[-1])
        echo(
            f"{sum(state.rounds)} rounds, {len(so_far.played)} matches: {len(state.still_in)} still in"
            + (f"; left: {left}" if left else "")
            + _forecast(race, looked_at, state),
            err=True,
        )


def _forecast(race: Race, looked_at: Sequence[PlayedRound], state: RaceState) -> str:
    """Say how many rounds more it may take, while several are in and the race has rounds left."""
    if len(state.still_in) < 2 or sum(state.rounds) >= race.rounds:
        return ""
    more = race.rounds_left(looked_at)
    if more is None:
        return f"; not decided within {race.rounds} rounds at this pace"
    return f"; about {more} more {'round' if more == 1 else 'rounds'}"


def _sets(tables: Sequence[TableEntries], first: int, played: Sequence[Played]) -> Iterator[PlayedSet]:
    """Add up the halves that each entry of each set took from the others."""
    won = [dict.fromkeys(table, 0) for table in tables[first:]]
    for match in played:
        fault = match.result.fault
        for pair in pair_results(match.result.places, () if fault is None else (fault.seat,)):
            won[match.set - first][match.seats[pair.seat]] += pair.doubled
            won[match.set - first][match.seats[pair.other]] += 2 - pair.doubled
    for table, halves in zip(tables[first:], won, strict=True):
        yield PlayedSet(table, tuple(halves[entry] for entry in table))


def _left_after(contest: Contest, state: RaceState) -> list[int | None]:
    """Return by entry after how many rounds it left; None for who is still in."""
    after: list[int | None] = [None] * len(contest.contenders)
    rounds = 0
    for had, left in zip(state.rounds, state.left, strict=True):
        rounds += had
        for entry in left:
            after[entry] = rounds
    return after


def _rows(contest: Contest, played: Sequence[Played]) -> list[Row]:
    return [
        row_of([match for match in played if entry in match.seats], entry)
        for entry in range(len(contest.contenders))
    ]


def _print(contest: Contest, race: Race, played: Sequence[Played], state: RaceState) -> None:
    rounds = sum(state.rounds)
    columns = (
        name("bot"),
        name("dropped out after"),
        number("Elo ±"),
        number("points"),
        number("matches", spare=1),
    )
    title = f"{contest.game} · race · {rounds} rounds · {len(played)} matches"
    table = FittedTable(title, (*columns, number("faults")))
    rows = _rows(contest, played)
    elo = elo_of_all(played, len(rows))
    after = _left_after(contest, state)
    for entry in sorted(
        range(len(rows)), key=lambda each: (-(after[each] or rounds + 1), -rows[each].points)
    ):
        row, left = rows[entry], after[entry]
        matches = sum(entry in match.seats for match in played)
        table.add(
            contest.contenders[entry].label,
            "still in" if left is None else f"{left} rounds",
            write_estimate(elo[entry], "+.0f"),
            f"{row.points:g}",
            str(matches),
            str(row.faults),
        )
    print_table(table)
    echo(POINTS)
    echo("Elo: relative to the mean of these bots, with its 95 % error")
    names = ", ".join(contest.contenders[entry].label for entry in state.still_in)
    may = f"{names} is the best" if len(state.still_in) == 1 else f"each of {names} may be the best"
    echo(f"{may} (error at most {100 * race.error:g} %)")
    echo(f"seed {contest.seed.hex()}")


def _to_document(contest: Contest, race: Race, played: Sequence[Played], state: RaceState) -> dict[str, Any]:
    after = _left_after(contest, state)
    rows = _rows(contest, played)
    elo = elo_of_all(played, len(rows))
    return contest.to_document() | {
        "error": race.error,
        "rounds": sum(state.rounds),
        "matches": len(played),
        "still_in": list(state.still_in),
        "bots": [
            {
                "bot": contender.bot,
                "label": contender.label,
                "version": contender.version,
                "left_after": left,
                "points": row.points,
                "elo": estimate_to_document(estimate),
                "faults": row.faults,
            }
            for contender, left, row, estimate in zip(contest.contenders, after, rows, elo, strict=True)
        ],
    }
