"""Stopping in Python's debugger where a bot begins to think, for `arena bot replay --pdb`."""

from __future__ import annotations

import sys
from functools import partial
from itertools import count
from pdb import Pdb
from typing import Any

from arena.sdk.bot import Bot


def stop_at(bot: Bot[Any], number: int) -> None:
    """Set a breakpoint at the first line of a bot's `choose` or `say`, for the `number`th call, from 1."""
    asked = count(1)

    def stopping(method: Any, decision: Any) -> Any:  # noqa: ANN401 - either method
        return (
            method(decision) if next(asked) != number else _Debugger(nosigint=True).runcall(method, decision)
        )

    for name in ("choose", "say"):
        setattr(bot, name, partial(stopping, getattr(bot, name)))


class _Debugger(Pdb):
    """Ends the program when the debugger quits: there is no answer then."""

    def set_quit(self) -> None:
        sys.exit(1)
