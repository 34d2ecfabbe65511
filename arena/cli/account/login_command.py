"""`arena login`: a token for an arena, kept on this machine."""

from __future__ import annotations

import socket
from typing import IO
from urllib.parse import parse_qs, urlsplit

import click

from arena.accounts import sign_in_links
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.cli.support.secret_input import read_password, read_token
from arena.client import RemoteArena
from arena.client.logins import Login, file, save
from arena.core.errors import UsageError
from arena.core.settings import settings
from arena.net.address import is_local
from arena.service.composed_answers import Me


@click.command("login")
@click.argument("url")
@click.option("--name", metavar="NAME", help="Sign in with this user's password; a token is made.")
@click.option(
    "--password-file",
    type=click.File("rb"),
    metavar="FILE",
    help="The password: the one line of it, or - for stdin.",
)
@click.option(
    "--token-file",
    type=click.File("rb"),
    metavar="FILE",
    help="The token, or the sign-in link: the one line of it, or - for stdin.",
)
@json_option
def command(
    *,
    url: str,
    name: str | None,
    password_file: IO[bytes] | None,
    token_file: IO[bytes] | None,
    as_json: bool,
) -> None:
    """Sign in to an arena.

    Other commands work there from then on.  It asks for a token, or for a password with --name.  In place of a token it takes a sign-in link, as the first `arena up` and `arena user link create` show one; as with a password, a
    token is made then.  The token is kept in a file that only you can read.

    \b
    Examples:
      arena login http://127.0.0.1:8000
      arena login https://arena.example.org --name ada
    """
    if (name is None and password_file) or (name is not None and token_file):
        raise UsageError("give --name with --password-file, or --token-file alone")
    with RemoteArena(url, roots=settings().ca) as arena:
        _warn_if_open(arena.url)
        if name is None:
            token = read_token(token_file, "Token or sign-in link")
            if (code := _code(token)) is not None:
                arena.accounts.login_by_link(code=code)
                token = make_token(arena)
        else:
            arena.accounts.login(name=name, password=read_password(password_file, "Password"))
            token = make_token(arena)
        address = arena.url
    with RemoteArena(address, token, roots=settings().ca) as arena:
        me = arena.accounts.me()
    save(Login(address, me.name, token))
    _show(address, me, as_json=as_json)


def _code(text: str) -> str | None:
    """Return the code of a sign-in link, which is the link itself or its code; None for anything else."""
    codes = [text, *parse_qs(urlsplit(text).query).get("code", [])]
    return next((code for code in codes if sign_in_links.is_code(code)), None)


def make_token(arena: RemoteArena) -> str:
    """Make a token in the session that has just begun, and end that."""
    token = arena.accounts.create_token(label=f"arena login on {socket.gethostname()}"[:100]).token
    arena.accounts.logout()
    return token


def _warn_if_open(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "http" and not is_local(f"{parts.hostname}:{parts.port or 80}"):
        echo(f"arena: {url} is not https: others on the way can read your token", err=True)


def _show(url: str, me: Me, *, as_json: bool) -> None:
    if as_json:
        print_json({"arena": url, "name": me.name, "role": me.role, "scopes": me.scopes})
    else:
        echo(f"Signed in to {url} as {me.name} ({me.role}): {', '.join(me.scopes)}")
        echo(f"The token is in {file()}")
