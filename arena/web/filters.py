"""Filters of the templates: cards drawn as cards, numbers and times as people write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from math import ceil
from typing import Any

from markupsafe import Markup, escape

_CARD = re.compile(r"(?P<letter>[RGWBYOPK])(?:x|\d*)|\d+|\?")
_HEAT_STEPS = 8


def card(name: str) -> Markup:
    """Draw one card; its colour letter, if it has one, gives the colour."""
    found = _CARD.fullmatch(name)
    if found is None:
        return escape(name)
    kind = " card-hidden" if name == "?" else f" card-{found['letter']}" if found["letter"] else ""
    return Markup('<span class="card{}">{}</span>').format(kind, name.replace("x", "×"))


def cards(names: str) -> Markup:
    """Draw every card in a text of the record's notation; other words stay."""
    return Markup(" ").join(card(word) for word in names.split())


def score(points: float) -> str:
    """Write points, halves as ½: 12.5 → 12½, other fractions with two digits."""
    whole, part = divmod(abs(points), 1)
    sign = "−" if points < 0 else ""
    if abs(part - 0.5) < 1e-9:
        return f"{sign}{int(whole) or ''}½"
    return f"{sign}{int(whole)}" if part < 1e-9 else f"{sign}{abs(points):.2f}"


def minus(number: float) -> str:
    """Write a number, minus as a minus."""
    return f"{'−' if number < 0 else ''}{abs(number):g}"


def elo(value: float | None) -> str:
    """Write an Elo number, whole."""
    return "–" if value is None else minus(round(value))


def error(value: float | None) -> str:
    """Write the half width of an interval of Elo: whole, rounded up."""
    return "–" if value is None else str(ceil(value))


def percent(share: float) -> str:
    """Write a share, 0 to 1, with one digit: 51.8 %."""
    return f"{100 * share:.1f} %"


def along(value: float, scale: tuple[float, float]) -> float:
    """Say how far along a scale a value is, 0 to 100; what lies beyond is at its end."""
    return round(min(max(100 * (value - scale[0]) / (scale[1] - scale[0]), 0.0), 100.0), 1)


def count(number: int) -> str:
    """Write a number with thin spaces between its thousands."""
    return f"{number:,}".replace(",", "\u202f")


def when(at: datetime | float | None) -> Markup:
    """Write a time in UTC, readable for machines too."""
    if at is None:
        return Markup("–")
    moment = at if isinstance(at, datetime) else datetime.fromtimestamp(at, UTC)
    shown = f"{moment.day} {moment:%b %Y, %H:%M}"
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(timespec="seconds"), shown)


def heat(share: float | None) -> str:
    """Give the classes of a heat cell for a share of the points, 0 to 1."""
    if share is None:
        return "none"
    step = round(abs(share - 0.5) * 2 * _HEAT_STEPS)
    return f"{'down ' if share < 0.5 else ''}heat-{step}"


def options(values: Mapping[str, int]) -> str:
    """Write a match's options: `hands 3`."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def plural(number: int, one: str, many: str | None = None) -> str:
    """Write a count and its noun: 1 match, 2 matches."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def milliseconds(ms: float) -> str:
    """Write how long something took: 0.4 ms, 12 ms, 1.5 s."""
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def countdown(ms: float) -> str:
    """Write how much time is left, in minutes and seconds, a second that has begun counting whole: 9:05."""
    minutes, seconds = divmod(ceil(max(0.0, ms) / 1000), 60)
    return f"{minutes}:{seconds:02}"


FILTERS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        along,
        card,
        cards,
        count,
        countdown,
        elo,
        error,
        heat,
        milliseconds,
        minus,
        options,
        percent,
        plural,
        score,
        when,
    )
}
