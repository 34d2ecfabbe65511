"""How a hosted bot's process ended, and whether the bot may have done that itself."""

from __future__ import annotations

import secrets
import signal
from dataclasses import dataclass
from enum import Enum


class Cause(Enum):
    """Who ended a process, as far as it can be proved."""

    BOT = "the bot"
    """The bot itself, or somebody who cannot be told from it: the matches it was playing are forfeits."""
    OUTSIDE = "outside"
    """Certainly not the bot: nobody is charged, its matches are played again."""
    MACHINE_MEMORY = "the machine's memory"
    """The kernel, since the machine had no memory left, while the bot used no more than it may."""


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """How a process ended: in words, by which signal (None where by none), and who ended it."""

    words: str
    signal: signal.Signals | None = None
    cause: Cause = Cause.BOT


def name_signal(number: int) -> signal.Signals | None:
    """Return a signal by its number; None if the number is none."""
    try:
        return signal.Signals(number)
    except ValueError:
        return None


def ended_by_signal(number: int) -> str:
    """Say that a process was ended by a signal."""
    return f"its process was ended by {signal_words(number)}"


def signal_words(number: int) -> str:
    """Name a signal for people: `signal 9 (SIGKILL)`."""
    found = name_signal(number)
    return f"signal {number} ({found.name})" if found is not None else f"signal {number}"


def new_incident() -> str:
    """Return a name for what may end several matches at once: one death of a process, one lost connection."""
    return secrets.token_hex(8)
