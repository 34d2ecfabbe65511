"""`arena game check`: one list of all that is missing of a game, by file."""

from __future__ import annotations

import sys

import click

from arena.cli.game.named_games import resolve_games
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo


@click.command("check")
@click.argument("games", metavar="[NAME]...", nargs=-1)
@json_option
def command(*, games: tuple[str, ...], as_json: bool) -> None:
    """List everything that a game lacks, by file.

    A NAME is a game's id, or the folder of a project that is not installed; without any, all games are looked at.  Looked at are files, docs, messages, words, house bots, and, in matches at random, rules,
    views, samplers, boards, what is hidden, and the golden matches.  The exit code is 1 if anything is missing.

    \b
    Examples:
      arena game check tichu
      arena game check ./arena-game-tichu
    """
    chosen = resolve_games(games)
    from arena.cli.game.game_gaps import find_gaps  # noqa: PLC0415 - the pages take the games as they are now

    found = {game: find_gaps(game) for game in chosen}
    if as_json:
        print_json(found)
    for game, gaps in {} if as_json else found.items():
        echo(f"{game}: nothing is missing" if not gaps else f"{game}: {len(gaps)} missing")
        for gap in gaps:
            echo(f"  {gap.file}: {gap.text}")
    sys.exit(1 if any(found.values()) else 0)
