"""The page of the puzzle of the day.  It needs no script: each choice is a button, which leads to the page with the answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from arena.core.translatable import say
from arena.games.registry import GAMES
from arena.reports.insights import puzzle_search
from arena.reports.insights.puzzle_search import PUZZLES
from arena.reports.puzzles import puzzle_answers, stored_puzzles
from arena.reports.puzzles.puzzle_answers import StoredAnswer
from arena.storage import Store
from arena.web.auth.api_auth import check_origin
from arena.web.auth.page_auth import see_other, viewer_of
from arena.web.auth.player_identity import Person, ThePerson, remember
from arena.web.boards import action_words, draw, pieces, sign_key
from arena.web.http.app_services import WallClock, service_of
from arena.web.http.path_parameters import TheQueue, TheStore
from arena.web.http.rate_limits import ANSWERS, TheAddress, TheRates
from arena.web.matches.opened_records import address_of
from arena.web.puzzles import daily_puzzle
from arena.web.puzzles.daily_puzzle import Puzzle
from arena.web.responses.response_cache import MAX_AGE_S
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import choose
from arena.web.ui.templating import render

router = APIRouter(include_in_schema=False)

_LONGEST = 100
_FORM_FIELDS = 10
_KEPT_S = MAX_AGE_S
"""Time for which today's puzzle is cached, like other pages; opening it replays a match."""
_COUNTED = timedelta(days=7)
"""Time for which answers to a puzzle count."""
_Asked = Annotated[str | None, Query(max_length=_LONGEST)]
"""Checked here and not by the route, so that a wrong one has a page that leads on."""


@router.get("/puzzle")
def show(
    request: Request,
    store: TheStore,
    person: ThePerson,
    queue: TheQueue,
    *,
    game: _Asked = None,
    day: _Asked = None,
    action: _Asked = None,
) -> Response:
    """Show a day's puzzle, today's if none is named; with an action, or the reader's own answer, also the solution."""
    page = _prepare(request, store, _solvers(request, person), game, day, action)
    shown = render(request, "puzzle.html", status=page.status, **page.context)
    if page.context["searching"]:
        PUZZLES.ask(queue)
    # It shows what the reader has reached.
    shown.headers["Cache-Control"] = "private, no-store"
    return shown


@router.post("/puzzle", dependencies=[Depends(check_origin)])
async def answer(
    request: Request, store: TheStore, person: ThePerson, rates: TheRates, address: TheAddress
) -> Response:
    """Store the first answer, and redirect to the page with the solution."""
    form = await request.form(max_fields=_FORM_FIELDS)
    game, day, action = (str(form.get(name, ""))[:_LONGEST] for name in ("game", "day", "action"))
    viewer = viewer_of(request)
    if viewer is None and not person.key:
        person = Person.new()
    solvers = _solvers(request, person)
    page = await run_in_threadpool(_prepare, request, store, solvers, game, day, action)
    puzzle: Puzzle | None = page.context["puzzle"]
    if puzzle is None or not page.context["answer"]:
        return render(request, "puzzle.html", status=page.status, **page.context)
    await rates.take_from(ANSWERS, address)
    await run_in_threadpool(_store_answer, store, solvers, puzzle, action, _today(request))
    asked = {"game": puzzle.match.game, "day": str(puzzle.day), "action": action}
    response = see_other(f"/puzzle?{urlencode(asked)}")
    if viewer is None:
        remember(request, response, person)
    return response


def _solvers(request: Request, person: Person) -> tuple[str, ...]:
    """Return who the reader is as a solver: the account, if signed in, then the browser."""
    viewer = viewer_of(request)
    account = () if viewer is None else (puzzle_answers.of_user(viewer.user_id),)
    return (*account, puzzle_answers.of_player(person.owner)) if person.owner else account


def _store_answer(store: Store, solvers: tuple[str, ...], puzzle: Puzzle, action: str, today: date) -> None:
    named = (puzzle.day, puzzle.match.game)
    # Who has seen the solution before signing in has answered.
    if today - puzzle.day > _COUNTED or any(puzzle_answers.find(store, each, named) for each in solvers):
        return
    rating = stored_puzzles.rate(store, puzzle.stored, puzzle.best.action)
    given = StoredAnswer(action, puzzle.is_right(action))
    puzzle_answers.add(store, solvers[0], named, given, rating, today)


@dataclass(frozen=True, slots=True)
class _Page:
    """The content of the page, and its status."""

    context: dict[str, Any]
    status: int


def _prepare(
    request: Request,
    store: Store,
    solvers: tuple[str, ...],
    game: str | None,
    day: str | None,
    action: str | None,
) -> _Page:
    today = _today(request)
    context: dict[str, Any] = {"puzzle": None, "notice": None, "titles": TITLES, "games": (), "wanted": game}
    context |= {"answer": None, "others": (), "searching": False, "solver": None}
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
        context["searching"] = not stored_puzzles.is_settled(
            store, today, (game,) if game else puzzle_search.games()
        )
    else:
        puzzle, context["games"] = look()
    if solvers:
        context["solver"] = puzzle_answers.read(store, solvers[0], today)
    if puzzle is None:
        return _Page(context, 200)
    named = (puzzle.day, puzzle.match.game)
    earlier = next((found for each in solvers if (found := puzzle_answers.find(store, each, named))), None)
    answered = action in puzzle.legal
    if action and not answered:
        context["notice"] = say("action {action!r}: is not legal here; choose below", action=action[:40])
    elif earlier is not None:
        # Another action in the address shows nothing new to those who know the solution.
        action, answered = (action, True) if answered else (earlier.action, True)
    context |= {
        "puzzle": puzzle,
        "rating": stored_puzzles.rate(store, puzzle.stored, puzzle.best.action),
        "answer": action if answered else None,
        "words": {each: action_words.action(puzzle.match.game, each) for each in puzzle.legal},
        "board": draw(puzzle.scene(answered=answered), choose(request)),
        "pieces": pieces(puzzle.match.game),
        "sign_key": sign_key(puzzle.match.game, choose(request)),
        "address": address_of(puzzle.match),
        "today": today,
    }
    if answered:
        counts = puzzle_answers.count(store, named)
        listed = [(each, counts[each]) for each in puzzle.legal if counts.get(each)]
        context["others"] = sorted(listed, key=lambda each: -each[1])
    return _Page(context, 422 if context["notice"] else 200)


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
