"""How gRPC waits for its sockets in our processes: told it in its environment, where an operator may say otherwise.

What grpc 1.85 does unless told otherwise (the `event_engine_*` experiments, all of them on) hands each message from
thread to thread.  For a stream that carries one small message at a time a round trip takes about twice as long so;
`make bench ARGS=referee` measures both.
"""

from __future__ import annotations

import os

SETTINGS = {
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener,-event_engine_callback_cq",
    "GRPC_VERBOSITY": "NONE",
}
"""Its own log is off: it is not for a bot's author, and where last words are kept it would push them out."""


def settle() -> None:
    """Settle it for this process and its children; to be called before grpc's first channel or server."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
