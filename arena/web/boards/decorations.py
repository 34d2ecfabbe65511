"""Parts of a page that come from a game's code: if one fails, the page is shown without it, and the error is logged."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

_log = logging.getLogger(__name__)
_Part = TypeVar("_Part")
_logged: set[tuple[str, str, str]] = set()
"""Failures that are in the log already: by game, part and kind of exception."""


def decorate(game: str, part: str, default: _Part, make: Callable[[], _Part]) -> _Part:
    """Return what `make` returns, or `default` where the game's code raises; each kind of failure is logged once."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001 - a game's code may raise anything
        kind = (game, part, type(error).__name__)
        if kind not in _logged:
            _logged.add(kind)
            _log.exception(
                "%s: %s failed, so pages go without; `arena game check %s` finds it", game, part, game
            )
        return default
