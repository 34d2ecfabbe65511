"""Teotlatolli: two seats, turns of many small actions, hidden hands (docs/rules.md)."""

from arena.games.package import GamePackage
from arena.games.teotlatolli.rules import TEOTLATOLLI
from arena.games.teotlatolli.view import TeotlatolliView

__all__ = ["PACKAGE", "TEOTLATOLLI", "TeotlatolliView"]

PACKAGE = GamePackage(__name__, TEOTLATOLLI, complexity=4, demo_cycles=6)
