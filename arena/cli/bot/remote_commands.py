"""`arena bot add | list | token`: bots that run elsewhere, and the list of all.

Without `--arena` they work on the store, as its operator; with it they ask that arena, as the user who is signed in there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from redis.exceptions import RedisError
from rich.table import Table

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.bot_registry.bot_version import BotVersion
from arena.bot_registry.bots import NewToken
from arena.cli.support import terminal_tables
from arena.cli.support.arena_option import connected
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.secret_input import read_token
from arena.cli.support.store_option import data_option, opened
from arena.client import Row
from arena.core.errors import UsageError
from arena.core.settings import read, settings
from arena.games import registry
from arena.messaging import presence
from arena.messaging.redis_connection import connect_quickly

Command = TypeVar("Command", bound=Callable[..., Any])


def _where(command: Command) -> Command:
    """Add what names the store or the arena: `--data DIR`, `--arena URL`, `--json`."""
    elsewhere = click.option(
        "--arena",
        "url",
        metavar="URL",
        help="Do it at an arena that you have signed in to, instead of in the store here.",
    )
    return data_option(elsewhere(json_option(command)))


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
@_where
def add(
    *,
    game: str,
    name: str,
    dial_in: bool,
    address: str | None,
    secret_file: IO[bytes] | None,
    owner: str | None,
    data: Path | None,
    url: str | None,
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
    _check_one(data, url)
    if dial_in == (address is not None):
        raise UsageError(f"bot {name!r}: give one of --dial-in and --endpoint HOST:PORT")
    if dial_in and secret_file is not None:
        raise UsageError("secret-file: only an endpoint is presented a secret; leave it out with --dial-in")
    if owner is not None and url is not None:
        raise UsageError(
            f"owner {owner!r}: at an arena elsewhere the bot is yours; leave it out with --arena"
        )
    secret = None if secret_file is None else read_token(secret_file, "Secret")
    if url is not None:
        _add_elsewhere(url, game, name, address, secret, as_json=as_json)
        return
    with opened(data) as store:
        if address is None:
            made = bots.add_dial_in(store, OPERATOR, game, name, owner=owner)
            _show_token(asdict(made), as_json=as_json, referee=_referee_here(data))
            added = bots.find(store, game, name)
        else:
            private = settings().private_endpoints
            added = bots.add_endpoint(
                store, OPERATOR, game, name, address, secret, private=private, owner=owner
            )
            _show_endpoint(added, as_json=as_json)
    if not as_json:
        _show_next(game, name, qualified=added.state == bots.ACTIVE)


@click.command("list")
@click.argument("game", required=False)
@_where
def list_command(*, game: str | None, data: Path | None, url: str | None, as_json: bool) -> None:
    """List all bots, or those of one game.

    \b
    Examples:
      arena bot list
      arena bot list lost_cities --json
    """
    _check_one(data, url)
    if url is not None:
        with connected(url) as client:
            found = client.list_bots(game=game)
        _show_list(found, terminal_tables.listed_bots(found), as_json=as_json)
        return
    if game is not None:
        registry.find(game)
    with opened(data) as store:
        rows = bots.listing(store, game)
    said = [
        {
            **asdict(row),
            "plays": row.tables.of_game(row.game),
            "suspensions": {variant: each.reason for variant, each in row.suspended_in.items()},
        }
        for row in rows
    ]
    _show_list(said, terminal_tables.bots(rows), as_json=as_json)


def _usual(args: list[str]) -> list[str]:
    if "--revoke" not in args:
        return ["create", *args]
    return ["revoke", *(each for each in args if each != "--revoke")]


@click.group("token", cls=NounGroup, usual=_usual)
def token() -> None:
    """Create and revoke tokens of bots that dial in.

    \b
    Example:
      arena bot token create lost_cities my-bot
    """


@token.command("create")
@click.argument("game")
@click.argument("name")
@_where
def create_token(*, game: str, name: str, data: Path | None, url: str | None, as_json: bool) -> None:
    """Create a new token for a bot, and revoke its old one.

    \b
    Example:
      arena bot token create lost_cities my-bot
    """
    _check_one(data, url)
    if url is not None:
        with connected(url) as client:
            made = client.renew_bot_token(game, name)
            referee = next(iter(client.show_connection(game, name)["referees"]), "")
    else:
        with opened(data) as store:
            made = asdict(bots.renew_token(store, OPERATOR, game, name))
            referee = _referee_here(data)
    _show_token(made, as_json=as_json, referee=referee)


@token.command("revoke")
@click.argument("game")
@click.argument("name")
@_where
def revoke_token(*, game: str, name: str, data: Path | None, url: str | None, as_json: bool) -> None:
    """Revoke the token of a bot, which cannot connect any more.

    \b
    Example:
      arena bot token revoke lost_cities my-bot --arena https://arena.example.org
    """
    _check_one(data, url)
    had = True
    if url is not None:
        with connected(url) as client:
            client.revoke_bot_token(game, name)
    else:
        with opened(data) as store:
            had = bots.revoke_token(store, OPERATOR, game, name)
    if as_json:
        print_json({"game": game, "bot": name, "revoked": had})
    else:
        echo(f"Bot {name} of {game}: {'its token counts no longer' if had else 'it had no token'}")


def _referee_here(data: Path | None) -> str:
    """Return where bots reach the arena that runs with the store here; empty if none does."""
    chosen = settings() if data is None else read(data=data)
    try:
        return next(iter(sorted(presence.addresses(connect_quickly(chosen.redis_url)).values())), "")
    except (RedisError, OSError):
        return ""


def _check_one(data: Path | None, url: str | None) -> None:
    if data is not None and url is not None:
        raise UsageError("--data, --arena: give one of the two; a bot is in the store here or elsewhere")


def _add_elsewhere(
    url: str, game: str, name: str, address: str | None, secret: str | None, *, as_json: bool
) -> None:
    source = bots.DIAL_IN if address is None else bots.ENDPOINT
    with connected(url) as client:
        added = client.add_bot(game, name, source, address=address, secret=secret)
        reached = client.show_connection(game, name) if address is None else None
    if as_json:
        print_json(added)
        return
    if reached is None:
        echo(f"Bot {name} of {game}: endpoint {address}")
    else:
        _show_token(added, as_json=False, referee=next(iter(reached["referees"]), ""))
    _show_next(game, name, qualified=False)
    echo(f"How that went: `arena bot version list {name} --game {game} --arena {url}`")


def _show_list(rows: object, table: Table, *, as_json: bool) -> None:
    if as_json:
        print_json(rows)
    elif rows:
        terminal_tables.print_table(table)
    else:
        echo("No bots yet: `arena db upgrade` brings the house bots, `arena bot add GAME NAME` others")


def _show_token(made: Row, *, as_json: bool, referee: str = "") -> None:
    if as_json:
        print_json({name: made[name] for name in NewToken.__dataclass_fields__})
        return
    echo(f"Bot {made['bot']} of {made['game']}: token id {made['token_id']}")
    echo(f"ARENA_TOKEN={made['token']}")
    if referee:
        echo(f"ARENA_REFEREE={referee}")
        echo("The token is not shown again.  Start the bot with these two in its environment.")
    else:
        echo(
            "It is not shown again.  Start the bot with it, and with the referee's address in ARENA_REFEREE.  No worker has announced one yet:"
            " `arena up` prints it (Bots dial in at …), and the bot's page shows it as soon as a worker runs."
        )


def _show_endpoint(added: BotVersion, *, as_json: bool) -> None:
    if as_json:
        print_json(added)
    else:
        echo(f"Bot {added.bot} of {added.game}: endpoint {added.program}")


def _show_next(game: str, bot: str, *, qualified: bool) -> None:
    if qualified:
        echo(f"Enter it with `arena tournament create {game} --bots {bot},greedy`")
    else:
        echo("When it is there it plays sets against house bots; then it can be entered.")
