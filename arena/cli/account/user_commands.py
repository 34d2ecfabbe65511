"""`arena user`: accounts, for admins."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import IO

import click

from arena.accounts import sign_in_links
from arena.accounts.actors import OPERATOR, ROLES, Role
from arena.accounts.invitations import MAX_DAYS, STANDARD_DAYS
from arena.accounts.sign_in_links import MAX_MINUTES, STANDARD_MINUTES
from arena.cli.support import terminal_tables
from arena.cli.support.door import Arena, reads, writes
from arena.cli.support.json_output import json_option, print_json, print_result, print_rows
from arena.cli.support.noun_group import NounGroup
from arena.cli.support.output import echo
from arena.cli.support.secret_input import read_password
from arena.cli.support.store_option import data_option, opened_store
from arena.client.answers import check_url
from arena.service.composed_answers import UserWithPassword
from arena.service.paging import MAX_LIMIT

_password_option = click.option(
    "--password-file",
    type=click.File("rb"),
    metavar="FILE",
    help="The password: the one line of it, or - for stdin.  [default: a random one, shown once]",
)
_role_option = click.option(
    "--role", type=click.Choice(ROLES), default="author", show_default=True, help="Role of the user."
)


@click.group("user")
def command() -> None:
    """Create accounts, set roles and passwords, invite people."""


@command.command("create")
@click.argument("name")
@_role_option
@_password_option
@json_option
@writes
def create(arena: Arena, *, name: str, role: Role, password_file: IO[bytes] | None, as_json: bool) -> None:
    """Create an account.

    \b
    Examples:
      arena user create ada
      arena user create olga --role organiser --password-file secret.txt
    """
    made = arena.accounts.create_user(name=name, role=role, password=_password(password_file))
    _show(made, as_json=as_json)


@command.command("reset")
@click.argument("name")
@_password_option
@json_option
@writes
def reset(arena: Arena, *, name: str, password_file: IO[bytes] | None, as_json: bool) -> None:
    """Give a user a new password.

    All their sessions end, and all their tokens are revoked.

    \b
    Example:
      arena user reset ada
    """
    _show(arena.accounts.reset_user(name, password=_password(password_file)), as_json=as_json)


@command.group("role", cls=NounGroup, usual=lambda args: ["set", *args])
def role_group() -> None:
    """Change a user's role."""


@role_group.command("set")
@click.argument("name")
@click.argument("role")
@json_option
@writes
def set_role(arena: Arena, *, name: str, role: Role, as_json: bool) -> None:
    """Change a user's role.

    ROLE is author, organiser or admin.  It limits all their tokens at once.

    \b
    Example:
      arena user role set ada organiser
    """
    row = arena.accounts.change_role(name, role=role)
    print_result(row, f"User {row.name} is {row.role}", as_json=as_json)


@command.command("list")
@json_option
@reads
def list_command(arena: Arena, *, as_json: bool) -> None:
    """List the users.

    \b
    Example:
      arena user list
    """
    rows = tuple(arena.accounts.list_users(limit=MAX_LIMIT))
    print_rows(
        rows,
        terminal_tables.users,
        "No users yet: the first `arena up` makes the admin, `arena user create NAME` others",
        as_json=as_json,
    )


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
@json_option
@writes
def invite(arena: Arena, *, role: Role, days: int, as_json: bool) -> None:
    """Create an invitation, with which one person can register.

    \b
    Example:
      arena user invite --role author --days 3
    """
    made = arena.accounts.invite(role=role, days=days)
    if as_json:
        print_json(made)
        return
    until = time.strftime("%Y-%m-%d %H:%M", time.gmtime(made.expires_at))
    echo(made.invitation)
    echo(f"It is not shown again; one person can register with it as {made.role} until {until} UTC.")


@command.group("link", cls=NounGroup, usual=lambda args: ["create", *args])
def link_group() -> None:
    """Create a link that signs a user in once."""


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
      arena user link create ada
    """
    address = check_url(url)
    with opened_store(data) as store:
        made = sign_in_links.create(store, OPERATOR, name, minutes)
    if as_json:
        print_json({**asdict(made), "url": made.address(address)})
        return
    until = time.strftime("%Y-%m-%d %H:%M", time.gmtime(made.expires_at))
    echo(made.address(address))
    echo(f"It is not shown again; it signs {made.name} in once, until {until} UTC.")


def _password(file: IO[bytes] | None) -> str | None:
    return None if file is None else read_password(file, "Password")


def _show(made: UserWithPassword, *, as_json: bool) -> None:
    if as_json:
        print_json(made)
        return
    echo(f"User {made.name} is {made.role}")
    if made.password is not None:
        echo(made.password)
        echo("That is the password; it is not shown again.")
