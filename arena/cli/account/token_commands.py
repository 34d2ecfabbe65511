"""`arena token`: one's API tokens at an arena."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from arena.accounts import token_expiry, tokens
from arena.accounts.actors import OPERATOR
from arena.cli.support import terminal_tables
from arena.cli.support.arena_option import arena_option, connected
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.cli.support.store_option import data_option, opened
from arena.core.errors import UsageError


@click.group("token")
def command() -> None:
    """Create, list and revoke your API tokens.

    \b
    Example:
      arena token create laptop --scope bots
    """


@command.command("create")
@click.argument("label")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="SCOPE",
    help="read, bots, tournaments or admin; may be given again.  [default: all of yours]",
)
@click.option(
    "--expires",
    default=token_expiry.STANDARD,
    show_default=True,
    metavar="WHEN",
    help="When it expires: days (30d), hours (12h), a date in UTC (2027-01-31), or never.",
)
@click.option("--user", metavar="NAME", help="Create it for this user, in the store here, as its operator.")
@arena_option
@data_option
@json_option
def create(
    *,
    label: str,
    scopes: tuple[str, ...],
    expires: str,
    user: str | None,
    url: str | None,
    data: Path | None,
    as_json: bool,
) -> None:
    """Create a token; it is shown once.

    LABEL says what it is for.

    \b
    Examples:
      arena token create ci --scope read --scope bots --expires 90d
      arena token create setup --user admin --expires 12h
    """
    if user is None:
        if data is not None:
            raise UsageError("--data: goes with --user alone; name the arena with --arena")
        with connected(url) as client:
            made = client.create_token(label, scopes=scopes, expires=expires)
    else:
        if url is not None:
            raise UsageError("--arena: does not go with --user, which works on the store itself")
        with opened(data) as store:
            made = asdict(tokens.create(store, OPERATOR, label, scopes, expires=expires, user_name=user))
    if as_json:
        print_json(made)
        return
    echo(f"Token {made['id']}: {', '.join(made['scopes'])}")
    echo(made["token"])
    until = made["expires_at"]
    end = "It does not expire." if until is None else f"It expires {terminal_tables.minute(until)} UTC."
    echo(f"It is not shown again.  {end}  `Authorization: Bearer TOKEN` goes with each request.")


@command.command("list")
@arena_option
@json_option
def list_command(*, url: str | None, as_json: bool) -> None:
    """List your tokens.

    \b
    Example:
      arena token list
    """
    with connected(url) as client:
        rows = client.list_tokens()
    if as_json:
        print_json(rows)
    elif rows:
        terminal_tables.print_table(terminal_tables.tokens(rows))
    else:
        echo("No tokens: `arena token create LABEL` makes one")


@command.command("revoke")
@click.argument("token_id", metavar="ID")
@arena_option
@json_option
def revoke(*, token_id: str, url: str | None, as_json: bool) -> None:
    """Revoke a token at once.

    \b
    Example:
      arena token revoke 2b19c42bf0c904cf
    """
    with connected(url) as client:
        client.revoke_token(token_id)
    if as_json:
        print_json({"id": token_id, "revoked": True})
    else:
        echo(f"Token {token_id} counts no longer")
