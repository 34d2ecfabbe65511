"""The limits of a referee on bots, in one value; tests choose small ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RefereeLimits:
    """Limits in seconds, bytes and numbers, one for every resource that a bot can use up."""

    handshake_s: float = 10.0
    """The time that the TLS and HTTP/2 handshakes of a new connection may take."""

    max_connections: int = 2048
    """The most connections at a time to each address of the bots' port."""

    max_unauthenticated: int = 32
    """The most connections without a bot from one IP address (of IPv6: one /64 network) or one local process."""

    unauthenticated_s: float = 60.0
    """The time that a TCP connection without a bot is kept: one that is idle, uses health or reflection only, or is slow."""

    max_streams: int = 100
    """The most calls on one connection at a time."""

    hello_s: float = 10.0
    """The time that a new connection has to say `Hello`."""

    unknown_token_s: float = 2.0
    """Seconds to delay a connection with an unknown token; a newly issued token may not have reached this referee yet."""

    connects_per_second: int = 1
    """The rate at which a token may connect, averaged over ten seconds: each time it is sent the history of its matches."""

    max_frame_bytes: int = 64 * 1024
    """The most bytes in one frame of a bot; a Hello and 64 answers need less than 2 KB."""

    spare_messages_per_second: int = 100
    """Messages that a bot may send beyond one per ask, averaged over ten seconds: late answers, empty frames."""

    blocked_write_s: float = 2.0
    """The time that a write to a bot may block before the bot is charged with a timeout."""

    max_unsent_bytes: int = 256 * 1024
    """The most bytes that may be queued for a bot that does not read."""

    max_referees: int = 64
    """The most other referees that bots are sent the addresses of."""

    max_address_bytes: int = 261
    """The longest address of a referee: a name of 253 bytes (RFC 1035), in brackets if need be, and a port."""

    max_matches_at_once: int = 256
    """The most matches that a connection plays at once, even if its Hello asks for more."""

    reconnect_s: float = 30.0
    """The time that a bot whose connection was lost in a match has to reconnect."""

    dial_s: float = 5.0
    """The time that an endpoint has to answer when it is dialled."""

    endpoint_idle_s: float = 60.0
    """The time that a connection to an endpoint without matches is kept."""

    launch_s: float = 30.0
    """The time that a hosted process has from its start to its Hello."""

    exit_s: float = 5.0
    """The time that a hosted process whose stream has ended has to exit, so that its exit code and the end of its output are known.

    The time that it waits for a core is not counted, but it has `launch_s` at most."""

    process_life_s: float = 3600.0
    """The time that a hosted process is used for match after match before it is replaced."""

    max_offers: int = 64
    """The most games that a Hello may offer, and the most variants of each."""

    memory_excuse_s: float = 3600.0
    """After a program's death caused by the machine's lack of memory was excused, further ones are charged for this long."""

    max_processes: int = 512
    """The most hosted processes alive at a time, where there is memory for them; orders that need more wait."""

    max_overtakings: int = 64
    """The number of orders that may be admitted before an earlier one that waits for processes; further ones wait behind it."""

    idle_processes: int | None = None
    """The most hosted processes kept alive without a match; None for as many as there is memory for."""
