"""A match: who sat where, the result, and once its set is over every step on a drawn board."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request, Response

from arena.competition.matches import incidents
from arena.competition.plans import NotFound
from arena.core.translatable import mark, say
from arena.reports import match_views
from arena.reports.insights import visible_notes
from arena.reports.insights.visible_notes import Reader
from arena.reports.match_details import MatchPage
from arena.storage import Store
from arena.web.auth.page_auth import viewer_of
from arena.web.boards import pieces, sign_key
from arena.web.http.path_parameters import (
    EyeName,
    MatchNumber,
    PointNumber,
    SetNumber,
    SheetShown,
    StepNumber,
    TheQueue,
    TheStore,
    TournamentId,
)
from arena.web.matches import shown_chances, shown_notes, stepper
from arena.web.matches.opened_records import address_of, open_match, thinking_times
from arena.web.responses.response_cache import CACHED
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import choose
from arena.web.ui.templating import render, render_part

router = APIRouter(dependencies=[CACHED], include_in_schema=False)

_ADDRESS = "/tournaments/{tournament_id}/sets/{set_number}/matches/{match_number}"


@router.get(_ADDRESS)
def show(
    request: Request,
    store: TheStore,
    queue: TheQueue,
    tournament_id: TournamentId,
    set_number: SetNumber,
    match_number: MatchNumber,
    *,
    point: PointNumber = None,
    step: StepNumber = None,
    view: EyeName = stepper.ALL,
    sheet: SheetShown = False,
) -> Response:
    """Show a match: without a record only what is public."""
    match = match_views.page(store, tournament_id, set_number, match_number)
    context: dict[str, Any] = {"match": match, "title": TITLES[match.game], "address": address_of(match)}
    context["preview"] = f"/preview/matches/{tournament_id}/{set_number}/{match_number}.png"
    opened = open_match(match)
    context |= {"replay": opened.course, "trouble": opened.trouble, "text": opened.text}
    context |= {"fault": None, "thinking": None, "log": None}
    viewer = viewer_of(request)
    reader = None if viewer is None else Reader(viewer.user_id, viewer.may("admin"))
    if opened.record is not None:
        fault = opened.record.result.fault
        context |= {"fault": fault, "thinking": thinking_times(opened.record)}
        context["reason"] = None if fault is None else incidents.in_words(fault.message)
        owned = fault is not None and fault.seat in visible_notes.own_seats(store, match, reader)
        context["log"] = _log_address(match, fault.seat) if fault is not None and owned else None
    context["origin"] = str(request.base_url)
    context["live"] = match.state == "open" and match.live
    if context["live"]:
        context |= {"pieces": pieces(match.game), "sign_key": sign_key(match.game, choose(request))}
    if opened.course is not None:
        point = opened.course.replay.point_of(step) if step is not None else point
        context["reference"] = opened.course.match
        context |= stepper.page(opened.course, choose(request), number=point or 0, view=view, sheet=sheet)
        context |= shown_chances.read(store, match, opened.course, context["number"])
        context["ways"] = _ways_on(store, match) if context["result"] else ()
        context["noted"] = shown_notes.show(opened.course, visible_notes.of_match(store, match, reader))
    answer = render(request, "match.html", **context)
    if context.get("computing"):
        answer.background = shown_chances.ask(queue, match)
    return answer


@router.get(f"{_ADDRESS}/board")
def show_board(
    request: Request,
    store: TheStore,
    tournament_id: TournamentId,
    set_number: SetNumber,
    match_number: MatchNumber,
    *,
    point: PointNumber = None,
    view: EyeName = stepper.ALL,
    sheet: SheetShown = False,
) -> Response:
    """Show the board alone, for a page that steps without leaving."""
    match = match_views.page(store, tournament_id, set_number, match_number)
    opened = open_match(match)
    if not match.record_kept:
        raise HTTPException(410, say("No board: the record of this match is no longer stored."))
    if opened.course is None:
        raise HTTPException(
            404, say("No board: the record of this match is not public yet, or cannot be drawn.")
        )
    context = stepper.position(opened.course, choose(request), number=point, view=view, sheet=sheet)
    context["ways"] = _ways_on(store, match) if context["result"] else ()
    return render_part(request, "board.html", reference=opened.course.match, **context)


def _ways_on(store: Store, match: MatchPage) -> tuple[tuple[str, str], ...]:
    """List what to watch after a match: the same deal with other seats, the next match."""
    in_set = _address(store, match, match.set, match.match + 1)
    same_deal = in_set or (_address(store, match, match.set, 0) if match.match else None)
    next_match = None if match.shared else in_set
    next_match = next_match or _address(store, match, match.set + 1, 0)
    ways = ((next_match, mark("Next match")), (match.shared and same_deal, mark("Same deal, other seats")))
    return tuple([(address, label) for address, label in ways if address])


def _address(store: Store, match: MatchPage, set_number: int, match_number: int) -> str | None:
    """Return the address of another match of a tournament; None where there is none that was played."""
    try:
        other = match_views.page(store, match.tournament_id, set_number, match_number)
    except NotFound:
        return None
    return address_of(other) if other.state == "finished" else None


def _log_address(match: MatchPage, seat: int) -> str:
    """Return the address of a bot's output in a match, for its owner."""
    return f"/account/bots/{match.game}/{quote(match.seats[seat].bot)}/matches/{match.id}"
