"""What a referee lets bots do, in one value: tests make it small."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on time, space and number; all that a bot can use up has one here."""

    handshake_s: float = 10.0
    """How long TLS and HTTP/2 may take to agree on a new connection."""

    max_connections: int = 2048
    """The most connections that each of the bots' addresses takes at a time."""

    max_strangers: int = 32
    """The most connections from one IP address (of IPv6: one network of 64 bits), or one local process, without a bot."""

    stranger_s: float = 60.0
    """How long a connection over TCP may go without a bot: one that is idle, looks at health or reflection, or is slow."""

    max_streams: int = 100
    """The most calls on one connection at a time."""

    hello_s: float = 10.0
    """How long a new connection has to say `Hello`."""

    unknown_token_s: float = 2.0
    """How long whoever shows no token that is known is kept waiting: one that was just made may not have been heard of."""

    connects_per_second: int = 1
    """How often a token may connect, averaged over ten seconds: its matches are told anew each time."""

    max_frame_bytes: int = 64 * 1024
    """The most bytes in one frame of a bot; a Hello and 64 answers need less than 2 KB."""

    spare_messages_per_second: int = 100
    """What a bot may send beyond one message per ask, averaged over ten seconds: late answers, empty frames."""

    blocked_write_s: float = 2.0
    """How long a write to a bot may block before that is its timeout."""

    max_unsent_bytes: int = 256 * 1024
    """The most bytes that may wait for a bot that does not read."""

    max_referees: int = 64
    """The most other referees that bots are told of."""

    max_address_bytes: int = 261
    """The longest address of a referee: a name of 253 bytes (RFC 1035), in brackets if need be, and a port."""

    max_matches_at_once: int = 256
    """The most matches that a connection plays at once, whatever its Hello says."""

    reconnect_s: float = 30.0
    """How long a bot whose connection was lost in play has to come back."""

    dial_s: float = 5.0
    """How long an endpoint has to answer when it is dialled."""

    endpoint_idle_s: float = 60.0
    """How long a connection to an endpoint without matches is kept."""

    launch_s: float = 30.0
    """How long a hosted process has from its start to its Hello."""

    exit_s: float = 1.0
    """How long a hosted process whose stream has ended has to die by itself, so that its last words are known."""

    process_life_s: float = 3600.0
    """How long a hosted process plays one match after the other before it is started anew."""

    max_offers: int = 64
    """The most games that a Hello may offer, and the most variants of each."""

    excuse_memory_s: float = 3600.0
    """After a program's death for want of the machine's memory was excused, the next within so long is charged to it."""

    max_processes: int = 32
    """The most hosted processes alive at a time; orders that need more wait."""

    max_overtakings: int = 64
    """How many orders may be let in before one that waits for processes: then they wait behind it."""

    idle_processes: int = 12
    """The most hosted processes kept alive without a match."""
