"""`arena match`: plays at home, through a real referee with real bot processes, without database or Redis."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click

from arena.cli.match.contenders import read_contenders, split_game
from arena.cli.match.contest import Contest, read_seed
from arena.cli.match.home_options import bots_and_variant, how_it_is_played
from arena.cli.match.home_referee import home_referee
from arena.cli.match.progress_meter import Meter
from arena.cli.match.scoresheet import print_scoresheet, to_document
from arena.cli.support.game_options import read_options
from arena.games import registry
from arena.match.clock import parse_time_control

_EXAMPLES = """\b
Examples:
  arena match lost_cities greedy random --sets 20
  arena match my-bot greedy --sets 20
  arena match lost_cities my_bot.py greedy --option hands=1 --records out
  arena match land_unter greedy greedy my_bot.py 127.0.0.1:7000 --time 5+0.05
"""


@click.command(epilog=_EXAMPLES)
@bots_and_variant
@click.option(
    "--sets", default=1, show_default=True, type=click.IntRange(min=1), help="How many sets to play."
)
@how_it_is_played
def command(
    *,
    bots: tuple[str, ...],
    variant: str | None,
    options: tuple[str, ...],
    sets: int,
    time: str,
    seed: str | None,
    records: Path | None,
    sandbox: bool,
    as_json: bool,
) -> None:
    """Play matches at home, without database or Redis.

    A BOT is a house bot's name, a project's folder (`arena bot new`), a file such as my_bot.py, or HOST:PORT of a bot
    that listens; the same one may sit in several seats.  GAME may be left out if the first bot is a project that plays
    one game.  A bot that listens is dialled with TLS unless it is on this machine or its address begins with
    http://; it is presented ARENA_BOT_SECRET, if that is set.

    In a set every bot plays every seat once with the same deal, so that luck falls on all alike.  Set 0 has the
    seed that is given, set i has HMAC-SHA256(seed, "i"); so the same seed gives the same matches.
    """
    game, bots = split_game(bots)
    setup = registry.find(game).setup(len(bots), variant=variant, options=read_options(options))
    control = parse_time_control(time)
    contest = Contest(game, setup, control, read_seed(seed), read_contenders(game, bots))
    plan = contest.plan_series(sets)
    with home_referee(records, sandbox=sandbox) as referee:
        played = asyncio.run(referee.play(contest, plan, Meter(len(plan))))
    if as_json:
        click.echo(json.dumps(to_document(contest, played), indent=2))
    else:
        print_scoresheet(contest, played, records)
