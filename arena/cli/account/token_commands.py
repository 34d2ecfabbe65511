"""`arena token`: one's API tokens at an arena."""

from __future__ import annotations

from pathlib import Path

import click

from arena.accounts import token_expiry, tokens
from arena.accounts.actors import OPERATOR
from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, arena_options, choose, opened_to_write, reads, writes
from arena.cli.support.json_output import json_option, print_json, print_result, print_rows
from arena.cli.support.output import echo
from arena.cli.support.store_option import opened_store
from arena.core.errors import UsageError


@click.group("token")
def command() -> None:
    """Create, list and revoke your API tokens."""


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
@arena_options
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
        with opened_to_write(choose(url, data)) as arena:
            made = arena.accounts.create_token(label=label, scopes=scopes, expires=expires)
    elif url is not None:
        raise UsageError("--arena: does not go with --user, which works on the store itself")
    else:
        with opened_store(data) as store:
            made = tokens.create(store, OPERATOR, label, scopes, expires=expires, user_name=user)
    if as_json:
        print_json(made)
        return
    echo(f"Token {made.id}: {', '.join(made.scopes)}")
    echo(made.token)
    until = made.expires_at
    end = "It does not expire." if until is None else f"It expires {terminal_tables.minute(until)} UTC."
    echo(f"It is not shown again.  {end}  `Authorization: Bearer TOKEN` goes with each request.")


@command.command("list")
@json_option
@reads
def list_command(arena: Arena, *, as_json: bool) -> None:
    """List your tokens.

    \b
    Example:
      arena token list
    """
    rows = tuple(arena.accounts.list_tokens())
    print_rows(
        rows, terminal_tables.tokens, "No tokens: `arena token create LABEL` makes one", as_json=as_json
    )


@command.command("revoke")
@click.argument("token_id", metavar="ID")
@json_option
@writes
def revoke(arena: Arena, *, token_id: str, as_json: bool) -> None:
    """Revoke a token at once.

    \b
    Example:
      arena token revoke 2b19c42bf0c904cf
    """
    arena.accounts.revoke_token(token_id)
    print_result({"id": token_id, "revoked": True}, f"Token {token_id} counts no longer", as_json=as_json)
