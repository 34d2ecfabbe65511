"""Checks of Teotlatolli."""

from __future__ import annotations

from arena.games.checks import Checks
from arena.games.teotlatolli.checks.twins import make_twins
from arena.games.teotlatolli.view import TeotlatolliView


def _held(view: TeotlatolliView) -> tuple[int, ...]:
    return (len(view.hand),)


CHECKS = Checks(
    twins=make_twins,
    held=_held,
    min_actions_per_second=60_000,
)
