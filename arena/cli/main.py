"""`arena`: nouns, then verbs."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import click

from arena.errors import ArenaError, Refusal, UsageError

COMMANDS = {
    "backup": "Write the whole store into one file, while the arena runs.",
    "bot": "Write bots, try them out, submit them; list all, read the logs of your own.",
    "db": "Bring the store to this version's schema, keep its records whole, delete old ones.",
    "ladder": "Start, list and stop ladders, where everybody plays on and on.",
    "login": "Sign in to an arena elsewhere.",
    "match": "Play matches at home, without database or Redis.",
    "ratings": "Show the Elo table of a game.",
    "restore": "Make a new store from a backup.",
    "serve": "Run one part: web, referee or worker.",
    "token": "Make, list and revoke your API tokens.",
    "tournament": "Create, list, show and watch tournaments.",
    "up": "Run the whole arena on this machine.",
    "user": "Make accounts, give them roles and new passwords, invite people.",
    "verify": "Deal and play records again, and say where they are wrong.",
}


class _LazyGroup(click.Group):
    """Imports a command's module only when that command runs, so that `arena --help` answers at once."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"arena.cli.{name}").command
        assert isinstance(command, click.Command)  # noqa: S101 - a slip of ours, not of the user's
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bot-arena")
def arena() -> None:
    """Tournaments for game-playing bots."""


def main() -> None:
    """Run the command line; an error meant for a person is one line on stderr, exit code 2 for usage and 1 else.

    With --json a refusal is on stdout as well, as the API has it.
    """
    try:
        arena()
    except ArenaError as error:
        click.echo(f"arena: {error}", err=True)
        if isinstance(error, Refusal) and "--json" in sys.argv:
            click.echo(json.dumps(error.problem(), ensure_ascii=False))
        sys.exit(2 if isinstance(error, UsageError) else 1)
