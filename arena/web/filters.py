"""Filters of the templates that are alike in all languages (the others: arena/web/writing.py): cards drawn as cards, whole numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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


def elo(value: float | None) -> str:
    """Write an Elo number, whole, minus as a minus."""
    return "–" if value is None else f"{'−' if round(value) < 0 else ''}{abs(round(value))}"


def error(value: float | None) -> str:
    """Write the half width of an interval of Elo: whole, rounded up."""
    return "–" if value is None else str(ceil(value))


def along(value: float, scale: tuple[float, float]) -> float:
    """Say how far along a scale a value is, 0 to 100; what lies beyond is at its end."""
    return round(min(max(100 * (value - scale[0]) / (scale[1] - scale[0]), 0.0), 100.0), 1)


def count(number: int) -> str:
    """Write a number with thin spaces between its thousands."""
    return f"{number:,}".replace(",", "\u202f")


def heat(share: float | None) -> str:
    """Give the classes of a heat cell for a share of the points, 0 to 1."""
    if share is None:
        return "none"
    step = round(abs(share - 0.5) * 2 * _HEAT_STEPS)
    return f"{'down ' if share < 0.5 else ''}heat-{step}"


def options(values: Mapping[str, int]) -> str:
    """Write a match's options: `hands 3`."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def clock(ms: float) -> str:
    """Write what is left on a clock: 28.4, below zero as 0.0, from a minute on 1:05."""
    tenths = int(max(ms, 0.0) // 100)
    if tenths < 600:
        return f"{tenths // 10}.{tenths % 10}"
    return f"{tenths // 600}:{tenths // 10 % 60:02d}"


FILTERS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (along, card, cards, clock, count, elo, error, heat, options)
}
