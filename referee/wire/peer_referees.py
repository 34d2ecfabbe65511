"""The addresses of this referee and its peers, and whether this one is draining, as sent to dial-in bots."""

from __future__ import annotations

from collections.abc import Iterable

from arena.core.host_and_port import is_host_and_port
from referee.limits.referee_limits import RefereeLimits


class PeerReferees:
    """The addresses of the other referees, bounded in number and size, since every dial-in bot is sent them.  Mutable."""

    def __init__(self, limits: RefereeLimits, public: str = "") -> None:
        self.public = public
        """This referee's own address; empty if it has none that other machines can dial."""
        self.addresses: tuple[str, ...] = ()
        self.is_draining = False
        """Whether this referee takes no new matches."""
        self._limits = limits

    def replace(self, addresses: Iterable[str]) -> bool:
        """Replace all addresses; return whether they have changed.  Those that are too long or no HOST:PORT are left out."""
        max_bytes = self._limits.max_address_bytes
        fitting = [each for each in addresses if len(each) <= max_bytes and is_host_and_port(each)]
        before, self.addresses = self.addresses, tuple(sorted(set(fitting))[: self._limits.max_referees])
        return self.addresses != before
