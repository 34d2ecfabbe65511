"""Playing styles as they are stored: a worker measures them, pages only read them.

A style is measured again when its version has played more, at most every few minutes; the average bot of its pool, which it is
compared with, once an hour, while the pool has few matches as often as the styles.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from arena.competition.pools import key
from arena.games import registry
from arena.rankings import public_ratings
from arena.reports import participation
from arena.reports.insights import open_matches
from arena.reports.insights.insight import Insight, Tick
from arena.reports.insights.playing_style import (
    AverageBot,
    PlayingStyle,
    measure_average,
    measure_style,
)
from arena.storage import Store
from arena.storage.schema import Bot, StoredStyle, Version

Measured = TypeVar("Measured", PlayingStyle, AverageBot)

_STYLE = TypeAdapter(PlayingStyle)
_AVERAGE = TypeAdapter(AverageBot)
_REST_S = 300.0
"""So long a style is shown before it is measured again, however much has been played."""
_OPENING_S = 3600.0
"""Seconds after which a style is measured again even if nothing was played: matches may have become public meanwhile."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Style and the average bot of its pool; each is None until it is measured."""

    style: PlayingStyle | None
    average: AverageBot | None
    is_due: bool
    """Whether a worker should measure them, for the first time or again."""


def load(
    store: Store, version_id: int, game: str, variant: str, matches: int, now: float | None = None
) -> Shown:
    """Return the playing style of a version that has played `matches` matches in tournaments."""
    at = time.time() if now is None else now
    with store.read() as session:
        style = session.get(StoredStyle, _subject(version_id, variant))
        average = session.get(StoredStyle, _pool(game, variant))
    return Shown(
        None if style is None else _read(_STYLE, style.data),
        None if average is None else _read(_AVERAGE, average.data),
        _is_due(style, matches, at),
    )


def draw(store: Store, version_id: int, variant: str, tick: Tick = lambda: None) -> bool:
    """Measure the playing style of a version, and the average of its pool if that is old; return whether it was due.

    `tick` is called before each match that is read; what it raises ends the work.
    """
    now = time.time()
    with store.read() as session:
        version = session.get(Version, version_id)
        bot = None if version is None else session.get(Bot, version.bot_id)
        matches = _count(session, version_id)
        stored = session.get(StoredStyle, _subject(version_id, variant))
        average = None if bot is None else session.get(StoredStyle, _pool(bot.game, variant))
    if version is None or bot is None or not _is_due(stored, matches, now):
        return False
    if bot.game not in registry.GAMES or variant not in registry.GAMES[bot.game].variants:
        return False
    if _is_average_due(average, now):
        measured = measure_average(open_matches.of_pool(store, bot.game, variant, tick))
        _save(store, _pool(bot.game, variant), 0, now, _AVERAGE.dump_json(measured))
    elo = {(row.bot, row.version): row.elo for row in public_ratings.table(store, bot.game, variant).rows}
    found = open_matches.of_version(store, version_id, variant, tick)
    style = measure_style(bot.name, version.version, found, elo)
    _save(store, _subject(version_id, variant), matches, now, _STYLE.dump_json(style))
    return True


def _is_due(stored: StoredStyle | None, matches: int, now: float) -> bool:
    if stored is None or _read(_STYLE, stored.data) is None:
        return matches > 0
    age_s = now - stored.measured_at
    return age_s > _OPENING_S or (age_s > _REST_S and stored.results != matches)


def _is_average_due(stored: StoredStyle | None, now: float) -> bool:
    measured = None if stored is None else _read(_AVERAGE, stored.data)
    if stored is None or measured is None:
        return True
    age_s = now - stored.measured_at
    return age_s > (_OPENING_S if measured.matches == open_matches.MOST else _REST_S)


def _count(session: Session, version_id: int) -> int:
    entered = participation.without_trials(session, participation.of(session, [version_id]))
    return sum(each.matches for each in entered)


def _save(store: Store, subject: str, results: int, now: float, data: bytes) -> None:
    with store.write() as session:
        session.merge(
            StoredStyle(subject=subject, results=results, measured_at=now, data=data.decode("utf-8"))
        )


def _read(adapter: TypeAdapter[Measured], data: str) -> Measured | None:
    """Read what is stored; None if another release stored it in another form, so that it is measured again."""
    try:
        return adapter.validate_json(data)
    except ValidationError:
        return None


def _subject(version_id: int, variant: str) -> str:
    return f"version/{version_id}/{variant}"


def _pool(game: str, variant: str) -> str:
    return f"pool/{key(game, variant)}"


STYLE = Insight(
    "style",
    (int, str),  # a version, and a variant
    lambda store, tick, version_id, variant: draw(store, version_id, variant, tick),
)
