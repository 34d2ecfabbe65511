"""Texts of all warnings, so that those announced in Redis can be shown in another language."""

from __future__ import annotations

from arena.core.translatable import recall
from arena.messaging.redis_connection import EXPOSED
from arena.operations.start_checks import (
    certificate_check,
    clock_check,
    connections_check,
    environment_check,
)
from arena.referee_client.control_credentials import NO_KEY

_MESSAGES = (
    *(environment_check.NEARLY, environment_check.UNKNOWN),
    *(certificate_check.EXPIRES, certificate_check.EXPIRED),
    *(clock_check.AHEAD, clock_check.BEHIND),
    *(connections_check.TOO_FEW, connections_check.TOO_FEW_OF_ROLE),
    *(NO_KEY, *EXPOSED),
)


def recall_warning(text: str) -> str:
    """Return a warning as a text that knows of which message it was made."""
    return recall(text, _MESSAGES)
