"""`arena user`: accounts, for the operator, who has the store."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import IO

import click

from arena.accounts import invitations, passwords, sign_in_links, users
from arena.accounts.actors import OPERATOR, ROLES
from arena.accounts.invitations import MAX_DAYS, STANDARD_DAYS
from arena.accounts.sign_in_links import MAX_MINUTES, STANDARD_MINUTES
from arena.accounts.users import UserRow
from arena.cli.support import terminal_tables
from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.secret_input import read_password
from arena.cli.support.store_option import data_option, opened
from arena.client import check_url

_password_option = click.option(
    "--password-file",
    type=click.File("rb"),
    metavar="FILE",
    help="The password: the one line of it, or - for stdin.  [default: one is made up and shown once]",
)
_role_option = click.option(
    "--role", default="author", show_default=True, metavar="ROLE", help=f"{', '.join(ROLES)}."
)


@click.group("user")
def command() -> None:
    """Create accounts, set roles and passwords, invite people.

    \b
    Example:
      arena user create ada --role organiser
    """


@command.command("create")
@click.argument("name")
@_role_option
@_password_option
@data_option
@json_option
def create(
    *, name: str, role: str, password_file: IO[bytes] | None, data: Path | None, as_json: bool
) -> None:
    """Create an account.

    \b
    Examples:
      arena user create ada
      arena user create olga --role organiser --password-file secret.txt
    """
    password, is_new = _password(password_file)
    with opened(data) as store:
        row = users.create(store, OPERATOR, name, role, password)
    _show_password(row, password if is_new else None, as_json=as_json)


@command.command("reset")
@click.argument("name")
@_password_option
@data_option
@json_option
def reset(*, name: str, password_file: IO[bytes] | None, data: Path | None, as_json: bool) -> None:
    """Give a user a new password.

    All their sessions end, and all their tokens are revoked.

    \b
    Example:
      arena user reset ada
    """
    password, is_new = _password(password_file)
    with opened(data) as store:
        row = users.reset(store, OPERATOR, name, password)
    _show_password(row, password if is_new else None, as_json=as_json)


@command.group("role", cls=NounGroup, usual=lambda args: ["set", *args])
def role_group() -> None:
    """Change a user's role.

    \b
    Example:
      arena user role set ada organiser
    """


@role_group.command("set")
@click.argument("name")
@click.argument("role")
@data_option
@json_option
def set_role(*, name: str, role: str, data: Path | None, as_json: bool) -> None:
    """Change a user's role.

    ROLE is author, organiser or admin.  It limits all their tokens at once.

    \b
    Example:
      arena user role set ada organiser
    """
    with opened(data) as store:
        row = users.set_role(store, OPERATOR, name, role)
    if as_json:
        print_json(row)
    else:
        echo(f"User {row.name} is {row.role}")


@command.command("list")
@data_option
@json_option
def list_command(*, data: Path | None, as_json: bool) -> None:
    """List the users.

    \b
    Example:
      arena user list
    """
    with opened(data) as store:
        rows = users.listing(store, OPERATOR)
    if as_json:
        print_json(rows)
    elif rows:
        terminal_tables.print_table(terminal_tables.users(rows))
    else:
        echo("No users yet: the first `arena up` makes the admin, `arena user create NAME` others")


@command.command("invite")
@_role_option
@click.option(
    "--days",
    default=STANDARD_DAYS,
    show_default=True,
    type=click.IntRange(1, MAX_DAYS),
    metavar="N",
    help="Days for which it can be used.",
)
@data_option
@json_option
def invite(*, role: str, days: int, data: Path | None, as_json: bool) -> None:
    """Create an invitation, with which one person can register.

    \b
    Example:
      arena user invite --role author --days 3
    """
    with opened(data) as store:
        made = invitations.invite(store, OPERATOR, role, days)
    if as_json:
        print_json(made)
        return
    until = time.strftime("%Y-%m-%d %H:%M", time.gmtime(made.expires_at))
    echo(made.invitation)
    echo(f"It is not shown again; one person can register with it as {made.role} until {until} UTC.")


@command.group("link", cls=NounGroup, usual=lambda args: ["create", *args])
def link_group() -> None:
    """Create a link that signs a user in once.

    \b
    Example:
      arena user link create admin
    """


@link_group.command("create")
@click.argument("name")
@click.option(
    "--minutes",
    default=STANDARD_MINUTES,
    show_default=True,
    type=click.IntRange(1, MAX_MINUTES),
    metavar="N",
    help="Minutes for which it can be used.",
)
@click.option(
    "--url",
    default="http://127.0.0.1:8000",
    show_default=True,
    metavar="URL",
    help="The address of the dashboard.",
)
@data_option
@json_option
def create_link(*, name: str, minutes: int, url: str, data: Path | None, as_json: bool) -> None:
    """Create a link that signs a user in once.

    It works in a browser or with `arena login`; earlier links of the user count no longer.

    \b
    Example:
      arena user link create admin --url https://arena.example.org
    """
    address = check_url(url)
    with opened(data) as store:
        made = sign_in_links.create(store, OPERATOR, name, minutes)
    if as_json:
        print_json({**asdict(made), "url": made.address(address)})
        return
    until = time.strftime("%Y-%m-%d %H:%M", time.gmtime(made.expires_at))
    echo(made.address(address))
    echo(f"It is not shown again; it signs {made.name} in once, until {until} UTC.")


def _password(file: IO[bytes] | None) -> tuple[str, bool]:
    """Return the password, and whether it was generated."""
    return (passwords.generate(), True) if file is None else (read_password(file, "Password"), False)


def _show_password(row: UserRow, made_up: str | None, *, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(row), "password": made_up})
        return
    echo(f"User {row.name} is {row.role}")
    if made_up is not None:
        echo(made_up)
        echo("That is the password; it is not shown again.")
