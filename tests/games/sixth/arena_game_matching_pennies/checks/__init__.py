"""What holds Matching Pennies to its rules."""

from __future__ import annotations

from arena.games.checks import Checks
from arena_game_matching_pennies.checks.twins import make_twins

CHECKS = Checks(twins=make_twins)
