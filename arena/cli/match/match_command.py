"""`arena match`: plays at home, through a real referee with real bot processes, without database or Redis."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import sys
from contextlib import aclosing
from pathlib import Path
from types import FrameType
from typing import Self

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.cli.match.contenders import read_contenders, split_game
from arena.cli.match.contest import Contest
from arena.cli.match.match_series import play, write_notes, write_record
from arena.cli.match.match_tally import Played
from arena.cli.match.scoresheet import print_scoresheet, to_document
from arena.cli.support.game_options import game_options, read_options
from arena.core.errors import UsageError
from arena.core.settings import settings
from arena.games import registry
from arena.match.clock import STANDARD, parse_time_control
from arena.referee_client import local_referee
from arena.scheduling import seeds

_EXAMPLES = """\b
Examples:
  arena match lost_cities greedy random --sets 20
  arena match my-bot greedy --sets 20
  arena match lost_cities my_bot.py greedy --option hands=1 --records out
  arena match land_unter greedy greedy my_bot.py 127.0.0.1:7000 --time 5+0.05
"""


@click.command(epilog=_EXAMPLES)
@click.argument("bots", nargs=-1, required=True, metavar="[GAME] BOT BOT...")
@click.option("--variant", help="The variant; the game's first one if not given.")
@game_options
@click.option(
    "--sets", default=1, show_default=True, type=click.IntRange(min=1), help="How many sets to play."
)
@click.option(
    "--time", default=str(STANDARD), show_default=True, metavar="BASE+INC", help="Seconds per seat."
)
@click.option(
    "--seed", metavar="HEX", help="64 hex digits that all chance follows from; random if not given."
)
@click.option(
    "--records", type=click.Path(path_type=Path), metavar="DIR", help="Write one JSON file per match."
)
@click.option("--sandbox", is_flag=True, help="Run the bots as the arena does, each in a sandbox of its own.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
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
    rules = registry.find(game)
    contest = Contest(
        game=game,
        setup=rules.setup(len(bots), variant=variant, options=read_options(options)),
        time=parse_time_control(time),
        seed=seeds.parse_secret(seed, "seed")
        if seed is not None
        else secrets.token_bytes(seeds.SECRET_BYTES),
        contenders=read_contenders(game, bots),
        sets=sets,
    )
    if records is not None:
        make_folder(records)
    signal.signal(signal.SIGTERM, leave)
    with local_referee(ca=settings().ca, sandbox="on" if sandbox else "off") as address:
        played = asyncio.run(_play(address, contest, records))
    if as_json:
        click.echo(json.dumps(to_document(contest, played), indent=2))
    else:
        print_scoresheet(contest, played, records)


async def _play(address: str, contest: Contest, records: Path | None) -> list[Played]:
    plan = contest.plan()
    played = []
    with Meter(len(plan)) as meter:
        async with aclosing(play(address, [contest.order(match) for match in plan.values()])) as reports:
            async for report in reports:
                match = plan[report.match]
                if records is not None:
                    write_record(records, report.match, report.text)
                    write_notes(records, report.match, report.notes)
                played.append(Played(match.set, match.lane, match.id, match.seats, report.record.result))
                meter.advance()
    return sorted(played, key=lambda each: (each.set, each.match))


class Meter:
    """Shows progress on stderr: a bar on a terminal, a plain line every tenth of the way in a pipe."""

    def __init__(self, total: int, *, says_lines: bool = True) -> None:
        """Begin with none of `total` matches played; without `says_lines` a pipe gets nothing."""
        self._says_lines = says_lines
        self._total = total
        self._done = 0
        console = Console(stderr=True)
        self._bar = None
        if console.is_terminal:
            columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=console, transient=True)
            self._task = self._bar.add_task("matches", total=total)

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def advance(self) -> None:
        """Count one match more."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """Show that so many matches have been played."""
        before, self._done = self._done, done
        if self._bar:
            self._bar.update(self._task, completed=done)
        elif self._says_lines and done * 10 // self._total > before * 10 // self._total:
            click.echo(f"{done} of {self._total} matches played", err=True)


def make_folder(folder: Path) -> None:
    """Make the folder for records.  Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"records {str(folder)!r}: {error.strerror}; give a folder that can be written"
        ) from error


def leave(_signal: int, _frame: FrameType | None) -> None:
    """End on a signal as if it had been an error: what was started is stopped."""
    sys.exit(128 + signal.SIGTERM)
