"""Dialling in: the bot connects to the arena's referees, and again whenever a connection breaks."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from random import uniform
from time import monotonic

from arena.core.errors import UsageError
from arena.core.foreign_text import clean
from arena.net.address import Address, parse, read_tls
from arena.sdk.call_end import CallEnd, Code
from arena.sdk.conversation import Conversation, Player
from arena.v1.bot_pb2 import Welcome

_METHOD = "/arena.v1.BotService/Connect"
_FIRST_PAUSE_S = 0.2
_MAX_PAUSE_S = 15.0
_STEADY_S = 10.0
"""A connection that lasted this long was a good one: after it the pauses begin with the first again."""


class Refused(Exception):  # noqa: N818 - the field's own word for it
    """Raised when the arena does not let the bot in, and trying again would not help."""


@dataclass(frozen=True, slots=True)
class _Parting:
    """The end of a connection."""

    why: str
    code: Code
    for_good: bool = False


async def dial_in(player: Player, address: str, token: str) -> None:
    """Play for the referee at an address, and for the others it names, until the arena says goodbye for good.

    The address is TLS or not as arena.net.address says; ARENA_TLS=off is the clear where it does not say, and
    ARENA_CA names a file of root certificates that are trusted besides the system's.
    Raises Refused if the first one does not know the token, UsageError for a bad address or file, and BotCrash.
    """
    lines = _Lines(player, token, address)
    try:
        await lines.wait()
    finally:
        lines.cancel()


class _Lines:
    """One stream to the referee of ARENA_REFEREE, and one to each other that is named on these streams."""

    def __init__(self, player: Player, token: str, first: str) -> None:
        self._player = player
        self._token = token
        self._first = first
        self._lines: dict[str, asyncio.Task[None]] = {}
        self._welcomes: dict[str, Welcome] = {}
        """The last `Welcome` of each open stream, by the address that was dialled."""
        self._ended = asyncio.Event()
        self._open(first)

    async def wait(self) -> None:
        """Wait until every line has ended for good.  Raises Refused and BotCrash."""
        while not all(line.done() for line in self._lines.values()):
            await self._ended.wait()
            self._ended.clear()
            for line in self._lines.values():
                if line.done():
                    line.result()

    def cancel(self) -> None:
        """Hang up everywhere."""
        for line in self._lines.values():
            line.cancel()

    def _open(self, address: str) -> None:
        self._lines[address] = line = asyncio.create_task(self._keep(address))
        line.add_done_callback(lambda _: self._ended.set())

    def _heard(self, address: str, welcome: Welcome | None) -> None:
        """Dial the referees that a stream names and that have no line yet, under this name or another."""
        if welcome is None or welcome is self._welcomes.get(address):
            return
        self._welcomes[address] = welcome
        reached = {each.address for each in self._welcomes.values()}
        for referee in welcome.referees:
            if referee not in self._lines and referee not in reached:
                self._open(referee)

    def _is_wanted(self, address: str) -> bool:
        """Return whether to dial again: a referee that no open stream names any more is gone for good."""
        named = [address in welcome.referees for welcome in self._welcomes.values()]
        return address == self._first or not named or any(named)

    async def _keep(self, address: str) -> None:
        try:
            where = parse(address, tls=read_tls(os.environ.get("ARENA_TLS", "")))
        except UsageError as error:
            if address == self._first:
                raise
            _tell(f"a referee of the arena cannot be reached: {error}")
            return
        pause_s = _FIRST_PAUSE_S
        while True:
            began = monotonic()
            parting = await self._talk(address, where)
            if parting.code is Code.UNAUTHENTICATED and address == self._first:
                raise Refused(f"the arena refused the connection: {parting.why}")
            if parting.for_good:
                return
            if monotonic() - began > _STEADY_S:
                pause_s = _FIRST_PAUSE_S
            wait_s = pause_s * uniform(0.5, 1.0)
            _tell(f"{address}: {parting.why}; connecting again in {wait_s:.1f} s")
            await asyncio.sleep(wait_s)
            if not self._is_wanted(address):
                del self._lines[address]  # it may be named, and dialled, again
                return
            pause_s = min(pause_s * 2, _MAX_PAUSE_S)

    async def _talk(self, address: str, where: Address) -> _Parting:
        # Only what this address needs: importing grpc takes longer than all else of a start.
        if where.target.startswith("unix:"):
            from arena.sdk.socket_call import talk  # noqa: PLC0415
        else:
            from arena.sdk.grpc_call import talk  # noqa: PLC0415

        conversation = Conversation(self._player)
        try:
            end = await talk(
                where,
                _METHOD,
                self._token,
                conversation,
                self._player.hello(),
                lambda: self._heard(address, conversation.welcome),
            )
        finally:
            conversation.close()
            self._welcomes.pop(address, None)
        return _judge(conversation, end)


def _judge(conversation: Conversation, end: CallEnd) -> _Parting:
    goodbye = conversation.goodbye
    if goodbye is not None:
        return _Parting(goodbye.reason or "goodbye", end.code, for_good=not goodbye.come_back)
    return _Parting(end.details or end.code.name, end.code)


def _tell(text: str) -> None:
    print(clean(text), file=sys.stderr, flush=True)  # noqa: T201
