"""The legal actions of the seats to move, sorted for buttons."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.drawing import Scene
from arena.games.kernel import Action


@dataclass(frozen=True, slots=True)
class Offer:
    """The legal actions of a seat by verb, in the rules' order, and the one that it will choose."""

    seat: int
    groups: tuple[tuple[str, tuple[Action, ...]], ...]
    chosen: Action | None


def offers(scene: Scene) -> tuple[Offer, ...]:
    """Sort the legal actions of each seat by their verb."""
    found = []
    for seat, actions in scene.legal.items():
        groups: dict[str, list[Action]] = {}
        for action in actions:
            groups.setdefault(action.split()[0], []).append(action)
        listed = tuple((verb, tuple(each)) for verb, each in groups.items())
        found.append(Offer(seat, listed, scene.chosen.get(seat)))
    return tuple(found)
