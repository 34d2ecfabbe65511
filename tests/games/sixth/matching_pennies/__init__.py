"""Matching Pennies: two seats show heads or tails at the same time; seat 0 wins if they match."""

from arena.games.matching_pennies.rules import MATCHING_PENNIES
from arena.games.matching_pennies.view import MatchingPenniesView

from arena.games.package import GamePackage

__all__ = ["MATCHING_PENNIES", "PACKAGE", "MatchingPenniesView"]

PACKAGE = GamePackage(__name__, MATCHING_PENNIES, complexity=1)
