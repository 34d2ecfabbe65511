"""The spaces of a game's observations and actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.games.encoding import Encoding
from arena.games.kernel import Action, AnyGame
from arena.rl.action_numbers import ActionNumbers

Observation = dict[str, NDArray[Any]]
"""`observation`: the view in numbers; `action_mask`: 1 for what is legal."""


def observation_space(encoding: Encoding, numbers: ActionNumbers) -> spaces.Dict:
    """Return a new space of observations."""
    length = sum(encoding.PARTS.values())
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, 1.0, (length,), np.float32),
            "action_mask": spaces.Box(0, 1, (numbers.count,), np.int8),
        }
    )


def observe(
    game: AnyGame,
    encoding: Encoding,
    state: Any,  # noqa: ANN401 - of any game
    seat: int,
    seats: int,
) -> NDArray[np.float32]:
    """Return a seat's view in numbers, a new array."""
    return np.frombuffer(encoding.encode(game.view(state, seat), seat, seats), np.float32)


def observation(view: NDArray[np.float32], numbers: ActionNumbers, legal: tuple[Action, ...]) -> Observation:
    """Combine a view in numbers with the mask of legal actions."""
    return {"observation": view, "action_mask": numbers.mask(legal)}
