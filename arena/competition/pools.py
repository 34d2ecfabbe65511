"""Pools: which tournaments count for a public Elo table, and scopes, the sums each table is computed from."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.core.errors import UsageError
from arena.games import registry
from arena.match.clock import TimeControl, parse_time_control
from arena.storage.schema import Pool

LISTED_TIMES: tuple[TimeControl, ...] = tuple(
    parse_time_control(text) for text in ("30+0.1", "10+0.1", "60+0.5")
)
"""Matches with another time control count for their tournament's own table only."""

ANCHOR_BOT = "greedy"
ANCHOR_VERSION = "1"


def rated(game: str, variant: str, seats: int, options: Mapping[str, int], time: TimeControl) -> bool:
    """Return whether such matches count for the pool of their game and variant: standard options, a listed time."""
    standard = registry.find(game).setup(seats, variant=variant).options
    return dict(standard) == dict(options) and time in LISTED_TIMES


def key(game: str, variant: str) -> str:
    """Name a pool: `lost_cities/standard`."""
    return f"{game}/{variant}"


def parse_key(text: str) -> tuple[str, str]:
    """Read a pool's name: its game and variant.  Raises UsageError."""
    game, _, variant = text.partition("/")
    if not game or not variant:
        raise UsageError(f"pool {text!r}: must be GAME/VARIANT, such as lost_cities/standard")
    return game, variant


def ensure(session: Session, game: str, variant: str) -> Pool:
    """Return the pool of a game and variant; make it if it is new."""
    pool = session.scalar(select(Pool).where(Pool.game == game, Pool.variant == variant))
    if pool is None:
        pool = Pool(game=game, variant=variant, algorithm=None, input_sha256=None, computed_at=None)
        session.add(pool)
        session.flush()
    return pool


def pool_scope(pool_id: int) -> str:
    """Name the sums of a pool."""
    return f"pool/{pool_id}"


def tournament_scope(tournament_id: int) -> str:
    """Name the sums of a tournament."""
    return f"tournament/{tournament_id}"
