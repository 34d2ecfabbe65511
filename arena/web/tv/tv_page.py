"""Arena TV: what is on the channel of all games or of one, and what comes next."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import HTTPException, Request, Response

from arena.core.translatable import say
from arena.web.boards import pieces
from arena.web.games.game_titles import TITLES
from arena.web.http.lazy_routes import page_router
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.matches import stepper
from arena.web.tv import channels, programme
from arena.web.tv.programme import PERIOD_S
from arena.web.ui.languages import choose
from arena.web.ui.templating import render

router = page_router()


@router.get("/live")
def show(request: Request, store: TheStore) -> Response:
    """Show the channel of all games."""
    return _show(request, store, None)


@router.get("/live/{game_id}")
def show_game(request: Request, store: TheStore, game_id: GameId) -> Response:
    """Show the channel of a game."""
    if game_id not in TITLES:
        raise HTTPException(
            404, say("game {game}: must be one of {games}", game=game_id, games=", ".join(TITLES))
        )
    return _show(request, store, game_id)


def _show(request: Request, store: TheStore, game: str | None) -> Response:
    now: float = request.app.state.clock()
    slots = channels.programme_of(store, game, now)
    context: dict[str, Any] = {
        "channel": game,
        "titles": TITLES,
        "slot": None,
        "next_at": _clock_time(programme.period_of(now) + PERIOD_S),
    }
    if slots:
        index = programme.on_air(slots, now)
        slot = slots[index]
        course = slot.match.course
        context |= stepper.position(course, choose(request), number=slot.point(now), view=stepper.ALL)
        context |= {
            "slot": slot,
            "row": slot.match.featured.row,
            "reason": slot.match.featured.reason,
            "pieces": pieces(course.game),
            "shown_in_ms": [round((at - now) * 1000) for at in slot.shown_at],
            "over_in_ms": round((slot.ends_at - now) * 1000),
            "upcoming": [(_clock_time(each.begins_at), each.match.featured) for each in slots[index + 1 :]],
        }
    return render(request, "tv.html", **context)


def _clock_time(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
