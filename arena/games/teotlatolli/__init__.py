"""Teotlatolli: two seats, turns of many small actions, hidden hands (docs/games/teotlatolli.md)."""

from arena.games.teotlatolli.rules import TEOTLATOLLI
from arena.games.teotlatolli.view import TeotlatolliView

__all__ = ["TEOTLATOLLI", "TeotlatolliView"]
