"""Referees in processes of their own that a test may kill, tokens in a store, and bots that dial in with them."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc

from arena.core import child_process
from arena.storage.schema import Bot, BotToken
from arena.v1.bot_pb2 import BotMessage, ConnectRequest, Hello
from tests.parts.arena_process import clean_environment, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arena.storage import Store

BOT = """
from arena.sdk import Bot, run

class Mine(Bot):
    name = "mine"
    version = "7"
    matches_at_once = 4

    def choose(self, decision):
        return decision.legal[0]

run(Mine())
"""


class RunningReferee:
    """A referee that a test may kill and start again, at the same addresses."""

    def __init__(
        self,
        folder: Path,
        *,
        public: bool = False,
        options: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        folder.mkdir()
        self.control = f"unix:{folder / 'control'}"
        self.bots = f"127.0.0.1:{free_port()}"
        self._options = (*(("--public", self.bots) if public else ()), *options)
        self._environment = environment or {}
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        arguments = ("--control", self.control, "--bots", self.bots, "--log-level", "WARNING", *self._options)
        self.process = child_process.start(
            child_process.module("referee", *arguments), environment=self._environment, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End it, if it was started."""
        if not hasattr(self, "process"):
            return
        child_process.stop(self.process, grace_s=2.0)
        if self.process.stdout is not None:
            self.process.stdout.close()


def give_token(store: Store, token_id: str) -> str:
    """Have a token admitted; gives the token."""
    token = secrets.token_urlsafe(32)
    digest = sha256(token.encode()).digest()
    with store.write() as session:
        bot = Bot(game="lost_cities", name=token_id, house=False, created_at=0.0)
        session.add(bot)
        session.flush()
        session.add(BotToken(id=token_id, bot_id=bot.id, sha256=digest, created_at=0.0))
    return token


def take_token(store: Store, token_id: str) -> None:
    """Have a token admitted no longer."""
    with store.write() as session:
        session.delete(session.get_one(BotToken, token_id))


def is_admitted(referee: str, token: str) -> bool:
    """Whether a referee lets a token in: then it looks at the Hello, and refuses this one."""
    greeting = ConnectRequest(messages=[BotMessage(hello=Hello(protocol=0))])
    with grpc.insecure_channel(referee, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        call: Any = channel.stream_stream(
            "/arena.v1.BotService/Connect", request_serializer=ConnectRequest.SerializeToString
        )(iter([greeting]), metadata=(("authorization", f"Bearer {token}"),), timeout=5)
        return bool(call.code() is grpc.StatusCode.FAILED_PRECONDITION)


@contextmanager
def dialling_bot(
    folder: Path, referee: str, token: str, source: str = BOT
) -> Iterator[subprocess.Popen[str]]:
    """Run a bot in a process of its own; it plays the first legal action."""
    with _bot(folder, source, (), {"ARENA_REFEREE": referee, "ARENA_TOKEN": token}) as bot:
        yield bot


@contextmanager
def listening_bot(folder: Path, address: str, secret: str) -> Iterator[subprocess.Popen[str]]:
    """Run the same bot as an endpoint."""
    with _bot(folder, BOT, ("--listen", address, "--secret", secret), {}) as bot:
        yield bot


@contextmanager
def _bot(
    folder: Path, source: str, arguments: tuple[str, ...], environment: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    file = folder / "mine.py"
    file.write_text(source)
    bot = subprocess.Popen(
        [sys.executable, str(file), *arguments],
        env={**clean_environment(), **environment},
        stderr=subprocess.PIPE,
        text=True,
        cwd=os.fspath(folder),
    )
    try:
        yield bot
    finally:
        bot.kill()
        bot.communicate()
