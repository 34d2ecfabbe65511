"""The curve of a test: its LLR set by set between the two bounds, as a path of an SVG that is stretched to its room."""

from __future__ import annotations

from dataclasses import dataclass

from arena.reports.by_format.sprt_course import SprtCourse

WIDTH = 1000
HEIGHT = 100
_MAX_ROWS = 12
_MARGIN = 0.08
"""The part of the height that is left free above and below."""


@dataclass(frozen=True, slots=True)
class LlrChart:
    """The drawing, `WIDTH` × `HEIGHT`, and the same as a table."""

    path: str
    low_y: float
    high_y: float
    zero_y: float
    last: tuple[float, float]
    """Where the curve ends."""
    most_sets: int
    rows: tuple[tuple[int, float], ...]
    """After how many sets, the LLR."""
    outcomes: tuple[tuple[float, int], ...]


def draw(course: SprtCourse | None) -> LlrChart | None:
    """Draw a test; None before its first set."""
    if course is None:
        return None
    lowest, highest = min(course.low, *course.llrs), max(course.high, *course.llrs)
    free = _MARGIN * (highest - lowest)
    lowest, highest = lowest - free, highest + free
    most = course.sets[-1]

    def y(llr: float) -> float:
        return round(HEIGHT * (highest - llr) / (highest - lowest), 1)

    corners = [(0.0, y(0.0))]
    corners += [
        (round(WIDTH * sets / most, 1), y(llr)) for sets, llr in zip(course.sets, course.llrs, strict=True)
    ]
    every = -(-len(course.sets) // _MAX_ROWS)
    rows = list(zip(course.sets, course.llrs, strict=True))
    return LlrChart(
        path="M" + "L".join(f"{x:g} {height:g}" for x, height in corners),
        low_y=y(course.low),
        high_y=y(course.high),
        zero_y=y(0.0),
        last=corners[-1],
        most_sets=most,
        rows=tuple(rows[::-1][::every][::-1]),
        outcomes=course.outcomes,
    )
