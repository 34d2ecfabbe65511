"""The Bottle Imp: tricks for two to four seats, and a bottle that must be sold in time (docs/rules.md)."""

from arena.games.bottle_imp.rules import BOTTLE_IMP
from arena.games.bottle_imp.view import BottleImpView
from arena.games.package import GamePackage

__all__ = ["BOTTLE_IMP", "PACKAGE", "BottleImpView"]

PACKAGE = GamePackage(__name__, BOTTLE_IMP, complexity=2, demo_cycles=4)
