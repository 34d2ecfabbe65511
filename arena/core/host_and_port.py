"""The grammar of `host:port`."""

from __future__ import annotations

import re

PATTERN = r"(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+):(?P<port>\d{1,5})"
"""A host is a name, an IPv4 address, or an IPv6 address in brackets."""


def is_host_and_port(text: str) -> bool:
    """Return whether a text is a bare `host:port`, with a port from 1 to 65535."""
    found = re.fullmatch(PATTERN, text)
    return found is not None and 0 < int(found["port"]) < 1 << 16
