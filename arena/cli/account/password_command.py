"""`arena password`: another password at an arena."""

from __future__ import annotations

from typing import IO

import click

from arena.cli.account.login_command import make_token
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.cli.support.secret_input import read_password
from arena.client import RemoteArena, check_url
from arena.client.logins import Login, find, save
from arena.core.settings import settings


@click.command("password")
@click.option(
    "--old-file", type=click.File("rb"), metavar="FILE", help="The current password: the one line of it."
)
@click.option("--new-file", type=click.File("rb"), metavar="FILE", help="The new one: the one line of it.")
@click.option(
    "--revoke-tokens",
    is_flag=True,
    help="Revoke all your API tokens, too; this machine is signed in again with a new one.",
)
@click.option("--arena", "url", metavar="URL", help="The arena.  [default: that of the last `arena login`]")
@json_option
def command(
    *,
    old_file: IO[bytes] | None,
    new_file: IO[bytes] | None,
    revoke_tokens: bool,
    url: str | None,
    as_json: bool,
) -> None:
    """Change your password at an arena.

    All browsers are signed out.

    \b
    Examples:
      arena password
      arena password --revoke-tokens
    """
    login = find(None if url is None else check_url(url))
    old = read_password(old_file, "Password you have")
    new = read_password(new_file, "New password", confirm=True)
    with RemoteArena(login.url, login.token, roots=settings().ca) as arena:
        arena.accounts.change_password(old=old, new=new, revoke_tokens=revoke_tokens)
    if revoke_tokens:
        with RemoteArena(login.url, roots=settings().ca) as arena:
            arena.accounts.login(name=login.name, password=new)
            save(Login(login.url, login.name, make_token(arena)))
    if as_json:
        print_json({"arena": login.url, "name": login.name, "tokens_revoked": revoke_tokens})
        return
    echo(f"The password of {login.name} at {login.url} is changed, and all browsers are signed out")
    if revoke_tokens:
        echo("All tokens are revoked; this machine has a new one")
