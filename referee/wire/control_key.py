"""The credentials of a caller of the control port: the shared key, and a release that is near enough to this one."""

from __future__ import annotations

import hmac
from typing import Any

import grpc

from arena.core.release import explain_distance
from arena.referee_client import peer_release
from referee.wire.bot_tokens import bearer


class ControlKey:
    """The key that callers of the control port must present; an empty one admits all: a Unix socket is protected by its folder."""

    def __init__(self, text: str) -> None:
        self._key = text.encode()

    async def check(self, context: Any) -> None:  # noqa: ANN401 - grpc's own
        """Abort a call that does not present the key, or is of a generation too far from ours; say what ours is."""
        presented = bearer(context.invocation_metadata()).encode()
        if self._key and not hmac.compare_digest(presented, self._key):
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED, "authorization: must be `Bearer <the shared key>`"
            )
        await context.send_initial_metadata(peer_release.metadata())
        # At the end, too: of a call that ends at once the caller may see its end first, and gRPC then drops its beginning.
        context.set_trailing_metadata(peer_release.metadata())
        caller = peer_release.read_peer(context.invocation_metadata())
        if distance := explain_distance("this referee", "the worker or web that calls", caller):
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, distance)
