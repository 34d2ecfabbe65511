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
from arena.cli.support.arena_option import arena_option, connected
from arena.cli.support.output import echo
from arena.cli.support.store_option import json_option, print_json
from arena.client import ArenaClient, Row
from arena.core.errors import UsageError
from arena.devtools import upload_file

Command = TypeVar("Command", bound=Callable[..., Any])

_EVERY_S = 0.5
_MAX_WAIT_S = 1800.0


def _game_option(command: Command) -> Command:
    return click.option(
        "--game", metavar="GAME", help="The bot's game, where you have bots of that name in several."
    )(command)


def _wait_option(command: Command) -> Command:
    return click.option("--no-wait", is_flag=True, help="Do not wait until it has been played.")(command)


@click.command("submit")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="What a .py file plays; a project's bot.toml says it itself.")
@click.option("--name", metavar="NAME", help="The bot's name.  [default: that of the file, or bot.toml's]")
@_wait_option
@arena_option
@json_option
def submit(
    *, path: Path, game: str | None, name: str | None, no_wait: bool, url: str | None, as_json: bool
) -> None:
    """Submit a bot: a .py file, a zip with a bot.toml, or a project's folder; it becomes the newest version.

    Weights that bot.toml names are sent before it, where the arena does not have them yet.
    It plays a short match against random first; if it fails, this says why, and ends with exit code 1.

    \b
    Examples:
      arena bot submit my-bot
      arena bot submit my_bot.py --game lost_cities
    """
    data, filename = upload_file.read(path)
    made = read_upload(data, filename, game=game, name=name)  # what is wrong is known before anything is sent
    weights = weights_upload.find(path, made.manifest)
    with connected(url) as client:
        weights_upload.send(client, weights)
        rows = client.submit_bot(data, filename=filename, game=game, name=name)
        if not no_wait:
            rows = [wait_for_verdict(client, row) for row in rows]
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            _show_version(row)
    if any(row["state"] == "failed" for row in rows):
        sys.exit(1)


@click.command("versions")
@click.argument("name")
@_game_option
@arena_option
@json_option
def versions(*, name: str, game: str | None, url: str | None, as_json: bool) -> None:
    """List the versions of a bot of yours, and why one failed its qualification.

    \b
    Example:
      arena bot versions my-bot
    """
    with connected(url) as client:
        rows = client.list_versions(game_of(client, name, game), name)
    if as_json:
        print_json(rows)
        return
    terminal_tables.print_table(terminal_tables.versions(rows))
    for row in rows:
        if row["reason"]:
            echo(f"{row['bot']}@{row['version']}: {row['reason']}")
        if not row["files_kept"]:
            echo(f"{row['bot']}@{row['version']}: its files are no longer kept; its results stay")


@click.command("withdraw")
@click.argument("name")
@_game_option
@arena_option
@json_option
def withdraw(*, name: str, game: str | None, url: str | None, as_json: bool) -> None:
    """Take a bot of yours, or one version of it (NAME@2), out of what can be entered.

    Tournaments that it is in already are played to their end.

    \b
    Example:
      arena bot withdraw my-bot
    """
    with connected(url) as client:
        row = client.withdraw_version(game_of(client, name, game), name)
    _print_version(row, as_json=as_json)


@click.command("restore")
@click.argument("name")
@_game_option
@_wait_option
@arena_option
@json_option
def restore(*, name: str, game: str | None, no_wait: bool, url: str | None, as_json: bool) -> None:
    """Make the newest version of a bot of yours, or the one that is named (NAME@2), the active one.

    One that has failed its qualification, or has not had it, is tried again.

    \b
    Example:
      arena bot restore my-bot@2
    """
    with connected(url) as client:
        row = client.restore_version(game_of(client, name, game), name)
        if not no_wait:
            row = wait_for_verdict(client, row)
    _print_version(row, as_json=as_json)
    if row["state"] == "failed":
        sys.exit(1)


@click.command("challenge")
@click.argument("mine")
@click.argument("others", nargs=-1, required=True)
@_game_option
@_wait_option
@arena_option
@json_option
def challenge(
    *, mine: str, others: tuple[str, ...], game: str | None, no_wait: bool, url: str | None, as_json: bool
) -> None:
    """Have a bot of yours play others at the arena, every seat once; it counts for no table.

    \b
    Examples:
      arena bot challenge my-bot greedy
      arena bot challenge my-bot@1 my-bot@2 --game lost_cities
    """
    with connected(url) as client:
        begun = client.challenge(game_of(client, mine, game), mine, others)
        number = begun["tournament"]
        if no_wait:
            page, rows = None, []
        else:
            page = wait_until_done(
                lambda: client.show_tournament(number),
                lambda found: found["state"] == "finished",
            )
            rows = client.list_matches(number)
        address = f"{client.url}/tournaments/{number}"
    if as_json:
        print_json({"tournament": number, "state": page and page["state"], "matches": rows})
        return
    if rows:
        terminal_tables.print_table(terminal_tables.challenge(rows))
    echo(f"Challenge {number}: {address}")


