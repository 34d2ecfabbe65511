"""Whether anything that a seat cannot see reaches it: the twins of a game look the same to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.games import codec
from arena.games.kernel import AnyGame, Choice
from arena.games.twins import Twin


def told(
    game: AnyGame, encode: Callable[[Any], bytes], seat: int, match: Twin
) -> tuple[bytes, Any, list[bytes]]:
    """Return everything that a seat receives, as it travels: the view, the legal actions, the history."""
    asked = any(isinstance(each, Choice) and each.seat == seat for each in game.to_act(match.state))
    seen = [game.seen(step, seat) for step in match.steps]
    return (
        encode(game.view(match.state, seat)),
        game.legal(match.state, seat) if asked else game.to_act(match.state),
        [codec.step_to_proto(step).SerializeToString() for step in seen if step is not None],
    )
