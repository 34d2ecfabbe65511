"""What the commands that ask an arena over its API share: the option that names it, and the connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from arena.client import ArenaClient, check_url
from arena.client.logins import find, find_token
from arena.core.settings import settings

Command = TypeVar("Command", bound=Callable[..., Any])


def arena_option(command: Command) -> Command:
    """Add `--arena URL`."""
    return click.option(
        "--arena",
        "url",
        metavar="URL",
        help="The arena, one that you have signed in to.  [default: the one of the last `arena login`]",
    )(command)


@contextmanager
def connected(url: str | None) -> Iterator[ArenaClient]:
    """Connect to an arena with the token that `arena login` stored.  Raises ArenaError."""
    login = find(None if url is None else check_url(url))
    with ArenaClient(login.url, login.token, roots=settings().ca) as client:
        yield client


@contextmanager
def reading(url: str | None) -> Iterator[ArenaClient]:
    """Connect to an arena for what everybody may read: a URL that is given needs no sign-in.  Raises ArenaError."""
    if url is None:
        with connected(None) as client:
            yield client
        return
    checked = check_url(url)
    with ArenaClient(checked, find_token(checked), roots=settings().ca) as client:
        yield client
