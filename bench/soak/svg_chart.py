"""A line chart as SVG, for the report: series over time, with a legend, readable in light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]
_WIDTH, _HEIGHT = 720, 260
_LEFT, _TOP, _RIGHT, _BOTTOM = 56, 28, 150, 32
_COLOURS = ("#2f6fde", "#c8501e", "#2a8f5a", "#8a4fc7", "#b8860b", "#1f8fa6", "#b03a6e", "#6b7280")
_TICKS = 4


def line_chart(title: str, unit: str, series: Mapping[str, Points]) -> str:
    """Return a chart of series whose points are (seconds, value)."""
    last = max((at for points in series.values() for at, _ in points), default=1.0) or 1.0
    top = max((value for points in series.values() for _, value in points), default=1.0) * 1.05 or 1.0
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(at: float) -> float:
        return _LEFT + at / last * width

    def y(value: float) -> float:
        return _TOP + height - value / top * height

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" font-family="sans-serif" font-size="11">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="16" font-size="13" font-weight="bold">{escape(title)}</text>',
    ]
    for tick in range(_TICKS + 1):
        value, at = top * tick / _TICKS, last * tick / _TICKS
        parts += [
            f'<path d="M{_LEFT} {y(value):.1f}h{width}" stroke="#ddd"/>',
            f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:,.0f}</text>',
            f'<text x="{x(at):.1f}" y="{_HEIGHT - 12}" text-anchor="middle">{at / 60:.0f} min</text>',
        ]
    parts.append(f'<text x="{_LEFT - 6}" y="16" text-anchor="end">{escape(unit)}</text>')
    for number, (name, points) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        line = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in points)
        beside = _TOP + 12 + 16 * number
        parts += [
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
            f'<path d="M{_WIDTH - _RIGHT + 12} {beside - 4}h14" stroke="{colour}" stroke-width="3"/>',
            f'<text x="{_WIDTH - _RIGHT + 32}" y="{beside}">{escape(name)}</text>',
        ]
    return "".join([*parts, "</svg>\n"])
