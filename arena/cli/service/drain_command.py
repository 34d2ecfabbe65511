"""`arena drain`: a referee takes no new matches, before it is stopped or its machine is switched off."""

from __future__ import annotations

import asyncio
import socket

import click

from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import echo
from arena.core.errors import UsageError
from arena.core.settings import settings
from arena.net.address import means_this_machine


@click.command("drain")
@click.argument("referee")
@click.option(
    "--limit",
    "limit_s",
    type=click.IntRange(0, 10**6),
    metavar="SECONDS",
    help="Seconds that running matches may go on; then they are played again elsewhere.  [default: the referee's ARENA_DRAIN_S]",
)
@click.option("--no-wait", is_flag=True, help="Do not wait until no match runs any more.")
@click.option("--resume", is_flag=True, help="Take matches again, instead.")
@json_option
def command(referee: str, limit_s: int | None, *, no_wait: bool, resume: bool, as_json: bool) -> None:
    """Have a referee take no new matches, before it is stopped.

    It waits until the running matches are over.  REFEREE is the address of its control port, or its name on the admin page Referees.  Its workers go on at the other
    referees that they name.  It drains until it is stopped, or until --resume; the control port's key and TLS are those of
    the settings.

    \b
    Example:
      arena drain play1:7001
    """
    address = _address(referee)
    left = asyncio.run(
        _resume(address) if resume else _drain(address, limit_s, waits=not no_wait, quiet=as_json)
    )
    if as_json:
        print_json({"referee": address, "draining": not resume, "matches": left})
    elif resume:
        echo(f"Referee {address} takes matches again.")
    elif left:
        echo(f"Referee {address} drains: {_count(left)}.")
    else:
        echo(
            f"Referee {address} has drained: no match runs, and it takes no more. Stop it, or let it go on: --resume."
        )


def _address(referee: str) -> str:
    """Return the address in a referee's name.  Raises UsageError."""
    address, at, machine = referee.rpartition("@")
    if not at:
        address = referee
    elif machine != socket.gethostname() and means_this_machine(address):
        raise UsageError(
            f"REFEREE {referee!r}: its control port is reached from {machine} only; run this command there"
        )
    if not address.startswith("unix:") and ":" not in address:
        named = ", ".join(settings().controls)
        raise UsageError(
            f"REFEREE {referee!r}: must be host:port or unix:/path of a control port; ARENA_CONTROL names {named}"
        )
    return address


async def _drain(address: str, limit_s: int | None, *, waits: bool, quiet: bool) -> int:
    """Begin, and wait until it is done if `waits`; return how many matches still run.  Raises RefereeUnreachable."""
    from arena.referee_client import Referee  # noqa: PLC0415 - gRPC takes a moment to import

    left = 0
    async with Referee(address) as referee:
        async for left in referee.drain(limit_s):
            if not waits:
                break
            if left and not quiet:
                echo(f"{_count(left)} …", err=True)
    return left


async def _resume(address: str) -> int:
    from arena.referee_client import Referee  # noqa: PLC0415 - as above

    async with Referee(address) as referee:
        await referee.resume()
    return 0


def _count(matches: int) -> str:
    return f"{matches} match still runs" if matches == 1 else f"{matches} matches still run"
