"""`arena bot add | list | token`: bots that run elsewhere, and the list of all."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TextIO

import click

from arena.cli import tables
from arena.cli.stores import data_option, json_option, opened, print_json
from arena.errors import UsageError
from arena.games import registry
from arena.services import bots
from arena.services.accounts import OPERATOR
from arena.services.bots import NewToken
from arena.settings import settings


@click.command("add")
@click.argument("game")
@click.argument("name")
@click.option("--dial-in", is_flag=True, help="It connects to the arena, with the token that this prints.")
@click.option("--endpoint", "address", metavar="HOST:PORT", help="It listens there, and the arena connects.")
@click.option(
    "--secret-file",
    type=click.File(),
    metavar="FILE",
    help="What the arena presents to an endpoint: the one line of this file, or - for stdin.",
)
@data_option
@json_option
def add(
    *,
    game: str,
    name: str,
    dial_in: bool,
    address: str | None,
    secret_file: TextIO | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Add a bot that runs elsewhere; then it can be entered in tournaments of its game.

    A token is shown once: the arena keeps only its hash.

    \b
    Examples:
      arena bot add lost_cities my-bot --dial-in
      arena bot add lost_cities other-bot --endpoint bots.example.org:7001 --secret-file secret.txt
    """
    if dial_in == (address is not None):
        raise UsageError(f"bot {name!r}: give one of --dial-in and --endpoint HOST:PORT")
    if dial_in and secret_file is not None:
        raise UsageError("secret-file: only an endpoint is presented a secret; leave it out with --dial-in")
    with opened(data) as store:
        if address is None:
            _show_token(bots.add_dial_in(store, OPERATOR, game, name), as_json=as_json)
            return
        secret = None if secret_file is None else secret_file.read().strip()
        private = settings().private_endpoints
        added = bots.add_endpoint(store, OPERATOR, game, name, address, secret, private=private)
    if as_json:
        print_json(added)
    else:
        click.echo(f"Bot {added.bot} of {added.game}: endpoint {added.program}")
        _show_next(added.game, added.bot)


@click.command("list")
@click.argument("game", required=False)
@data_option
@json_option
def list_command(*, game: str | None, data: Path | None, as_json: bool) -> None:
    """List all bots, of one game if it is given.

    \b
    Examples:
      arena bot list
      arena bot list lost_cities --json
    """
    if game is not None:
        registry.find(game)
    with opened(data) as store:
        rows = bots.listing(store, game)
    if as_json:
        print_json(rows)
    elif rows:
        tables.print_table(tables.bots(rows))
    else:
        click.echo("No bots yet: `arena db upgrade` brings the house bots, `arena bot add GAME NAME` others")


@click.command("token")
@click.argument("game")
@click.argument("name")
@click.option("--revoke", is_flag=True, help="Make none: the bot can no longer connect.")
@data_option
@json_option
def token(*, game: str, name: str, revoke: bool, data: Path | None, as_json: bool) -> None:
    """Make a new token for a bot that dials in; the one that it had counts no longer.

    \b
    Examples:
      arena bot token lost_cities my-bot
      arena bot token lost_cities my-bot --revoke
    """
    with opened(data) as store:
        if not revoke:
            _show_token(bots.renew_token(store, OPERATOR, game, name), as_json=as_json)
            return
        had = bots.revoke_token(store, OPERATOR, game, name)
    if as_json:
        print_json({"game": game, "bot": name, "revoked": had})
    else:
        click.echo(f"Bot {name} of {game}: {'its token counts no longer' if had else 'it had no token'}")


def _show_token(made: NewToken, *, as_json: bool) -> None:
    if as_json:
        print_json(asdict(made))
        return
    click.echo(f"Bot {made.bot} of {made.game}: token id {made.token_id}")
    click.echo(f"ARENA_TOKEN={made.token}")
    click.echo(
        "It is not shown again.  Start the bot with it, and with the referee's address in ARENA_REFEREE."
    )
    _show_next(made.game, made.bot)


def _show_next(game: str, bot: str) -> None:
    click.echo(f"Enter it with `arena tournament create {game} --bots {bot},greedy`")
