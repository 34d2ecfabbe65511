"""The name of a moment of a match: MATCH:STEP, such as gzpqumnkarjxzyev:37, the record's step of that number, from 0.

A decision is named for the step that its answer is; one that a fault left without an answer, for the step that the answer would have been.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.core.errors import UsageError


class StepReference(NamedTuple):
    """A step of a match."""

    match: str
    step: int

    def __str__(self) -> str:
        """Return it as commands take it."""
        return f"{self.match}:{self.step}"


def read_reference(text: str, option: str) -> StepReference:
    """Read MATCH:STEP, given as an option.  Raises UsageError."""
    match, _, number = text.rpartition(":")
    if not match or not (number.isascii() and number.isdecimal()):
        raise UsageError(f"{option} {text!r}: must be MATCH:STEP, such as gzpqumnkarjxzyev:37")
    return StepReference(match, int(number))
