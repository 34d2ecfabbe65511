"""A position as text, as a seat may know it: for learners that read, and for people."""

from __future__ import annotations

import json
from typing import Any

from arena.games.kernel import Action


def describe(view: Any, seat: int, legal: tuple[Action, ...]) -> str:  # noqa: ANN401 - each game has its own view
    """Write the seat, each field of its view on a line of its own, and the legal actions if there are any."""
    fields = [f"{name}: {_write(value)}" for name, value in view._asdict().items()]
    actions = [f"legal: {', '.join(legal)}"] if legal else []
    return "\n".join([f"seat: {seat}", *fields, *actions])


def _write(value: Any) -> str:  # noqa: ANN401 - of any field
    """Write a value: names as they are, tuples with blanks between, tuples of tuples in brackets."""
    if hasattr(value, "_asdict"):
        return "{" + ", ".join([f"{name}: {_write(each)}" for name, each in value._asdict().items()]) + "}"
    if isinstance(value, tuple):
        if any(isinstance(each, tuple) for each in value):
            return " ".join([f"[{_write(each)}]" for each in value])
        return " ".join([_write(each) for each in value]) or "-"
    return value or "-" if isinstance(value, str) else json.dumps(value)
