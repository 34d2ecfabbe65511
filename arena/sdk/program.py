"""A bot's main program: finds out how it is to be reached, and plays until it is asked to stop."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Coroutine, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arena.core import grpc_environment  # noqa: F401 - settles how grpc runs
from arena.core.errors import UsageError
from arena.core.foreign_text import clean
from arena.net.address import is_local, read_tls
from arena.net.header_secret import clean_secret
from arena.sdk.bot import Bot, bot_of
from arena.sdk.conversation import BotCrash, Player
from arena.sdk.dial_in import Refused, dial_in
from arena.sdk.ending import end, end_on_signals, notice_signals_amid_thoughts


def run(bot: Bot[Any] | type[Bot[Any]], arguments: Sequence[str] | None = None) -> None:
    """Run a bot's program; `arguments` are the command line's, if not given.

    A class that takes no arguments is instantiated.  Raises TypeError for what is no bot.

    With ARENA_REFEREE (an address) and ARENA_TOKEN in the environment it dials in; with `--listen HOST:PORT` it is
    an endpoint.  Ends the process: 0 when asked to stop, 1 after a crash or if it cannot be reached as configured,
    2 if neither way in is given.
    """
    bot = bot_of(bot)
    parser = _parser()
    options = parser.parse_args(arguments)
    referee = os.environ.get("ARENA_REFEREE", "").strip()
    if not options.listen and not referee:
        parser.exit(2, f"{_NOTHING_TO_DO.format(program=Path(sys.argv[0]).name)}\n")
    if stop := os.environ.get("ARENA_STOP_AT", ""):
        import_module("arena.sdk.debugger").stop_at(bot, int(stop))
    if folder := os.environ.get("ARENA_PROFILE", ""):
        import_module("arena.sdk.profiler").profile(bot, Path(folder))
    end_on_signals()
    try:
        if options.listen:
            _run(_listen(Player(bot), options))
        else:
            token = clean_secret(os.environ.get("ARENA_TOKEN", ""), "ARENA_TOKEN")
            _run(dial_in(Player(bot), referee, token))
    except (BotCrash, Refused, UsageError) as error:
        _tell(str(error))
        end(1)


_NOTHING_TO_DO = (
    "{program}: nobody to play for; try `arena match GAME {program} greedy`, "
    "or give --listen HOST:PORT, or set ARENA_REFEREE and ARENA_TOKEN"
)


def _run(conversation: Coroutine[Any, Any, None]) -> None:
    """Run to the end, on uvloop where it is installed: a round trip takes a quarter less on it."""
    if find_spec("uvloop") is None:
        asyncio.run(_noticing_signals(conversation))
    else:
        import_module("uvloop").run(_noticing_signals(conversation))


async def _noticing_signals(conversation: Coroutine[Any, Any, None]) -> None:
    notice_signals_amid_thoughts()
    await conversation


_ENDPOINT_OPTIONS = {
    "secret": "what the arena must present to an endpoint",
    "tls-cert": "file of an endpoint's certificate, with its chain",
    "tls-key": "file of the certificate's key",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="A bot. Without --listen it connects to ARENA_REFEREE with ARENA_TOKEN.",
        epilog="Try it at home: arena match GAME my_bot.py greedy",
    )
    parser.add_argument(
        "--listen", type=_address, metavar="HOST:PORT", help="be an endpoint: wait for the arena there"
    )
    for option, text in _ENDPOINT_OPTIONS.items():
        # ARENA_SECRET is the platform's own, on a machine that is both.
        name = "ARENA_BOT_SECRET" if option == "secret" else f"ARENA_{option.upper().replace('-', '_')}"
        parser.add_argument(f"--{option}", default=os.environ.get(name, ""), help=f"{text} (or {name})")
    parser.add_argument(
        "--plaintext",
        action="store_true",
        help="an endpoint without TLS: something in front does it (or ARENA_TLS=off)",
    )
    return parser


def _address(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not text.startswith("unix:") and not (host and port.isdecimal() and int(port) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{text!r}: must be HOST:PORT, such as 127.0.0.1:7001")
    return text


async def _listen(player: Player, options: argparse.Namespace) -> None:
    # Only here: they cost a hosted bot, which never listens, a tenth of its start.
    from arena.net.certificate import read_certificate  # noqa: PLC0415
    from arena.sdk.endpoint import Endpoint  # noqa: PLC0415

    secret = clean_secret(options.secret, "--secret (ARENA_BOT_SECRET)")
    endpoint = Endpoint(player, secret)
    tls = not options.plaintext and read_tls(os.environ.get("ARENA_TLS", ""))
    certificate = read_certificate(options.tls_cert, options.tls_key, tls=tls)
    where = await endpoint.start(options.listen, certificate=certificate, tls=tls)
    if not secret and not is_local(where):
        _tell("warning: without --secret anybody who reaches this port can have the bot play")
    print(f"listening on {where}", flush=True)  # noqa: T201 - for the person who started it
    await endpoint.wait()


def _tell(text: str) -> None:
    print(clean(text), file=sys.stderr, flush=True)  # noqa: T201
