"""The page of the puzzle of the day.  It needs no script: each choice is a button, which leads to the page with the answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool

from arena.core.translatable import say
from arena.games.registry import GAMES
from arena.reports.insights.stored_chances import CHOICES
from arena.storage import Store
from arena.web.auth.api_auth import check_origin
from arena.web.auth.page_auth import see_other
from arena.web.boards import action_words, draw, pieces, sign_key
from arena.web.http.app_services import WallClock, service_of
from arena.web.http.path_parameters import TheQueue, TheStore
from arena.web.http.rate_limits import TheAddress
from arena.web.matches.opened_records import address_of
from arena.web.puzzles import daily_puzzle, puzzle_chances
from arena.web.puzzles.daily_puzzle import Puzzle
from arena.web.puzzles.puzzle_answers import TheAnswers
from arena.web.responses.response_cache import MAX_AGE_S
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import choose
from arena.web.ui.templating import render

router = APIRouter(include_in_schema=False)

_LONGEST = 100
_FORM_FIELDS = 10
_KEPT_S = MAX_AGE_S
"""Time for which today's puzzle is cached, like other pages; finding it may open ten records."""
_Asked = Annotated[str | None, Query(max_length=_LONGEST)]
"""Checked here and not by the route, so that a wrong one has a page that leads on."""


@router.get("/puzzle")
async def show(
    request: Request,
    store: TheStore,
    answers: TheAnswers,
    queue: TheQueue,
    *,
    game: _Asked = None,
    day: _Asked = None,
    action: _Asked = None,
) -> Response:
    """Show a day's puzzle, today's if none is named; with an action, what was played instead, and how others answered."""
    page = await run_in_threadpool(_prepare, request, store, game, day, action)
    puzzle: Puzzle | None = page.context["puzzle"]
    if puzzle is not None and page.context["answer"]:
        counts = await answers.read(puzzle.day, puzzle.match.game)
        listed = [(each, counts.get(each, 0)) for each in puzzle.legal if counts.get(each)]
        page.context["others"] = sorted(listed, key=lambda each: -each[1])
    shown = render(request, "puzzle.html", status=page.status, **page.context)
    if page.is_due and puzzle is not None:
        # Before it is answered, so that there is something to show when it is.
        shown.background = BackgroundTask(CHOICES.ask, queue, *puzzle_chances.key_of(puzzle))
    return shown


@router.post("/puzzle", dependencies=[Depends(check_origin)])
async def answer(request: Request, store: TheStore, answers: TheAnswers, address: TheAddress) -> Response:
    """Count an answer, and redirect to the page with the solution."""
    form = await request.form(max_fields=_FORM_FIELDS)
    game, day, action = (str(form.get(name, ""))[:_LONGEST] for name in ("game", "day", "action"))
    page = await run_in_threadpool(_prepare, request, store, game, day, action)
    puzzle: Puzzle | None = page.context["puzzle"]
    if puzzle is None or not page.context["answer"]:
        return render(request, "puzzle.html", status=page.status, **page.context)
    await answers.count(puzzle.day, _today(request), puzzle.match.game, action, address)
    asked = {"game": puzzle.match.game, "day": str(puzzle.day), "action": action}
    return see_other(f"/puzzle?{urlencode(asked)}")


@dataclass(frozen=True, slots=True)
class _Page:
    """The content of the page, and its status."""

    context: dict[str, Any]
    status: int
    is_due: bool = False
    """Whether a worker should compute the chances of its choices."""


def _prepare(request: Request, store: Store, game: str | None, day: str | None, action: str | None) -> _Page:
    today = _today(request)
    context: dict[str, Any] = {"puzzle": None, "notice": None, "titles": TITLES, "games": (), "wanted": game}
    context |= {"answer": None, "others": (), "chances": None}
    asked = _read_day(day, today)
    if asked is None:
        context["notice"] = say(
            "day {day!r}: must be a date such as {today}, not later", day=(day or "")[:40], today=today
        )
        return _Page(context, 404)
    if game and game not in GAMES:
        words = say("game {game!r}: must be one of {games}", game=game[:40], games=", ".join(GAMES))
        return _Page(context | {"notice": words}, 404)
    look = partial(daily_puzzle.find, store, asked, game or None)
    if asked == today:  # the only ones that are kept: there are as many others as there are days
        moment = service_of(request.app, WallClock).now() // _KEPT_S
        puzzle, context["games"] = store.cache.get(("puzzle", asked, game), moment, look)
    else:
        puzzle, context["games"] = look()
    if puzzle is None:
        return _Page(context, 200)
    answered = action in puzzle.legal
    if action and not answered:
        context["notice"] = say("action {action!r}: is not legal here; choose below", action=action[:40])
    context |= {
        "puzzle": puzzle,
        "answer": action if answered else None,
        "words": {each: action_words.action(puzzle.match.game, each) for each in puzzle.legal},
        "board": draw(puzzle.scene(answered=answered), choose(request)),
        "pieces": pieces(puzzle.match.game),
        "sign_key": sign_key(puzzle.match.game, choose(request)),
        "address": address_of(puzzle.match),
    }
    if action is not None and answered:
        context["chances"] = puzzle_chances.read(store, puzzle, action)
    return _Page(context, 422 if context["notice"] else 200, puzzle_chances.is_due(store, puzzle))


def _today(request: Request) -> date:
    return datetime.fromtimestamp(service_of(request.app, WallClock).now(), UTC).date()


def _read_day(text: str | None, today: date) -> date | None:
    """Read a day that has begun; None for what is none."""
    if not text:
        return today
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found <= today else None
