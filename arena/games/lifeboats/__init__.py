"""Lifeboats: three to six seats vote who drowns (docs/games/lifeboats.md)."""

from arena.games.lifeboats.rules import LIFEBOATS
from arena.games.lifeboats.view import LifeboatsView

__all__ = ["LIFEBOATS", "LifeboatsView"]
