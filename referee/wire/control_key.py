"""The shared key of a control port."""

from __future__ import annotations

import hmac
from typing import Any

import grpc

from referee.wire.bot_tokens import bearer


class ControlKey:
    """The key that callers of the control port must present; an empty one admits all: a Unix socket is protected by its folder."""

    def __init__(self, text: str) -> None:
        self._key = text.encode()

    async def check(self, context: Any) -> None:  # noqa: ANN401 - grpc's own
        """Abort a call that does not present the key."""
        presented = bearer(context.invocation_metadata()).encode()
        if self._key and not hmac.compare_digest(presented, self._key):
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED, "authorization: must be `Bearer <the shared key>`"
            )
