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

_PLACES = {
    "backup": "store.backup_command",
    "bot": "bot.bot_commands",
    "dataset": "learning.dataset_command",
    "db": "store.db_commands",
    "drain": "service.drain_command",
    "game": "game.game_commands",
    "ladder": "tournament.ladder_commands",
    "login": "account.login_command",
    "match": "match.match_command",
    "password": "account.password_command",
    "race": "match.race_command",
    "rate": "learning.rate_command",
    "ratings": "store.ratings_command",
    "selfplay": "learning.selfplay_command",
    "serve": "service.serve_commands",
    "token": "account.token_commands",
    "tournament": "tournament.tournament_commands",
    "up": "service.up_command",
    "user": "account.user_commands",
    "verify": "match.verify_command",
    "view": "match.view_command",
    "whoami": "account.whoami_command",
}
"""The module of each command under `arena.cli`."""


@click.group(
    cls=LazyGroup,
    places={name: f"arena.cli.{module}:command" for name, module in _PLACES.items()},
    hidden={"restore": "arena.cli.store.restore_command:command"},
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
        # Not click's own main, which ends with code 1 at every Ctrl-C.
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
