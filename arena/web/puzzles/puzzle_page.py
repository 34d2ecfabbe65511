"""The page of the puzzle of the day.  It needs no script: each choice is a button that asks for the page with the answer."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import Query, Request, Response

from arena.core.translatable import Wording, say
from arena.games.registry import GAMES
from arena.web.boards import action_words, draw, pieces
from arena.web.games.game_titles import TITLES
from arena.web.http.lazy_routes import page_router
from arena.web.http.path_parameters import TheStore
from arena.web.matches.opened_records import address_of
from arena.web.puzzles import daily_puzzle
from arena.web.ui.languages import choose
from arena.web.ui.templating import render

router = page_router()

_Asked = Annotated[str | None, Query(max_length=100)]
"""Checked here and not by the route, so that a wrong one has a page that leads on."""


@router.get("/puzzle")
def show(
    request: Request, store: TheStore, *, game: _Asked = None, day: _Asked = None, action: _Asked = None
) -> Response:
    """Show a day's puzzle, today's if none is named; with an action, what was played instead."""
    today = datetime.fromtimestamp(request.app.state.clock(), UTC).date()
    context: dict[str, Any] = {"puzzle": None, "notice": None, "titles": TITLES, "games": (), "wanted": game}
    asked = _read_day(day, today)
    if asked is None:
        words = say(
            "day {day!r}: must be a date such as {today}, not later", day=(day or "")[:40], today=today
        )
        return _refuse(request, context, words)
    if game and game not in GAMES:
        words = say("game {game!r}: must be one of {games}", game=game[:40], games=", ".join(GAMES))
        return _refuse(request, context, words)
    puzzle, context["games"] = daily_puzzle.find(store, asked, game or None)
    if puzzle is None:
        return render(request, "puzzle.html", **context)
    answered = action in puzzle.legal
    if action and not answered:
        context["notice"] = say("action {action!r}: is not legal here; choose below", action=action[:40])
    context |= {
        "puzzle": puzzle,
        "answer": action if answered else None,
        "words": {each: action_words.action(puzzle.match.game, each) for each in puzzle.legal},
        "board": draw(puzzle.scene(answered=answered), choose(request)),
        "pieces": pieces(puzzle.match.game),
        "address": address_of(puzzle.match),
    }
    return render(request, "puzzle.html", status=422 if context["notice"] else 200, **context)


def _read_day(text: str | None, today: date) -> date | None:
    """Read a day that has begun; None for what is none."""
    if not text:
        return today
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found <= today else None


def _refuse(request: Request, context: dict[str, Any], notice: Wording | str) -> Response:
    return render(request, "puzzle.html", status=404, **context | {"notice": notice})
