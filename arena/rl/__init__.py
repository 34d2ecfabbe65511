"""Environments for learners, in the two interfaces that learners know: `pip install 'bot-arena[rl]'`.

    aec(game, seats)            PettingZoo: one seat after the other
    parallel(game, seats)       PettingZoo: all seats at once; who has nothing to choose waits
    single(game, opponents)     Gymnasium: one seat against bots of this process

All have the same numbers for the same actions and views: those of the game's encoding (docs/learning.md).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arena.core.errors import UsageError

if TYPE_CHECKING:
    from arena.rl.parallel_env import parallel as parallel
    from arena.rl.single_env import single as single
    from arena.rl.turn_env import aec as aec

_PLACES = {"aec": "turn_env", "parallel": "parallel_env", "single": "single_env"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - of any module
    """Import an environment when it is first used.  Raises UsageError if its packages are not installed."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("arena"):
            raise
        raise UsageError(
            f"arena.rl.{name}: the package {error.name} is missing; install it with: pip install 'bot-arena[rl]'"
        ) from error
