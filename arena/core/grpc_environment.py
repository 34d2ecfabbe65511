"""How gRPC runs in our processes: set in its environment, which an operator may override.

Import this module before any that imports grpc: the import sets it, for this process and its children.
"""

from __future__ import annotations

import os

SETTINGS = {
    # What grpc 1.85 does unless told otherwise hands each message from thread to thread.  For a stream that carries
    # one small message at a time a round trip takes a third longer so, or more: `make bench ARGS=referee` shows it.
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener,-event_engine_callback_cq",
    # Its own log is not for a bot's author; where last words are kept, it would push them out.
    "GRPC_VERBOSITY": "NONE",
}

for _name, _value in SETTINGS.items():
    os.environ.setdefault(_name, _value)
