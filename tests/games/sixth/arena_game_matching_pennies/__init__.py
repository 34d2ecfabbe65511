"""Matching Pennies: two seats show heads or tails at the same time; seat 0 wins if they match (docs/rules.md)."""

from arena.games.package import GamePackage
from arena_game_matching_pennies.rules import MATCHING_PENNIES
from arena_game_matching_pennies.view import MatchingPenniesView

__all__ = ["MATCHING_PENNIES", "PACKAGE", "MatchingPenniesView"]

PACKAGE = GamePackage(__name__, MATCHING_PENNIES, complexity=1)
