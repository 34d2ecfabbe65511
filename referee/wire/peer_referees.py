"""Where dial-in bots reach this referee, and the others that the control port names: they keep a stream to each."""

from __future__ import annotations

from collections.abc import Iterable

from arena.net.address import is_host_and_port
from referee.limits.referee_limits import Limits


class Others:
    """Addresses, bounded in number and size, since they go to every dial-in bot.  Mutable."""

    def __init__(self, limits: Limits, public: str = "") -> None:
        self.public = public
        self.addresses: tuple[str, ...] = ()
        self._limits = limits

    def replace(self, addresses: Iterable[str]) -> bool:
        """Take note of all the others there are; tells whether that is anything new."""
        longest = self._limits.max_address_bytes
        fitting = [each for each in addresses if len(each) <= longest and is_host_and_port(each)]
        before, self.addresses = self.addresses, tuple(sorted(set(fitting))[: self._limits.max_referees])
        return self.addresses != before
