"""Settings of gRPC in our processes, made in its environment, where an operator may override them.

Import this module before any that imports grpc: the import sets it, for this process and its children.
"""

from __future__ import annotations

import os

SETTINGS = {
    # By default grpc 1.85 hands each message from thread to thread.  On a stream that carries one small message
    # at a time this makes a round trip at least a third longer: `make bench ARGS=referee` shows it.
    "GRPC_EXPERIMENTS": "-event_engine_client,-event_engine_listener,-event_engine_callback_cq",
    # grpc's own log is not for a bot's author, and would displace the bot's last words where only those are kept.
    "GRPC_VERBOSITY": "NONE",
}

for _name, _value in SETTINGS.items():
    os.environ.setdefault(_name, _value)
