"""A Bot Arena with other rules of lost_cities than those its records were played under."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import pytest

from arena.games import registry
from arena.games.kernel import Setup, Step
from arena.games.lost_cities.rules import LostCities
from arena.games.lost_cities.state import LostCitiesState
from arena.games.package import GamePackage


class LaterCities(LostCities):
    """Lost Cities after a ruling has changed: the same seed gives another deal."""

    rules_version: ClassVar[int] = LostCities.rules_version + 1

    def new(self, setup: Setup, seed: bytes) -> tuple[LostCitiesState, tuple[Step, ...]]:
        return super().new(setup, seed[::-1])


def load(monkeypatch: pytest.MonkeyPatch, game: LostCities) -> None:
    """Have other rules loaded in the place of those of lost_cities, as after an update of Bot Arena."""
    ours = registry._load

    def load_other(name: str) -> GamePackage:
        package = ours(name)
        return replace(package, game=game) if name == game.id else package

    monkeypatch.setattr(registry, "_load", load_other)
