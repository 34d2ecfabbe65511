"""Texts that fit: SVG neither wraps nor shortens, so names are measured by rule of thumb."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from arena.web.previews.letters import writable

_NARROW = frozenset("iljtfrI.,:;'!|()[] ·")
_LONGEST = 200


class Fitted(NamedTuple):
    """A text as it is written, and its size in pixels."""

    text: str
    size: int


def fit(text: str, room: float, largest: int, smallest: int) -> Fitted:
    """Return a text on one line in the largest size that fits into the width in pixels, shortened where none does.

    Letters that no font has are left out.
    """
    line = writable("".join(each if each.isprintable() else " " for each in text[:_LONGEST])).strip()
    for size in range(largest, smallest - 1, -2):
        if _width(line) * size <= room:
            return Fitted(line, size)
    while line and (_width(line) + 0.9) * smallest > room:
        line = line[:-1]
    return Fitted(f"{line.rstrip()}…", smallest)


def _width(line: str) -> float:
    """Estimate the width of a bold line at a size of 1; it is rather too wide."""
    return sum(_width_of(each) for each in line)


def _width_of(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF" or letter in "mwMW@%":
        return 0.95
    if letter in _NARROW:
        return 0.38
    return 0.7 if letter.isupper() else 0.63
