"""`arena bot`: all that is done with bots; each command stands in a module of its own, with its kin."""

from __future__ import annotations

import click

from arena.cli.support.lazy_group import LazyGroup

_AUTHORS = ("challenge", "logs", "notes", "restore", "submit", "versions", "withdraw")
_ELSEWHERE = {"add": "add", "list": "list_command", "token": "token"}


@click.group(
    "bot",
    cls=LazyGroup,
    places={
        **{
            name: f"arena.cli.bot.{name}_command:command"
            for name in ("analyse", "check", "ci", "compare", "new", "replay")
        },
        **{name: f"arena.cli.bot.author_commands:{name}" for name in _AUTHORS},
        **{name: f"arena.cli.bot.remote_commands:{attribute}" for name, attribute in _ELSEWHERE.items()},
    },
)
def command() -> None:
    """Write bots, try them out and submit them, by hand or from continuous integration; challenge others, read logs; add bots that run elsewhere, list all.

    \b
    Examples:
      arena bot new my-bot --game lost_cities
      arena bot submit my-bot
      arena bot add lost_cities my-bot --dial-in
    """
