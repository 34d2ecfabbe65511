"""A game: the Elo table of each of its pools, how ratings went, who beats whom, what seats are worth, its best matches, its tournaments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from arena.core.errors import Refusal
from arena.core.translatable import say
from arena.games import registry
from arena.rankings import leaderboards, rating_history, set_measures
from arena.rankings.leaderboards import Leader, Leaderboard
from arena.rankings.rating_history import RatingHistory
from arena.ratings.elo_table import MAX_FOR_SUPERIORITY
from arena.reports import tournaments
from arena.reports.by_format import tournament_winners
from arena.web.http.app_services import WallClock, service_of
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.responses.response_cache import CACHED
from arena.web.tv import best_matches
from arena.web.ui.axis_scales import elo_scale, share_scale
from arena.web.ui.data_table import Column, arrange
from arena.web.ui.game_titles import describe_seats
from arena.web.ui.templating import render

_TOURNAMENTS = 8
_MATCHES = 6
_BEST = 6
"""Number of top bots that the chart shows at first."""

_MAX_CHOSEN = 6
_HOURS = 720
_HEADS = 14
"""Maximum number of bots in the head-to-head table."""


def share(row: Leader) -> float | None:
    """Return the share of the points that a bot has won, 0 to 1; None without any."""
    met = row.wins + row.draws + row.losses
    return (row.wins + row.draws / 2) / met if met else None


_COLUMNS: dict[str, Column[Leader]] = {
    "rank": Column(lambda row: (row.component, row.rank), falls=False),
    "bot": Column(lambda row: row.bot.casefold(), falls=False),
    "elo": Column(lambda row: row.elo),
    "error": Column(lambda row: row.error, falls=False),
    "share": Column(share),
    "matches": Column(lambda row: row.matches),
    "faults": Column(lambda row: row.faults),
}

router = APIRouter(dependencies=[CACHED], include_in_schema=False)


@dataclass(frozen=True, slots=True)
class _Line:
    """A version's line of the chart in numbers."""

    bot: str
    version: str
    first: float
    low: float
    high: float
    last: float
    error: float


@router.get("/games/{game_id}")
def show(
    request: Request,
    store: TheStore,
    game_id: GameId,
    *,
    variant: Annotated[str | None, Query(max_length=64)] = None,
    chosen: Annotated[list[str], Query(alias="with", max_length=_MAX_CHOSEN)] = [],  # noqa: B006
    cells: Annotated[str, Query(pattern="^(points|los)$")] = "points",
) -> Response:
    """Show a game."""
    game = registry.find(game_id)
    board = leaderboards.read(store, game.id, variant)
    table = arrange(
        request, "elo", board.rows, _COLUMNS, sort="rank", words=lambda row: f"{row.bot} {row.owner or ''}"
    )
    met = table.rows[:_HEADS]
    if len(board.rows) > MAX_FOR_SUPERIORITY:
        cells = "points"
    chosen = [name for name in dict.fromkeys(chosen) if name]
    histories = _histories(store, board, chosen)
    return render(
        request,
        "game.html",
        game=game,
        seats=describe_seats(game),
        board=board,
        table=table,
        shares={row.version_id: share(row) for row in table.rows},
        scale=elo_scale(board.rows),
        lines=_lines(histories) if chosen or rating_history.has_course(histories) else [],
        chosen=chosen,
        names=sorted({row.bot for row in board.rows}) if len(board.rows) <= leaderboards.MAX_NAMES else (),
        source=_source(board, chosen),
        heads=met,
        los=len(board.rows) <= MAX_FOR_SUPERIORITY,
        cells=leaderboards.heads(board, [row.version_id for row in met]) if cells == "points" else None,
        chances=_chances(leaderboards.superiority(store, board), met) if cells == "los" else None,
        seat_shares=(found := set_measures.seat_advantages(store, game.id, board.variant)),
        seat_scale=share_scale(found),
        tournaments=(listed := tournaments.of_game(store, game.id, _TOURNAMENTS)),
        winners=tournament_winners.read(store, listed),
        watch=best_matches.read(store, service_of(request.app, WallClock).now(), _MATCHES, game.id),
    )


def _source(board: Leaderboard, chosen: Sequence[str]) -> str:
    asked = urlencode([("best", _BEST), *(("bot", name) for name in chosen)])
    return f"/api/v1/ratings/{board.game}/{board.variant}/history?{asked}"


def _histories(store: TheStore, board: Leaderboard, chosen: Sequence[str]) -> list[RatingHistory]:
    found = list(rating_history.history_of_best(store, board.game, board.variant, _BEST, _HOURS))
    known = {row.bot for row in board.rows}
    for name in chosen:
        if name not in known:
            raise Refusal(
                "with_invalid",
                say(
                    "with {name!r}: no bot of this name is in this Elo table; use the filter above to find names",
                    name=name[:40],
                ),
                field="with",
            )
        more = rating_history.history_of_bot(store, board.game, board.variant, name, _HOURS)
        found += [each for each in more if each not in found]
    return found


def _lines(histories: Sequence[RatingHistory]) -> list[_Line]:
    return [
        _Line(
            history.bot,
            history.version,
            first=history.points[0].elo,
            low=min(point.elo for point in history.points),
            high=max(point.elo for point in history.points),
            last=history.points[-1].elo,
            error=history.points[-1].error,
        )
        for history in histories
    ]


def _chances(
    known: Mapping[tuple[int, int], float], rows: Sequence[Leader]
) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(known.get((row.version_id, other.version_id)) for other in rows) for row in rows)
