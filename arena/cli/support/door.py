"""The arena that a command works at, and the one rule by which it is chosen.

`--arena URL`, or `--data DIR`; else the arena of the last `arena login`; else the store of the settings, as its operator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import click

from arena.cli.support.output import echo
from arena.cli.support.store_option import data_option
from arena.client.answers import check_url
from arena.client.logins import find_last, find_token
from arena.core.errors import Refusal, RefusalKind, UsageError
from arena.core.settings import read, settings

if TYPE_CHECKING:
    from arena.client.remote_arena import RemoteArena
    from arena.service.local_arena import LocalArena

Arena: TypeAlias = "LocalArena | RemoteArena"
_P = ParamSpec("_P")
_Result = TypeVar("_Result")


class Choice(StrEnum):
    """The part of the rule that has chosen an arena."""

    ARENA = "--arena"
    DATA = "--data"
    LOGIN = "login"
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Target:
    """An arena at a URL, with the token of the login there, or a store of this machine, where the URL is empty."""

    choice: Choice
    url: str = ""
    token: str | None = None
    data: Path | None = None


def choose(url: str | None, data: Path | None) -> Target:
    """Choose the arena of a command by its options.  Raises UsageError, LoginsUnusable."""
    if url is not None and data is not None:
        raise UsageError(
            "--arena, --data: give one of the two, --arena for an arena elsewhere or --data for a store here"
        )
    if url is not None:
        checked = check_url(url)
        return Target(Choice.ARENA, checked, find_token(checked))
    if data is not None:
        return Target(Choice.DATA, data=data)
    last = find_last()
    return Target(Choice.SETTINGS) if last is None else Target(Choice.LOGIN, last.url, last.token)


@contextmanager
def opened(target: Target) -> Iterator[Arena]:
    """Open an arena for as long as the block lasts.  Raises ArenaError."""
    if not target.url:
        with _opened_here(target) as local:
            yield local
        return
    from arena.client.remote_arena import RemoteArena  # noqa: PLC0415 - commands here do without it

    try:
        with RemoteArena(target.url, target.token, roots=settings().ca) as remote:
            yield remote
    except Refusal as refusal:
        if refusal.kind is not RefusalKind.NOT_SIGNED_IN or target.token is not None:
            raise
        raise UsageError(
            f"arena {target.url}: you are not signed in there: `arena login {target.url}`"
        ) from refusal


@contextmanager
def _opened_here(target: Target) -> Iterator[LocalArena]:
    from arena.accounts.actors import OPERATOR  # noqa: PLC0415 - commands elsewhere do without these
    from arena.competition.qualification.submissions import Rules  # noqa: PLC0415
    from arena.messaging.redis_connection import connect_quickly  # noqa: PLC0415
    from arena.service.after_writes import send_to  # noqa: PLC0415
    from arena.service.local_arena import LocalArena  # noqa: PLC0415
    from arena.storage import Store  # noqa: PLC0415
    from arena.storage.engine import parse, sqlite_file  # noqa: PLC0415

    chosen = settings() if target.data is None else read(data=target.data, database_url="")
    file = sqlite_file(parse(chosen.database_url))
    if target.choice is Choice.SETTINGS and file is not None and not file.exists():
        raise UsageError(
            f"you are not signed in to any arena, and there is no store at {file}: `arena login URL`, or `arena up` for one here"
        )
    store = Store.open(chosen.database_url)
    try:
        yield LocalArena(
            store,
            OPERATOR,
            partial(send_to, chosen.redis_url),
            redis=connect_quickly(chosen.redis_url),
            rules=Rules.of(chosen),
        )
    finally:
        store.close()


def link_of(arena: Arena, tournament: int) -> str:
    """Return the address of a tournament's page, or the command that shows it in a store of this machine."""
    url = getattr(arena, "url", "")
    return f"{url}/tournaments/{tournament}" if url else f"`arena tournament show {tournament}`"


def arena_options(command: Callable[..., _Result]) -> Callable[..., _Result]:
    """Add `--arena URL` and `--data DIR`, for `choose`."""
    at = click.option(
        "--arena", "url", metavar="URL", help="The arena.  [default: that of the last `arena login`]"
    )
    return at(data_option(command))


@contextmanager
def opened_to_write(target: Target) -> Iterator[Arena]:
    """Open an arena for a command that writes: say at its end where it was, if the last login has chosen it.  Raises ArenaError."""
    with opened(target) as arena:
        yield arena
    if target.choice is Choice.LOGIN:
        said = f"arena: at {target.url}, where you have signed in last; --data or --arena choose another"
        echo(said, err=True)


def _at_arena(
    enter: Callable[[Target], AbstractContextManager[Arena]],
) -> Callable[[Callable[Concatenate[Arena, _P], _Result]], Callable[..., _Result]]:
    def add(command: Callable[Concatenate[Arena, _P], _Result]) -> Callable[..., _Result]:
        @wraps(command)
        def run(*, url: str | None, data: Path | None, **given: Any) -> _Result:  # noqa: ANN401 - click's values
            with enter(choose(url, data)) as arena:
                return command(arena, **given)  # type: ignore[call-arg]  # click passes what the command names

        return arena_options(run)

    return add


reads = _at_arena(opened)
"""Decorator of a command that reads: adds `--arena URL` and `--data DIR`; the command is called with the arena that they choose."""
writes = _at_arena(opened_to_write)
"""Decorator of a command that writes, which says where if the last login has chosen the arena."""
