"""Lost Cities: two seats, five expeditions, push your luck (docs/rules.md)."""

from arena.games.lost_cities.rules import LOST_CITIES
from arena.games.lost_cities.view import LostCitiesView
from arena.games.package import GamePackage

__all__ = ["LOST_CITIES", "PACKAGE", "LostCitiesView"]

PACKAGE = GamePackage(__name__, LOST_CITIES, complexity=1, demo_cycles=6)
