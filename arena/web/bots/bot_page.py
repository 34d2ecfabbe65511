"""A bot's public page: its style, ratings over time, opponents, last matches, faults, decision times, versions."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request, Response

from arena.declarations.declared_tables import has_choice
from arena.rankings import rating_history
from arena.reports import decision_times
from arena.reports.bot_profiles import Opponent, PoolOfBot
from arena.web.auth.arena_access import TheArena
from arena.web.bots import shown_style
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.responses.response_cache import CACHED
from arena.web.ui.axis_scales import elo_scale
from arena.web.ui.data_table import Column, arrange
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import render

_OPPONENTS = 15
_COLUMNS: dict[str, Column[Opponent]] = {
    "bot": Column(lambda row: row.bot.casefold(), falls=False),
    "elo": Column(lambda row: row.elo),
    "met": Column(lambda row: row.met),
    "share": Column(lambda row: row.share),
}

router = APIRouter(dependencies=[CACHED], include_in_schema=False)

BotName = Annotated[str, Path(max_length=80, description="The bot's name.", examples=["greedy"])]


@router.get("/bots/{game_id}/{name}")
def show(
    request: Request,
    store: TheStore,
    arena: TheArena,
    game_id: GameId,
    name: BotName,
    *,
    variant: Annotated[str | None, Query(max_length=64)] = None,
    times: Annotated[bool, Query()] = False,
) -> Response:
    """Show a bot."""
    profile = arena.bots.show(game_id, name)
    pool = _pool(profile.pools, variant)
    style = shown_style.read(store, profile, pool.variant, pool.rows[-1]) if pool else None
    if style is not None and style.is_due:
        arena.bots.ask_for_style(style.version_id, style.variant)
    return render(
        request,
        "bot.html",
        preview=f"/preview/bots/{quote(profile.game)}/{quote(profile.bot)}.png",
        bot=profile,
        title=TITLES[profile.game],
        has_tables=has_choice(profile.game),
        pool=pool,
        style=style,
        scale=elo_scale(pool.rows if pool else ()),
        drawn_history=pool is not None and rating_history.has_course(pool.history),
        source=f"/api/v1/ratings/{game_id}/{pool.variant}/history?bot={quote(name)}" if pool else "",
        marks=[[round(each.created_at), f"v{each.version}"] for each in profile.versions],
        opponents=arrange(
            request,
            "opponents",
            pool.opponents if pool else (),
            _COLUMNS,
            sort="-elo",
            words=lambda row: row.bot,
            size=_OPPONENTS,
        ),
        bounds=decision_times.BOUNDS_MS,
        thinking=decision_times.read(store, profile) if times else None,
    )


def _pool(pools: tuple[PoolOfBot, ...], variant: str | None) -> PoolOfBot | None:
    """Choose the pool that is shown: the one asked for, else the first; None for a bot that is not rated."""
    return next((pool for pool in pools if pool.variant == variant), pools[0] if pools else None)
