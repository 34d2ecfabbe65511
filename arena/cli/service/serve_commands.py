"""`arena serve`: each part alone, for more than one machine.

The parts are programs of their own; this process becomes the one that is asked for, so that signals and exit codes are
its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import click

from arena.cli.support.output import echo
from arena.core import child_process
from arena.core.settings import Settings, settings
from arena.supervisor import part_programs
from arena.supervisor.data_directory import check_directory, close_to_others, make_private


@click.group("serve")
def command() -> None:
    """Run one part of the arena alone.

    \b
    The parts find each other by ARENA_DATABASE_URL, ARENA_REDIS_URL and ARENA_CONTROL; what is not set is in
    the data directory, ARENA_DATA.  `arena db upgrade` makes the store.

    \b
    Example:
      ARENA_REDIS_URL=redis://cache:6379/0 ARENA_DATABASE_URL=postgresql://db/arena arena serve worker
    """


@command.command("web")
@click.option(
    "--host", default=part_programs.HOST, show_default=True, metavar="HOST", help="Address to serve on."
)
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Port to serve on.",
)
def web(host: str, port: int) -> None:
    """Run the dashboard and the API.

    On an address that others can reach it needs ARENA_SECRET.

    \b
    Example:
      ARENA_SECRET=… arena serve web --host 0.0.0.0 --port 80
    """
    chosen = _private()
    arguments = child_process.module("arena.web", "--host", host, "--port", str(port))
    _become(arguments, part_programs.web_environment(chosen))


@command.command("referee")
@click.option(
    "--bots",
    multiple=True,
    metavar="ADDRESS",
    help="Where bots from elsewhere connect, such as 0.0.0.0:7000; may be given again.",
)
@click.option(
    "--tls-cert", metavar="FILE", help="Certificate for these, with its chain.  [default: ARENA_TLS_CERT]"
)
@click.option("--tls-key", metavar="FILE", help="Its key.  [default: ARENA_TLS_KEY]")
@click.option(
    "--plaintext", is_flag=True, help="No TLS: something in front does it.  [default: ARENA_TLS=off]"
)
@click.option(
    "--public",
    default="",
    metavar="HOST:PORT",
    help="How bots reach it from elsewhere.  [default: the first --bots that others can dial]",
)
def referee(
    bots: tuple[str, ...], tls_cert: str | None, tls_key: str | None, public: str, *, plaintext: bool
) -> None:
    """Run a referee.

    Workers reach it at ARENA_CONTROL.

    \b
    Example:
      ARENA_CONTROL=0.0.0.0:7001 ARENA_CONTROL_KEY=… arena serve referee --bots 0.0.0.0:7000 \\
        --public play1.example.org:7000 --tls-cert fullchain.pem --tls-key privkey.pem
    """
    given = {"tls_cert": tls_cert, "tls_key": tls_key, "tls": "off" if plaintext else None}
    chosen = _private().model_copy(update={name: value for name, value in given.items() if value})
    make_private(chosen.sockets)
    _become(
        part_programs.referee_arguments(chosen, bots, public),
        part_programs.environment(chosen),
        private=False,
    )


@command.command("worker")
def worker() -> None:
    """Run a worker.

    It takes blocks of matches from the queue and has a referee play them.

    \b
    Example:
      arena serve worker
    """
    _become(child_process.module("workers"), part_programs.environment(_private()))


def _private() -> Settings:
    """Read the settings, and see that the data directory, where there is one, is closed to others."""
    child_process.keep_private()
    chosen = settings()
    check_directory(chosen.data)
    if chosen.data.exists() and (told := close_to_others(chosen.data)):
        echo(f"arena: {told}", err=True)
    return chosen


def _become(arguments: tuple[str, ...], environment: Mapping[str, str], *, private: bool = True) -> None:
    given = {**os.environ, **environment}
    os.execvpe(arguments[0], arguments, given if private else child_process.without_private(given))  # noqa: S606
