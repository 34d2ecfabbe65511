"""The games of this arena: the only list of them."""

from __future__ import annotations

from typing import Any

from arena.errors import UsageError
from arena.games.bottle_imp.rules import BOTTLE_IMP
from arena.games.kernel import Game
from arena.games.land_unter.rules import LAND_UNTER
from arena.games.lost_cities.rules import LOST_CITIES

AnyGame = Game[Any, Any]

_ALL: tuple[AnyGame, ...] = (LOST_CITIES, LAND_UNTER, BOTTLE_IMP)

GAMES: dict[str, AnyGame] = {game.id: game for game in _ALL}


def find(game: str) -> AnyGame:
    """Find a game by its id.  Raises UsageError naming the games there are."""
    if game not in GAMES:
        raise UsageError(f"game {game!r}: this arena has {', '.join(GAMES)}")
    return GAMES[game]
