"""Bots that run elsewhere, for tests: real programs over the SDK, and a referee that admits them."""

from __future__ import annotations

import queue
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc

from arena import process
from arena.v1 import control_pb2
from tests.parts import wait_until

BOT = """
from arena.sdk import Bot, run

class Mine(Bot):
    name = "mine"
    matches_at_once = 8

    def choose(self, decision):
        return decision.legal[0]

if __name__ == "__main__":
    run(Mine())
"""


def bots_port(control: str) -> str:
    """The bots' port of a referee that `local_referee` started."""
    return control.removesuffix("control") + "bots"


@contextmanager
def admitting(control: str, tokens: Mapping[str, bytes], token: str) -> Iterator[None]:
    """Keep a control stream to a referee, which admits these tokens; `token` is one of them."""
    requests: queue.SimpleQueue[control_pb2.ControlRequest | None] = queue.SimpleQueue()
    admitted = [control_pb2.AdmittedToken(token_id=name, token_sha256=sha) for name, sha in tokens.items()]
    requests.put(control_pb2.ControlRequest(admit=control_pb2.AdmitTokens(tokens=admitted)))
    with grpc.insecure_channel(control) as channel:
        call = channel.stream_stream(
            "/arena.v1.RefereeService/Control",
            request_serializer=control_pb2.ControlRequest.SerializeToString,
            response_deserializer=control_pb2.ControlResponse.FromString,
        )(iter(requests.get, None))
        try:
            wait_until(lambda: _opens(bots_port(control), token), "the token opens the bots' port")
            yield
        finally:
            requests.put(None)
            call.cancel()


def _opens(address: str, token: str) -> bool:
    """Whether a token is let in: then the referee waits for a Hello."""
    with grpc.insecure_channel(address, options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        call = channel.stream_stream("/arena.v1.BotService/Connect")(
            iter(waiting.get, None), metadata=(("authorization", f"Bearer {token}"),), timeout=0.3
        )
        try:
            next(call)
        except grpc.RpcError:
            return bool(call.code() is grpc.StatusCode.DEADLINE_EXCEEDED)
        finally:
            waiting.put(None)
    return True


@contextmanager
def bot(folder: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a bot's program."""
    file = folder / "mine.py"
    file.write_text(BOT)
    running = process.start([sys.executable, str(file), *arguments], environment=environment)
    try:
        yield running
    finally:
        process.stop(running, grace_s=2)
