"""Filters that draw: intervals, form, heat cells.  Pages have hundreds of them, so they are written at once, not by a template.

All they are made of are numbers, and words that are escaped here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup, escape

from arena.rankings.standings import CrosstableCell
from arena.web.ui.template_filters import along, heat

_STEP = 7
"""Width of a set in a drawing of form, its height at most twice 9."""

_NOT_MET = Markup('<td><span class="heat none">–</span></td>')


def interval(
    at: float, error: float | None, scale: tuple[float, float], anchor: float | None = None
) -> Markup:
    """Draw a value with its error bar on a scale, and the position of the anchor."""
    low, high = along(at - (error or 0.0), scale), along(at + (error or 0.0), scale)
    marked = ""
    if anchor is not None and scale[0] < anchor < scale[1]:
        marked = f'<path class="anchor" d="M{along(anchor, scale)} 0V16"/>'
    return Markup(  # noqa: S704
        '<svg class="interval" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">'
        f'{marked}<path class="reach" d="M{low} 8H{high}"/><path class="ends" d="M{low} 4V12M{high} 4V12"/>'
        f'<path class="dot" d="M{along(at, scale)} 8h.01"/></svg>'
    )


def form(shares: Sequence[float], won: str, lost: str, even: str) -> Markup:
    """Draw the shares of some sets, 0 to 1, the oldest first: up is won, down is lost; the three words are its text alternative."""
    if not shares:
        return Markup('<span class="muted">–</span>')
    width = _STEP * len(shares)
    bars, words = [], []
    for i, share in enumerate(shares):
        tall = round(abs(share - 0.5) * 14 + 2, 1)
        kind = "won" if share > 0.5 else "lost" if share < 0.5 else "even"
        top = 9 - tall if kind == "won" else 9 if kind == "lost" else 8
        bars.append(
            f'<rect class="{kind}" x="{i * _STEP + 1}" width="5" y="{top:g}" height="{tall:g}" rx="1"/>'
        )
        words.append({"won": won, "lost": lost, "even": even}[kind])
    return Markup(  # noqa: S704
        f'<svg class="form" viewBox="0 0 {width} 18" width="{width}" height="18" role="img" '
        f'aria-label="{escape(", ".join(words))}"><path class="middle" d="M0 9H{width}"/>{"".join(bars)}</svg>'
    )


def meeting(cell: CrosstableCell | None) -> Markup:
    """Draw a cell of a crosstable: points of points played, with won–drawn–lost as its title."""
    if cell is None:
        return _NOT_MET
    met = cell.wins + cell.draws + cell.losses
    whole, half = divmod(2 * cell.wins + cell.draws, 2)
    points = f"{whole or ''}½" if half else str(whole)
    return Markup(  # noqa: S704
        f'<td><span class="heat {heat(cell.points / met if met else None)}" '
        f'title="{cell.wins}–{cell.draws}–{cell.losses}"><span>{points}<small>/{met}</small></span></span></td>'
    )


def chance(share: float | None) -> Markup:
    """Draw a cell of a table of chances, 0 to 1."""
    if share is None:
        return _NOT_MET
    return Markup(f'<td><span class="heat {heat(share)}">{round(100 * share)} %</span></td>')  # noqa: S704


FILTERS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (chance, form, interval, meeting)
}
