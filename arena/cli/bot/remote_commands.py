"""`arena bot add | list | show | token`: bots that run elsewhere, and the list of all."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Literal

import click

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.cli.bot.author_commands import game_of, game_option
from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, arena_options, choose, opened_to_write, reads, writes
from arena.cli.support.json_output import json_option, print_json, print_result, print_rows
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.secret_input import read_token
from arena.cli.support.store_option import opened_store
from arena.core.errors import UsageError
from arena.core.settings import settings
from arena.service.composed_answers import Added
from arena.service.paging import MAX_LIMIT
from arena.service.requests import Addition


@click.command("add")
@click.argument("game")
@click.argument("name")
@click.option("--dial-in", is_flag=True, help="It connects to the arena, with the token that this prints.")
@click.option("--endpoint", "address", metavar="HOST:PORT", help="It listens there, and the arena connects.")
@click.option(
    "--secret-file",
    type=click.File("rb"),
    metavar="FILE",
    help="What the arena presents to an endpoint: the one line of this file, or - for stdin.",
)
@click.option(
    "--owner",
    metavar="USER",
    help="In the store here: the user whose bot it is.  [default: the operator, who vouches for it]",
)
@arena_options
@json_option
def add(
    *,
    game: str,
    name: str,
    dial_in: bool,
    address: str | None,
    secret_file: IO[bytes] | None,
    owner: str | None,
    url: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Add a bot that runs on a machine of yours.

    An author's bot plays a short qualification when it is first there; then it can be entered in tournaments.
    A token is shown once: the arena keeps only its hash.

    \b
    Examples:
      arena bot add lost_cities my-bot --dial-in --arena https://arena.example.org
      arena bot add lost_cities other-bot --endpoint bots.example.org:7001 --secret-file secret.txt
    """
    if dial_in == (address is not None):
        raise UsageError(f"bot {name!r}: give one of --dial-in and --endpoint HOST:PORT")
    if dial_in and secret_file is not None:
        raise UsageError("secret-file: only an endpoint is presented a secret; leave it out with --dial-in")
    secret = None if secret_file is None else read_token(secret_file, "Secret")
    target = choose(url, data)
    if owner is not None and target.url:
        raise UsageError(
            f"owner {owner!r}: at an arena elsewhere the bot is yours; leave it out, or give --data DIR"
        )
    with opened_to_write(target) as arena:
        if owner is None:
            source: Literal["dial_in", "endpoint"] = "dial_in" if dial_in else "endpoint"
            wish = Addition(name=name, source=source, address=address, secret=secret)
            added = arena.bots.add(game, wish)
        else:
            added = _add_for(owner, data, game, name, address, secret)
        if as_json:
            print_json(added)
            return
        if address is None:
            _show_token(added, arena)
        else:
            echo(f"Bot {name} of {game}: endpoint {address}")
        version = next(iter(arena.bots.list_versions(game, name)))
    if version.state == "active":
        echo(f"Enter it with `arena tournament create {game} --bots {name},greedy`")
    else:
        echo("When it is there it plays sets against house bots; then it can be entered.")
        echo(f"How that went: `arena bot version list {name} --game {game}`")


def _add_for(
    owner: str, data: Path | None, game: str, name: str, address: str | None, secret: str | None
) -> Added:
    """Add a bot for a user, in the store here, as its operator."""
    with opened_store(data) as store:
        if address is None:
            return Added.of(bots.add_dial_in(store, OPERATOR, game, name, owner=owner))
        private = settings().private_endpoints
        row = bots.add_endpoint(store, OPERATOR, game, name, address, secret, private=private, owner=owner)
        return Added(row.game, row.bot, row.source, None, None)


@click.command("list")
@click.argument("game", required=False)
@json_option
@reads
def list_command(arena: Arena, *, game: str | None, as_json: bool) -> None:
    """List all bots, or those of one game.

    \b
    Examples:
      arena bot list
      arena bot list lost_cities --json
    """
    rows = tuple(arena.bots.list(game=game, limit=MAX_LIMIT))
    print_rows(
        rows,
        terminal_tables.bots,
        "No bots yet: `arena db upgrade` brings the house bots, `arena bot add GAME NAME` others",
        as_json=as_json,
    )


@click.command("show")
@click.argument("name")
@game_option
@json_option
@reads
def show(arena: Arena, *, name: str, game: str | None, as_json: bool) -> None:
    """Show how a bot of yours is connected.

    \b
    Example:
      arena bot show my-bot
    """
    status = arena.bots.show_connection(game_of(arena, name, game), name)
    if as_json:
        print_json(status)
    elif status.address is not None:
        echo(f"Bot {name}: endpoint {status.address}")
    elif status.token_id is None:
        echo(f"Bot {name}: the arena starts it, or it has no token")
    else:
        there = {True: "connected", False: "not connected", None: "not known whether it is connected"}
        echo(f"Bot {name}: dials in with the token {status.token_id}, {there[status.present]}")


def _usual(args: list[str]) -> list[str]:
    if "--revoke" not in args:
        return ["create", *args]
    return ["revoke", *(each for each in args if each != "--revoke")]


@click.group("token", cls=NounGroup, usual=_usual)
def token() -> None:
    """Create and revoke tokens of bots that dial in."""


@token.command("create")
@click.argument("game")
@click.argument("name")
@json_option
@writes
def create_token(arena: Arena, *, game: str, name: str, as_json: bool) -> None:
    """Create a new token for a bot, and revoke its old one.

    \b
    Example:
      arena bot token create lost_cities my-bot
    """
    made = arena.bots.renew_token(game, name)
    if as_json:
        print_json(made)
    else:
        _show_token(made, arena)


@token.command("revoke")
@click.argument("game")
@click.argument("name")
@json_option
@writes
def revoke_token(arena: Arena, *, game: str, name: str, as_json: bool) -> None:
    """Revoke the token of a bot, which cannot connect any more.

    \b
    Example:
      arena bot token revoke lost_cities my-bot --arena https://arena.example.org
    """
    arena.bots.revoke_token(game, name)
    print_result(
        {"game": game, "bot": name, "revoked": True},
        f"Bot {name} of {game}: its token counts no longer",
        as_json=as_json,
    )


def _show_token(made: Added, arena: Arena) -> None:
    echo(f"Bot {made.bot} of {made.game}: token id {made.token_id}")
    echo(f"ARENA_TOKEN={made.token}")
    if referees := arena.bots.show_connection(made.game, made.bot).referees:
        echo(f"ARENA_REFEREE={referees[0]}")
        echo("The token is not shown again.  Start the bot with these two in its environment.")
    else:
        echo(
            "It is not shown again.  Start the bot with it, and with the referee's address in ARENA_REFEREE.  No worker has announced one yet:"
            " `arena up` prints it (Bots dial in at …), and the bot's page shows it as soon as a worker runs."
        )
