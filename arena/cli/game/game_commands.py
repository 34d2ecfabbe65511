"""`arena game`: all that is done with games by those who write them."""

from __future__ import annotations

import click

from arena.cli.support.lazy_group import LazyGroup


@click.group(
    "game",
    cls=LazyGroup,
    places={
        name: f"arena.cli.game.game_{name}_command:command"
        for name in ("check", "golden", "install", "new", "picture", "proto")
    },
)
def command() -> None:
    """Write a game, and see what is missing of it.

    \b
    Examples:
      arena game new tichu
      arena game check tichu
    """
