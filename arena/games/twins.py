"""Pairs of matches that differ only in what one seat cannot see, so that its views must be the same in both.

A pair is made by playing a random match up to some point, dealing again with the cards that the seat cannot know by then
in other places, and playing the same actions; the cards that stayed hidden were never played, so all of them are legal.
A game's `checks` makes them for its own rules (`TwinMaker`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from arena.games.kernel import Played, Step
from arena.games.playouts import Playout


class Twin(NamedTuple):
    """A match up to some point: the state at its start and at the end, all steps, how many seats it has."""

    start: Any
    state: Any
    steps: tuple[Step, ...]
    seats: int


TwinMaker: TypeAlias = Callable[[Random, int, float], tuple[Twin, Twin]]
"""Takes a source of chance, a seat, and how much of the match is played, 0 to 1; returns the match that was played and its twin."""


def follow(
    playout: Playout,
    start: Any,  # noqa: ANN401 - each game has its own state
    opening: Sequence[Step],
    points: slice,
) -> Twin:
    """Play the answers of a match from another state; the steps that no seat chose are those of the rules."""
    state, steps = start, list(opening)
    for point in playout.points[points]:
        chosen = [step for step in point.steps if isinstance(step, Played)]
        state, followed = playout.configuration.game.apply(state, point.answers)
        steps += [*chosen, *followed]
    return Twin(start, state, tuple(steps), playout.configuration.seats)


def shuffle_places(items: Sequence[Any], places: Sequence[int], chooser: Random) -> list[Any]:
    """Shuffle the items at some places among these places."""
    shuffled, moved = list(items), [items[place] for place in places]
    chooser.shuffle(moved)
    for place, item in zip(places, moved, strict=True):
        shuffled[place] = item
    return shuffled
