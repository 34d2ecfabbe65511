"""Ends of hosted bots' processes, and whether the bot may have caused them."""

from __future__ import annotations

import secrets
import signal
from dataclasses import dataclass
from enum import Enum


class Cause(Enum):
    """The cause of a process's end, as far as it can be proved."""

    BOT = "the bot"
    """The bot itself, or a cause that cannot be distinguished from it: its matches are forfeits."""
    OUTSIDE = "outside"
    """Certainly not the bot: it is not charged, and its matches are played again."""
    MACHINE_MEMORY = "the machine's memory"
    """The kernel, since the machine had no memory left, while the bot used no more than it may."""


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """The end of a process: in words, by which signal (None if it exited), and its cause."""

    words: str
    signal: signal.Signals | None = None
    cause: Cause = Cause.BOT
    is_success: bool = False
    """Whether it exited with code 0, as a program that has nothing more to do."""


def name_signal(number: int) -> signal.Signals | None:
    """Return a signal by its number; None if there is no such signal."""
    try:
        return signal.Signals(number)
    except ValueError:
        return None


def ended_by_signal(number: int) -> str:
    """Return the words for a process that was ended by a signal."""
    return f"its process was ended by {signal_words(number)}"


def signal_words(number: int) -> str:
    """Return the name of a signal, such as `signal 9 (SIGKILL)`."""
    found = name_signal(number)
    return f"signal {number} ({found.name})" if found is not None else f"signal {number}"


def new_incident() -> str:
    """Return a new incident: the id of an event that may end several matches, such as the death of a process."""
    return secrets.token_hex(8)
