"""`arena bot submit` and what follows it: an author's bots at an arena that the author has signed in to."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.bundle_format.bundle import read_upload
from arena.cli.bot import weights_upload
from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, link_of, reads, writes
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo, print_table
from arena.competition.qualification.submissions import VersionRow
from arena.core.errors import UsageError
from arena.devtools import upload_file
from arena.reports.tournament_details import TournamentPage
from arena.service.paging import MAX_LIMIT

Command = TypeVar("Command", bound=Callable[..., Any])
_Found = TypeVar("_Found")

_EVERY_S = 0.5
_MAX_WAIT_S = 1800.0


def game_option(command: Command) -> Command:
    """Add `--game GAME`."""
    return click.option(
        "--game", metavar="GAME", help="The bot's game, where you have bots of that name in several."
    )(command)


def wait_option(command: Command) -> Command:
    """Add `--no-wait`."""
    return click.option("--no-wait", is_flag=True, help="Do not wait until it has been played.")(command)


@click.command("submit")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="The game of a .py file; a project has it in its bot.toml.")
@click.option("--name", metavar="NAME", help="The bot's name.  [default: that of the file, or bot.toml's]")
@wait_option
@json_option
@writes
def submit(
    arena: Arena, *, path: Path, game: str | None, name: str | None, no_wait: bool, as_json: bool
) -> None:
    """Submit a bot, which becomes its newest version.

    PATH is a .py file, a zip with a bot.toml, or a project's folder.  Weights that bot.toml names are sent before it, where the arena does not have them yet.
    The bot plays a short match against random first; if it fails, the command says why, and ends with exit code 1.

    \b
    Examples:
      arena bot submit my-bot
      arena bot submit my_bot.py --game lost_cities
    """
    data, filename = upload_file.read(path)
    made = read_upload(data, filename, game=game, name=name)  # what is wrong is known before anything is sent
    weights = weights_upload.find(path, made.manifest)
    weights_upload.send(arena, weights)
    rows = arena.bots.submit(data, filename=filename, game=game, name=name)
    if not no_wait:
        rows = tuple(wait_for_verdict(arena, row) for row in rows)
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            _show_version(row)
    if any(row.state == "failed" for row in rows):
        sys.exit(1)


@click.group("version", cls=NounGroup, usual=lambda args: ["list", *args])
def version() -> None:
    """List the versions of a bot of yours."""


@version.command("list")
@click.argument("name")
@game_option
@json_option
@reads
def list_versions(arena: Arena, *, name: str, game: str | None, as_json: bool) -> None:
    """List the versions of a bot of yours, and why one failed.

    \b
    Example:
      arena bot version list my-bot
    """
    rows = tuple(arena.bots.list_versions(game_of(arena, name, game), name))
    if as_json:
        print_json(rows)
        return
    print_table(terminal_tables.versions(rows))
    for row in rows:
        if row.reason:
            echo(f"{row.bot}@{row.version}: {row.reason}")
        if not row.files_kept:
            echo(f"{row.bot}@{row.version}: its files are no longer kept; its results stay")


@click.command("withdraw")
@click.argument("name")
@game_option
@json_option
@writes
def withdraw(arena: Arena, *, name: str, game: str | None, as_json: bool) -> None:
    """Withdraw a bot of yours, or one of its versions.

    NAME@2 is one version.  It cannot be entered any more; tournaments that it is in are played to their end.

    \b
    Example:
      arena bot withdraw my-bot
    """
    _print_version(arena.bots.withdraw_version(game_of(arena, name, game), name), as_json=as_json)


@click.command("restore")
@click.argument("name")
@game_option
@wait_option
@json_option
@writes
def restore(arena: Arena, *, name: str, game: str | None, no_wait: bool, as_json: bool) -> None:
    """Make a version of a bot of yours the active one.

    NAME is the newest version, NAME@2 that one.  A version that has failed its qualification, or has not had it, is tried again.

    \b
    Example:
      arena bot restore my-bot@2
    """
    row = arena.bots.restore_version(game_of(arena, name, game), name)
    if not no_wait:
        row = wait_for_verdict(arena, row)
    _print_version(row, as_json=as_json)
    if row.state == "failed":
        sys.exit(1)


@click.command("challenge")
@click.argument("mine")
@click.argument("others", nargs=-1, required=True)
@game_option
@wait_option
@json_option
@writes
def challenge(
    arena: Arena, *, mine: str, others: tuple[str, ...], game: str | None, no_wait: bool, as_json: bool
) -> None:
    """Have a bot of yours play a set against others, unrated.

    \b
    Examples:
      arena bot challenge my-bot greedy
      arena bot challenge my-bot@1 my-bot@2 --game lost_cities
    """
    number = arena.bots.challenge(game_of(arena, mine, game), mine, others=others).tournament
    page = None if no_wait else wait_until_finished(arena, number)
    rows = () if page is None else tuple(arena.tournaments.list_matches(number))
    if as_json:
        print_json({"tournament": number, "state": page and page.state, "matches": rows})
        return
    if rows:
        print_table(terminal_tables.challenge(rows))
    echo(f"Challenge {number}: {link_of(arena, number)}")


def game_of(arena: Arena, name: str, game: str | None) -> str:
    """Return the game that is given, or that of the only bot of this name: one of ours, else of any owner, for admins.

    Raises UsageError.
    """
    if game is not None:
        return game
    me, bot = arena.accounts.me().name, name.partition("@")[0]
    named = [row for row in arena.bots.list(limit=MAX_LIMIT) if row.bot == bot]
    games = sorted({row.game for row in [row for row in named if row.owner == me] or named})
    if not games:
        raise UsageError(f"bot {bot!r}: there is none of that name; `arena bot list` shows them")
    if len(games) > 1:
        raise UsageError(
            f"bot {bot!r}: plays {', '.join(games)}; say which with --game, such as --game {games[0]}"
        )
    return games[0]


def wait_for_verdict(arena: Arena, row: VersionRow) -> VersionRow:
    """Wait until a version has been judged, and return it; for one that runs elsewhere that may take too long."""
    if row.source != "hosted":
        return row

    def look() -> VersionRow:
        found = arena.bots.list_versions(row.game, row.bot)
        return next(each for each in found if each.version == row.version)

    return _wait(look, lambda found: found.state != "waiting")


def wait_until_finished(arena: Arena, tournament: int) -> TournamentPage:
    """Wait until a tournament is finished, and return it."""
    return _wait(lambda: arena.tournaments.show(tournament), lambda page: page.state == "finished")


def _wait(look: Callable[[], _Found], done: Callable[[_Found], bool]) -> _Found:
    """Look again and again, until it is done or has taken very long."""
    until = time.monotonic() + _MAX_WAIT_S
    found = look()
    while not done(found) and time.monotonic() < until:
        time.sleep(_EVERY_S)
        found = look()
    return found


def _print_version(row: VersionRow, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        _show_version(row)


def _show_version(row: VersionRow) -> None:
    name = f"{row.bot}@{row.version}"
    echo(f"Bot {name} of {row.game}: {row.state}")
    if row.reason:
        echo(row.reason)
        echo(f"What it printed: `arena bot log list {name} --game {row.game}` names its matches")
    elif row.state == "waiting":
        when = "" if row.source == "hosted" else " as soon as it is connected"
        echo(f"It is to qualify{when}; `arena bot version list {row.bot}` says how that went")
    elif row.state == "active":
        echo(f"Try it: `arena bot challenge {row.bot} greedy --game {row.game}`")
