"""The lines under a replayed board: a value of each seat at every point, as paths of an SVG.

The drawing is `WIDTH` × `HEIGHT` and is stretched to the room that it has.  The page clips it at the current point, so
that it does not reveal what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from arena.match.chances import Estimate
from arena.web.boards.match_sections import Section

WIDTH = 1000
HEIGHT = 100
_MOST_LINKS = 10
"""Links side by side: on a phone each is wider than 24 px."""
_MOST_GRID_LINES = 12
_MAX_ROWS = 24
_TICKS = 4
"""About as many ticks as the axis of scores has."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlighted point: its coordinates and its seat."""

    point: int
    seat: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled height of the axis."""

    value: int
    y: float


@dataclass(frozen=True, slots=True)
class MatchChart:
    """A drawing of lines, one a seat."""

    final: int
    low: int
    high: int
    paths: tuple[str, ...]
    """By seat."""
    leads: tuple[str, ...]
    """By seat: the area between it and the next one where it leads."""
    tops: tuple[float, ...]
    """The height of the best score at each point."""
    ticks: tuple[Tick, ...]
    grid: tuple[float, ...]
    """Where hands or rounds begin, after the first."""
    marks: tuple[Mark, ...]
    links: tuple[int, ...]
    """The points that a click goes to, evenly spread."""
    rows: tuple[tuple[int, tuple[float, ...]], ...]
    """The same as a table: a point, and the value of each seat."""

    def x(self, point: int) -> float:
        """Return the horizontal position of a point, 0 to WIDTH."""
        return place(point, self.final)


@dataclass(frozen=True, slots=True)
class ChanceLines:
    """The chance of each seat to win by point: a line, and the reach of its error bars around it."""

    paths: tuple[str, ...]
    reaches: tuple[str, ...]
    rows: tuple[Estimate, ...]


def draw_chances(estimates: Sequence[Estimate]) -> ChanceLines:
    """Draw the chances of each seat, from 0 at the bottom to 1 at the top."""
    final = estimates[-1].point
    seats = range(len(estimates[0].shares))
    return ChanceLines(
        paths=tuple(
            _join([(place(each.point, final), _height(each.shares[seat])) for each in estimates])
            for seat in seats
        ),
        reaches=tuple(
            _join(
                [
                    *(
                        (place(each.point, final), _height(each.shares[seat] + each.errors[seat]))
                        for each in estimates
                    ),
                    *(
                        (place(each.point, final), _height(each.shares[seat] - each.errors[seat]))
                        for each in reversed(estimates)
                    ),
                ]
            )
            + "Z"
            for seat in seats
        ),
        rows=tuple(estimates),
    )


def _height(share: float) -> float:
    return round(HEIGHT - HEIGHT * min(1.0, max(0.0, share)), 1)


def _join(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in corners)


def place(point: int, final: int) -> float:
    """Return the horizontal position of a point, 0 to WIDTH."""
    return round(WIDTH * point / final, 1) if final else 0.0


def draw_scores(
    series: Sequence[Sequence[int]], sections: Sequence[Section], turning_points: Sequence[int]
) -> MatchChart | None:
    """Draw the score of each seat at every point; None where there is nothing to draw."""
    final = len(series) - 1
    if final < 1 or not series[0]:
        return None
    low = min(0, *(min(scores) for scores in series))
    high = max(0, *(max(scores) for scores in series))
    span = (high - low) or 1

    def y(value: float) -> float:
        return round(HEIGHT - HEIGHT * (value - low) / span, 1)

    starts = [section.parts[0].start for section in sections[1:]]
    grid = starts if len(starts) <= _MOST_GRID_LINES else []
    marks = tuple(
        Mark(point, leader, place(point, final), y(series[point][leader]))
        for point in turning_points
        for leader in [list(series[point]).index(max(series[point]))]
    )
    links = tuple(sorted({round(final * (at + 0.5) / _MOST_LINKS) for at in range(_MOST_LINKS)}))
    rows = sorted({0, *grid, *links, final}) if len(turning_points) > _MAX_ROWS else None
    rows = rows or sorted({0, *grid, *links, *turning_points, final})
    seats = range(len(series[0]))
    return MatchChart(
        final=final,
        low=low,
        high=high,
        paths=tuple(_steps([y(scores[seat]) for scores in series], final) for seat in seats),
        leads=tuple(_lead(series, seat, y) for seat in seats),
        tops=tuple(y(max(scores)) for scores in series),
        ticks=tuple(Tick(value, y(value)) for value in _ticks(low, high)),
        grid=tuple(place(start, final) for start in grid),
        marks=marks,
        links=links,
        rows=tuple((point, tuple(series[point])) for point in rows),
    )


def _steps(heights: Sequence[float], final: int) -> str:
    """Return a path that stays at a height until the next point changes it."""
    path, before = f"M0 {heights[0]:g}", heights[0]
    for point, height in enumerate(heights):
        if height != before:
            path += f"H{place(point, final):g}V{height:g}"
            before = height
    return f"{path}H{WIDTH}"


def _lead(series: Sequence[Sequence[int]], seat: int, y: Callable[[float], float]) -> str:
    """Return the area between the line of a seat and that of the next one, wherever the seat has the best score."""
    final, path = len(series) - 1, ""
    begins = 0
    for point in range(1, final + 1):
        if point < final and series[point] == series[begins]:
            continue
        mine, best_other = series[begins][seat], max(_others(series[begins], seat), default=0)
        if mine > best_other:
            path += f"M{place(begins, final):g} {y(mine):g}H{place(point, final):g}V{y(best_other):g}H{place(begins, final):g}Z"
        begins = point
    return path


def _others(scores: Sequence[int], seat: int) -> list[int]:
    return [score for each, score in enumerate(scores) if each != seat]


def _ticks(low: int, high: int) -> list[int]:
    """List round values from low to high, zero among them."""
    rough = max(1, (high - low) / _TICKS)
    power = 10 ** floor(log10(rough))
    step = next(int(power * by) for by in (1, 2, 5, 10) if power * by >= rough)
    return list(range(ceil(low / step) * step, high + 1, step))
