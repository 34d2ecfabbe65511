"""`arena`: nouns, then verbs."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from contextlib import suppress
from io import StringIO

import click

from arena.cli.support.lazy_group import LazyGroup
from arena.cli.support.output import OutputLost, echo, writing
from arena.core.errors import ArenaError, Refusal, UsageError
from arena.core.problem_details import problem_details

COMMANDS = {
    "backup": ("store.backup_command", "Write the whole store into one file, while the arena runs."),
    "bot": (
        "bot.bot_commands",
        "Write bots, try them out, submit them; list all, read the logs of your own.",
    ),
    "dataset": ("learning.dataset_command", "Write the decisions of recorded matches as a data set."),
    "db": (
        "store.db_commands",
        "Bring the store to this version's schema, keep its records whole, delete old ones.",
    ),
    "drain": ("service.drain_command", "Have a referee take no new matches, before it is stopped."),
    "game": ("game.game_commands", "Write games, see what is missing of one."),
    "ladder": (
        "tournament.ladder_commands",
        "Start, list and stop ladders, where everybody plays on and on.",
    ),
    "login": ("account.login_command", "Sign in to an arena elsewhere."),
    "match": ("match.match_command", "Play matches at home, without database or Redis."),
    "password": ("account.password_command", "Change your password at an arena."),
    "race": ("match.race_command", "Find the best of many bots at home, in few matches."),
    "rate": ("learning.rate_command", "Rate a bot at home, against a frozen pool of house bots."),
    "ratings": ("store.ratings_command", "Show the Elo table of a game."),
    "restore": ("store.restore_command", "Make a new store from a backup."),
    "selfplay": (
        "learning.selfplay_command",
        "Play matches in bulk, and write their decisions as a data set.",
    ),
    "serve": ("service.serve_commands", "Run one part: web, referee or worker."),
    "token": ("account.token_commands", "Make, list and revoke your API tokens."),
    "tournament": ("tournament.tournament_commands", "Create, list, show and watch tournaments."),
    "up": ("service.up_command", "Run the whole arena on this machine."),
    "user": (
        "account.user_commands",
        "Make accounts, give them roles, new passwords and sign-in links, invite people.",
    ),
    "verify": ("match.verify_command", "Deal and play records again, and say where they are wrong."),
    "view": ("match.view_command", "Show the board of records in the browser, without an arena."),
}
"""The nouns: the module of each under `arena.cli`, and what it is for."""


class _Nouns(LazyGroup):
    """Says what the nouns are for without importing any, so that `arena --help` answers at once."""

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted((name, purpose) for name, (_, purpose) in COMMANDS.items()))


@click.group(
    cls=_Nouns,
    places={name: f"arena.cli.{module}:command" for name, (module, _) in COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="bot-arena")
def arena() -> None:
    """Tournaments for game-playing bots."""


def main() -> None:
    """Run the command line; an error meant for a person is one line on stderr.

    Exit code 2 for usage and 1 else, 128 + the signal for what a signal has ended, and 141 where the reader of the output has gone:
    as if SIGPIPE had ended it.  With --json a refusal is on stdout as well, as the API has it.
    """
    try:
        code = _run()
        with writing():
            sys.stdout.flush()
    except OutputLost as lost:
        _drop_output()
        if not lost.is_closed:
            _tell(str(lost))
        code = 128 + signal.SIGPIPE if lost.is_closed else 1
    sys.exit(code)


def _run() -> int:
    try:
        # Not click's own main: it ends with code 1 at Ctrl-C, whatever that has broken off.
        done = arena(standalone_mode=False)
    except click.ClickException as error:
        echo(_shown(error), err=True)
        return error.exit_code
    except click.Abort as abort:
        interrupted = isinstance(abort.__cause__, KeyboardInterrupt)
        _tell("interrupted" if interrupted else "input: ends before the answer; run it in a terminal")
        return 128 + signal.SIGINT if interrupted else 1
    except OutputLost:
        raise
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise OutputLost(error) from error  # click itself prints the help
    except ArenaError as error:
        _tell(str(error))
        if isinstance(error, Refusal) and "--json" in sys.argv:
            echo(json.dumps(problem_details(error), ensure_ascii=False))
        return 2 if isinstance(error, UsageError) else 1
    return done if isinstance(done, int) else 0


def _shown(error: click.ClickException) -> str:
    """Return what click shows of an error, with the usage of the command."""
    shown = StringIO()
    error.show(shown)
    return shown.getvalue().rstrip("\n")


def _tell(text: str) -> None:
    with suppress(OutputLost):
        echo(f"arena: {text}", err=True)


def _drop_output() -> None:
    """Have what is still to be written go nowhere: Python writes it at its end, and would fail once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
