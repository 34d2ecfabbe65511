"""Land Unter: three to five seats keep their heads above water (docs/rules.md)."""

from arena.games.land_unter.rules import LAND_UNTER
from arena.games.land_unter.view import LandUnterView
from arena.games.package import GamePackage

__all__ = ["LAND_UNTER", "PACKAGE", "LandUnterView"]

PACKAGE = GamePackage(__name__, LAND_UNTER, complexity=2, demo_cycles=6)
