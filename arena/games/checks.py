"""Checks of one game: the values that its `checks/__init__.py` is written with (`CHECKS`).

Checks that apply to every game need no code in it: `tests/games/test_conformance.py` and `arena game check` find the games
in the registry.  Golden matches are in `checks/golden`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.twins import TwinMaker

MAX_VIEW_BYTES = 4_096
"""The largest message of a view."""
MAX_BOARD_BYTES = 25_000
MAX_PACKED_BOARD_BYTES = 6_000
"""The largest drawing of a position, as it is and compressed by gzip."""
MIN_ANNOTATED_STEPS = 25
"""Steps of its match that the rules page shows at least; all of them if the match has fewer."""
MIN_HOUSE_BOTS = 4
"""House bots of its own, in addition to `random`, so that tournaments are contests."""


def _no_hands(_: Any) -> tuple[int, ...]:  # noqa: ANN401 - each game has its own view
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Checks of a game's rules."""

    twins: TwinMaker | None
    """Makes matches that differ only in what a seat cannot see; None for a game in which nothing is hidden."""

    deck: Sequence[int] = ()
    """All cards of the game; empty for one without such a deck."""

    cards: Callable[[Any], Sequence[int]] | None = None
    """Returns all cards of a state, sorted, from hands, piles and table alike: they must be those of the deck."""

    held: Callable[[Any], tuple[int, ...]] = _no_hands
    """The number of cards in each hand of a view's own seat, as the board is to show them to others; () without hands."""

    golden_options: tuple[Mapping[str, int], ...] = ({},)
    """The options of the golden matches of each variant and seat count."""

    min_actions_per_second: int = 50_000
    """Speed that `make bench` demands of random play on one core."""
