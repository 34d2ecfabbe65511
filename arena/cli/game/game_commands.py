"""`arena game`: the commands for authors of games."""

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
    """Write games, and list what one lacks."""