@click.command("logs")
@click.argument("name")
@click.option(
    "--match", "match_id", metavar="ID", help="Show what it printed in this match, and its timings."
)
@click.option("--limit", type=click.IntRange(1, 50), default=20, show_default=True, help="How many matches.")
@_game_option
@arena_option
@json_option
def logs(
    *, name: str, match_id: str | None, limit: int, game: str | None, url: str | None, as_json: bool
) -> None:
    """List the last matches of a bot of yours with its times; or show what it printed in one of them.

    \b
    Examples:
      arena bot logs my-bot
      arena bot logs my-bot@2 --match 5e8f0c2d41b7a963
    """
    with connected(url) as client:
        of = game_of(client, name, game)
        if match_id is None:
            rows = client.list_logs(of, name, limit=limit)
        else:
            rows = client.show_log(of, name, match_id)
    if as_json:
        print_json(rows)
    elif match_id is None:
        terminal_tables.print_table(terminal_tables.logs(rows))
    else:
        for row in rows:
            _show_log(row)


@click.command("notes")
@click.argument("name")
@click.option(
    "--public/--private", "public", default=None, help="Let everybody read them, or yourself alone."
)
@_game_option
@arena_option
@json_option
def notes(*, name: str, public: bool | None, game: str | None, url: str | None, as_json: bool) -> None:
    """Show or set who may read what a bot of yours notes beside its answers.

    Nobody can before a match is open to all.  What you set counts for earlier matches as well.

    \b
    Examples:
      arena bot notes my-bot
      arena bot notes my-bot --public
    """
    with connected(url) as client:
        of = game_of(client, name, game)
        if public is None:
            row = client.show_note_visibility(of, name)
        else:
            row = client.set_note_visibility(of, name, public=public)
    if as_json:
        print_json(row)
    else:
        who = "everybody, once a match is open" if row["public"] else "you alone, once a match is open"
        echo(f"The notes of {name} can be read by {who}")


def game_of(client: ArenaClient, name: str, game: str | None) -> str:
    """Return the game of a bot of ours, or of anybody's if we have none of its name: admins may act on all.

    If it is not given it is that of the only one of its name.  Raises UsageError.
    """
    if game is not None:
        return game
    me, bot = client.me()["name"], name.partition("@")[0]
    named = [row for row in client.list_bots() if row["bot"] == bot]
    games = sorted({row["game"] for row in [row for row in named if row["owner"] == me] or named})
    if not games:
        raise UsageError(f"bot {bot!r}: there is none of that name; `arena bot list` shows them")
    if len(games) > 1:
        raise UsageError(
            f"bot {bot!r}: plays {', '.join(games)}; say which with --game, such as --game {games[0]}"
        )
    return str(games[0])


def wait_for_verdict(client: ArenaClient, row: Row) -> Row:
    """Wait until a version has been judged, and give it as it is then; for one that runs elsewhere that may be long."""
    if row["source"] != "hosted":
        return row

    def look() -> Row:
        found = client.list_versions(row["game"], row["bot"])
        return next(each for each in found if each["version"] == row["version"])

    return wait_until_done(look, lambda found: found["state"] != "waiting")


def wait_until_done(look: Callable[[], Row], done: Callable[[Row], bool]) -> Row:
    """Look again and again, until it is done or has taken very long."""
    until = time.monotonic() + _MAX_WAIT_S
    found = look()
    while not done(found) and time.monotonic() < until:
        time.sleep(_EVERY_S)
        found = look()
    return found


def _print_version(row: Row, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
    else:
        _show_version(row)


def _show_version(row: Row) -> None:
    name = f"{row['bot']}@{row['version']}"
    echo(f"Bot {name} of {row['game']}: {row['state']}")
    if row["reason"]:
        echo(row["reason"])
        echo(f"What it printed: `arena bot logs {name} --game {row['game']}` names its matches")
    elif row["state"] == "waiting":
        when = "" if row["source"] == "hosted" else " as soon as it is connected"
        echo(f"It is to qualify{when}; `arena bot versions {row['bot']}` says how that went")
    elif row["state"] == "active":
        echo(f"Try it: `arena bot challenge {row['bot']} greedy --game {row['game']}`")


def _show_log(log: Row) -> None:
    row = log["row"]
    echo(
        f"Match {row['id']}, seat {row['seat']}, version {row['version']}: {row['end']}, place {row['place']}"
    )
    if row["fault"]:
        echo(f"Fault: {row['fault']}")
    if not row["record_kept"]:
        echo("Its record is no longer stored, so its times are not known.")
    for timing in log["timings"]:
        echo(f"  step {timing['step']}: {timing['action']}, {timing['ms']:g} ms")
    if log["dropped"]:
        echo(f"It printed {log['dropped']} bytes before this:")
    nothing = "It printed nothing." if row["output_kept"] else "What it printed is no longer stored."
    echo(log["stderr"] or nothing)
    if log["notes_dropped"]:
        echo(f"Of its notes {log['notes_dropped']} were dropped; the first one: {log['notes_reason']}")
