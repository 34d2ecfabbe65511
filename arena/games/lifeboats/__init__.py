"""Lifeboats: three to six seats vote who drowns (docs/rules.md)."""

from arena.games.lifeboats.rules import LIFEBOATS
from arena.games.lifeboats.view import LifeboatsView
from arena.games.package import GamePackage

__all__ = ["LIFEBOATS", "PACKAGE", "LifeboatsView"]

PACKAGE = GamePackage(__name__, LIFEBOATS, complexity=3, demo_cycles=2)
