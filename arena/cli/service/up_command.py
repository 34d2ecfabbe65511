"""`arena up`: everything on this machine."""

from __future__ import annotations

import os
from pathlib import Path

import click

from arena.cli.service.tournament_display import TournamentDisplay
from arena.cli.support.output import PlainConsole
from arena.core.settings import read
from arena.supervisor.arena import ArenaOptions, run

_PIPE_WIDTH = 160


@click.command("up")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Data directory.  [default: ARENA_DATA, else ~/.local/share/bot-arena]",
)
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Port of the dashboard.",
)
@click.option(
    "--bots-port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Port of 127.0.0.1 where bots dial in.  [default: ARENA_BOTS_PORT, else 8001, or a free one]",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Workers that play tournaments.  [default: one per core]",
)
@click.option(
    "--referees",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    metavar="N",
    help="Referees that play matches: one keeps a core busy.  They share the machine's memory and cores.",
)
@click.option("--no-demo", is_flag=True, help="Do not begin tournaments in an empty store.")
def command(
    data: Path | None,
    port: int,
    bots_port: int | None,
    workers: int | None,
    referees: int,
    *,
    no_demo: bool,
) -> None:
    """Run the whole arena on this machine.

    It starts Redis, referee, workers, dashboard and house bots.  Everything is in the data directory, and the next start goes on from there.  An empty store gets a
    tournament of house bots in each game.  Ctrl-C stops all that was started and loses nothing; a second one does not wait.

    \b
    Example:
      arena up --data ./data --port 8080
    """
    settings = read() if data is None else read(data=data)
    if bots_port is not None:
        settings = settings.model_copy(update={"bots_port": bots_port})
    options = ArenaOptions(
        port=port, workers=workers or os.cpu_count() or 1, referees=referees, demo=not no_demo
    )
    run(settings, options, TournamentDisplay(PlainConsole(pipe_width=_PIPE_WIDTH)))
