"""`arena bot`: the commands for bots; each is in a module of its own, or in one with its kin."""

from __future__ import annotations

import click

from arena.cli.support.lazy_group import LazyGroup

_PLACES = {
    "add": "remote_commands:add",
    "analyse": "analyse_command:command",
    "challenge": "author_commands:challenge",
    "check": "check_command:command",
    "ci": "ci_command:command",
    "compare": "compare_command:command",
    "list": "remote_commands:list_command",
    "log": "log_commands:log",
    "new": "new_command:command",
    "notes": "notes_commands:notes",
    "replay": "replay_command:command",
    "restore": "author_commands:restore",
    "show": "remote_commands:show",
    "submit": "author_commands:submit",
    "token": "remote_commands:token",
    "version": "author_commands:version",
    "withdraw": "author_commands:withdraw",
}
_HIDDEN = {"logs": "log_commands:log", "versions": "author_commands:version"}


@click.group(
    "bot",
    cls=LazyGroup,
    places={name: f"arena.cli.bot.{place}" for name, place in _PLACES.items()},
    hidden={name: f"arena.cli.bot.{place}" for name, place in _HIDDEN.items()},
)
def command() -> None:
    """Write, try out and submit bots; add bots that run elsewhere."""
