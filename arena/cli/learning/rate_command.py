"""`arena rate`: measures a bot against a pool of bots with fixed ratings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from arena.cli.match.progress_meter import Meter
from arena.cli.support.interruption import Interruption, same_command
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.devtools.project import is_project, read_project
from arena.games import registry
from arena.rl import reference_pool
from arena.rl.house_opponents import load_bot
from arena.rl.pool_matches import play_sets, tables
from arena.rl.pool_rating import rate
from arena.sdk.bot import Bot

_EXAMPLES = """\b
Examples:
  arena rate my-bot --pool reference-2026
  arena rate my_bot.py --game land_unter --pool reference-2026 --sets 50
"""
_OWN = "the bot that is rated"


@click.command(epilog=_EXAMPLES)
@click.argument("bot")
@click.option(
    "--pool", "pool_name", default="reference-2026", show_default=True, metavar="POOL", help="The pool."
)
@click.option("--game", metavar="GAME", help="The game, if the bot plays several.")
@click.option(
    "--sets",
    default=20,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Sets with each opponent.",
)
@json_option
def command(*, bot: str, pool_name: str, game: str | None, sets: int, as_json: bool) -> None:
    """Rate a bot at home against a frozen pool of house bots.

    It plays offline, without clocks, and with the same result each time.  A BOT is a project's folder or a file, in Python, and plays in
    this program's own process: rate only bots that you trust.  The Elo is relative to the pool's, in which greedy has 1500; its error bar does not contain the pool's own errors.  A bot that draws from
    `decision.random` only gets the same Elo each time.
    """
    file, games = _find(bot)
    played_game = _choose(bot, game, games)
    pool = reference_pool.read(pool_name, played_game)
    reference_pool.check(pool)

    def make(name: str) -> Bot[Any]:
        return load_bot(played_game, file if name == _OWN else name)

    met = tables([each.bot for each in pool.bots], pool.seats, _OWN)
    played = []
    is_own = file not in registry.package(played_game).house_bots
    label = f"{bot} (yours)" if is_own and bot in {each.bot for each in pool.bots} else bot
    interruption = Interruption()
    with interruption.catching(), Meter(len(met) * sets * pool.seats) as meter:
        for table in met:
            for one in play_sets(pool, table, sets, make):
                played.append(one)
                meter.reach(len(played) * pool.seats)
    done = f"{len(played)} of {len(met) * sets} sets are played"
    if not played:
        interruption.end(done, same_command())
    rating = rate(_OWN, played, {each.bot: each.elo for each in pool.bots})
    if as_json:
        head = {
            "bot": label,
            "game": played_game,
            "pool": pool.name,
            "pool_sha256": pool.sha256,
            "sets": sets,
        }
        tail = {"opponents": pool.bots, "interrupted": interruption.came is not None}
        print_json({**head, **asdict(rating), **tail})
        interruption.end(done, same_command())
        return
    echo(f"{label}: {rating.elo:.0f} ± {rating.error:.0f} Elo in {played_game}, {rating.matches} matches")
    echo(f"pool {pool.name}, SHA-256 {pool.sha256}")
    for each in sorted(pool.bots, key=lambda each: -each.elo):
        echo(f"  {each.bot:<12} {each.elo:>6.0f} ± {each.error:.0f}")
    interruption.end(done, same_command())


def _find(bot: str) -> tuple[str, tuple[str, ...]]:
    """Return the file of a bot, and the games that it says it plays.  Raises UsageError."""
    folder = Path(bot)
    if is_project(folder):
        project = read_project(folder)
        if project.entry.suffix != ".py":
            raise UsageError(
                f"bot {bot!r}: only bots in Python can be rated here; its program is {project.entry.name}"
            )
        return str(project.entry), project.games
    return bot, ()


def _choose(bot: str, game: str | None, games: tuple[str, ...]) -> str:
    """Return the game that is played.  Raises UsageError where that is not clear."""
    if game is None:
        if len(games) != 1:
            raise UsageError(f"bot {bot!r}: say which game with --game: {', '.join(games or registry.GAMES)}")
        return games[0]
    if games and game not in games:
        raise UsageError(f"game {game!r}: {bot} plays {', '.join(games)}")
    return registry.find(game).id
