"""The Bottle Imp: tricks for two to four seats, and a bottle that nobody wants to keep (docs/games/bottle_imp.md)."""

from arena.games.bottle_imp.rules import BOTTLE_IMP
from arena.games.bottle_imp.view import BottleImpView

__all__ = ["BOTTLE_IMP", "BottleImpView"]
