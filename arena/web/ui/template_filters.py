"""Filters of the templates that are alike in all languages (the others: arena/web/ui/locale_format.py): cards drawn as cards, whole numbers."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import ceil
from typing import Any

from markupsafe import Markup, escape

from arena.bot_registry.bot_names import called
from arena.games import registry
from arena.games.kernel import Option
from arena.games.phrases import OptionWords

_CARD = re.compile(r"(?P<letter>[RGWBYOPK])(?:x|\d*)|\d+|\?")
_CODE = re.compile(r"`([^`]+)`")
_HEADING = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<t[hd]\b")
_HEAT_STEPS = 8
_DAYS_FROM_H = 48


@lru_cache(maxsize=1 << 10)
def card(name: str) -> Markup:
    """Draw one card; its colour letter, if it has one, gives the colour."""
    found = _CARD.fullmatch(name)
    if found is None:
        return escape(name)
    kind = " card-hidden" if name == "?" else f" card-{found['letter']}" if found["letter"] else ""
    return Markup('<span class="card{}">{}</span>').format(kind, name.replace("x", "×"))


@lru_cache(maxsize=1 << 12)
def cards(names: str) -> Markup:
    """Draw every card in a text of the record's notation; other words stay."""
    return Markup(" ").join(card(word) for word in names.split())


def code(text: str) -> Markup:
    """Set the text between backticks as code: commands, in messages that the command line shows as well."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - it is escaped


def elo(value: float | None) -> str:
    """Write an Elo number, whole, minus as a minus."""
    return "–" if value is None else f"{'−' if round(value) < 0 else ''}{abs(round(value))}"


def error(value: float | None) -> str:
    """Write the half width of an interval of Elo: whole, rounded up."""
    return "–" if value is None else str(ceil(value))


def along(value: float, scale: tuple[float, float]) -> float:
    """Return how far along a scale a value is, 0 to 100; values beyond it are at its end."""
    return round(min(max(100 * (value - scale[0]) / (scale[1] - scale[0]), 0.0), 100.0), 1)


def count(number: int) -> str:
    """Write a number with thin spaces between its thousands."""
    return f"{number:,}".replace(",", "\u202f")


def heat(share: float | None) -> str:
    """Return the classes of a heat cell for a share of the points, 0 to 1."""
    if share is None:
        return "none"
    step = round(abs(share - 0.5) * 2 * _HEAT_STEPS)
    return f"{'down ' if share < 0.5 else ''}heat-{step}"


def variant_name(variant: str, game: str) -> str:
    """Return what people call a variant of a game; its own name, if the game is not here."""
    if game not in registry.PACKAGES:
        return variant
    return registry.package(game).phrases.variant_name(variant)


def option_words(option: Option, game: str) -> OptionWords:
    """Return the label of an option in forms, and its hint."""
    return registry.package(game).phrases.option_words(option)


def describe_options(values: Mapping[str, int], game: str) -> str:
    """Write a match's options: `3 hands`; as they are, if the game is not here."""
    if game not in registry.PACKAGES:
        return ", ".join(f"{name} {value}" for name, value in values.items())
    return registry.package(game).phrases.describe_options(values)


def clock(ms: float) -> str:
    """Write what is left on a clock: 28.4, below zero as 0.0, from a minute on 1:05."""
    tenths = int(max(ms, 0.0) // 100)
    if tenths < 600:
        return f"{tenths // 10}.{tenths % 10}"
    return f"{tenths // 600}:{tenths // 10 % 60:02d}"


def duration(seconds: float) -> str:
    """Write a length of time with its two largest units: 40 s, 5 min, 2 h 10 min, 3 d 4 h."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    if hours < _DAYS_FROM_H:
        return f"{hours} h" + (f" {rest} min" if rest else "")
    days, hours = divmod(hours, 24)
    return f"{days} d" + (f" {hours} h" if hours else "")


def age(at: float) -> str:
    """Write how long ago something was, in seconds since the epoch."""
    return duration(max(0.0, time.time() - at))


def labelled(table: Markup) -> Markup:
    """Give each cell of a table's body the heading of its column as `data-label`: on a phone, rows are cards."""
    head, found, body = str(table).partition("</thead>")
    headings = [Markup(each).striptags() for each in _HEADING.findall(head)]  # noqa: S704 - it was markup

    def label(row: re.Match[str]) -> str:
        names = iter(headings)
        return _CELL.sub(lambda cell: _labelled_cell(cell[0], next(names, "")), row[0])

    return Markup(head + found + _ROW.sub(label, body))  # noqa: S704 - it was markup, and labels are escaped


def _labelled_cell(start: str, heading: str) -> str:
    return f'{start} data-label="{escape(heading)}"' if heading and start == "<td" else start


FILTERS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        age,
        along,
        called,
        card,
        cards,
        clock,
        code,
        count,
        describe_options,
        duration,
        elo,
        error,
        heat,
        labelled,
        option_words,
        variant_name,
    )
}
