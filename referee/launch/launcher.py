"""Launchers of hosted bots, and the protection of the machine from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from arena.core.errors import ArenaError
from referee.launch.bot_process import Process


@dataclass(frozen=True, slots=True)
class Protection:
    """The protection of the machine from hosted bots: `full`, `partial` (only house bots may run) or `none`."""

    level: str
    words: str
    """The reason if the level is not full; otherwise the parts of the protection."""
    remedy: str = ""
    """The operator's next step to improve it."""

    def __str__(self) -> str:
        """Return the message as one line."""
        return "; ".join(filter(None, (f"{self.level}: {self.words}", self.remedy)))

    @property
    def refusal(self) -> str:
        """Return why other people's bots are not started."""
        return f"other people's bots run in a full sandbox only, and here it is {self}"


UNPROTECTED = Protection(
    "none", "hosted bots run with all the rights of the referee", "start it with --sandbox on"
)
"""The protection of a referee that runs without a sandbox."""


class LaunchError(ArenaError):
    """Raised when a process cannot be started for a reason that is not the bot's fault."""


class Launcher(Protocol):
    """Starts hosted bots."""

    @property
    def protection(self) -> Protection:
        """The protection of the machine from hosted bots."""
        ...

    def check(self, program: str) -> None:
        """Check that there is such a program, and that it may be started here.  Raises UsageError."""
        ...

    async def prepare(self, program: str, *, referee: str) -> None:
        """Prepare to start a program that will connect to an address; costs nothing once it is done."""
        ...

    def start(self, program: str, *, referee: str, token: str) -> Process:
        """Start a program that will connect to an address with a token.  Raises LaunchError."""
        ...

    def check_helpers(self) -> None:
        """Check that the processes work which it has for all bots together; to be called once a second."""
        ...

    def close(self) -> None:
        """End all processes that are still running."""
        ...
