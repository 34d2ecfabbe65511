"""Checks of Lifeboats."""

from __future__ import annotations

from arena.games.checks import Checks

CHECKS = Checks(
    twins=None,
    golden_options=({}, {"dealt": 1}),
    min_actions_per_second=60_000,
)
