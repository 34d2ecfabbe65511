"""The limits on what clients of the web may use, in one value; tests make them small."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on time, space and number of connections, event streams and bodies.

    "An address" is one of IPv4, or a network of 64 bits of IPv6.  The networks that it is in have higher bounds
    (`arena.net.client_groups`).
    """

    max_descriptors: int = 65_536
    """The file descriptors that the process takes, if the hard limit allows as many."""

    spare_descriptors: int = 192
    """Those kept for the store, Redis, the referee, threads and files: connections get the rest."""

    max_connections: int = 4096
    """The most connections at a time; the longest idle one makes room for a new one."""

    max_connections_per_address: int = 256
    """The most from one address that is no proxy of ours: a class behind one router has a few each."""

    head_s: float = 10.0
    """Time that a connection has to send a request's head, from its first byte, or from the start."""

    max_head_bytes: int = 64 * 1024
    """The most bytes of a head; a browser with all of our cookies sends about 2 KB."""

    max_pipelined: int = 16
    """The most requests that wait on one connection; browsers do not pipeline at all."""

    keep_alive_s: int = 30
    """Time that a connection is kept open between two requests."""

    linger_s: float = 30.0
    """Time for which the rest of a body is read and dropped after its answer, so that the client sees the answer."""

    stalled_s: float = 60.0
    """Time after which a client that does not read its answer is disconnected."""

    body_grace_s: float = 30.0
    """The part of a body's deadline that does not depend on its size, and so the wait for its first byte."""

    min_body_pace: int = 32 * 1024
    """Bytes a second that a sender must reach beyond that: 20 MB may take eleven minutes."""

    max_body_bytes: int = 256 * 1024
    """The most bytes of a body, except where a route bounds it itself."""

    max_uploads: int = 8
    """The most uploads of bots at a time, and the most parts of weights; the slowest one gives way to a new one."""

    max_uploads_per_account: int = 2
    """The most uploads of bots, and of parts of weights, of one account at a time."""

    upload_grace_s: float = 1.0
    """Time for which an upload cannot be the one that gives way, since its speed is not known yet."""

    max_part_bytes: int = 4 * 1024 * 1024
    """The most bytes of a part of weights: at the least pace one request takes less than three minutes."""

    max_streams: int = 2048
    """The most event streams at a time; one costs about 20 KB.  The network with the most gives one to a new client."""

    max_streams_per_address: int = 128
    """The most event streams of one address, as the proxy names it."""

    max_downloads: int = 8
    """The most bulk downloads at a time: each takes a core for seconds."""

    max_downloads_per_address: int = 2
    """The most bulk downloads of one address at a time."""
