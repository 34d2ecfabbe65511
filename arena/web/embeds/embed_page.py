"""The board of an open match for other sites' frames, step by step, with a link back.  It needs no script and no cookie."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from arena.competition.plans import NotFound
from arena.core.translatable import Wording, say
from arena.reports import match_views
from arena.reports.match_details import MatchPage
from arena.web.boards import pieces, sign_key
from arena.web.http.path_parameters import MatchNumber, SetNumber, TheStore, TournamentId
from arena.web.http.security_headers import FRAMED_POLICY
from arena.web.matches import stepper
from arena.web.matches.opened_records import address_of, open_match
from arena.web.responses.response_cache import CACHED
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import choose
from arena.web.ui.static_assets import THEMES
from arena.web.ui.templating import render

router = APIRouter(dependencies=[CACHED], include_in_schema=False)

_Asked = Annotated[str, Query(max_length=100)]
"""Checked here and not by the route, so that a wrong one has a page that may be shown in the frame, too."""


@router.get("/embed/matches/{tournament_id}/{set_number}/{match_number}")
def show(
    request: Request,
    store: TheStore,
    tournament_id: TournamentId,
    set_number: SetNumber,
    match_number: MatchNumber,
    *,
    point: _Asked = "0",
    view: _Asked = stepper.ALL,
    theme: _Asked = "auto",
) -> Response:
    """Show a step of a match that is open; of any other say why there is none."""
    context: dict[str, Any] = {
        "frame": f"/embed/matches/{tournament_id}/{set_number}/{match_number}",
        "theme": theme if theme in THEMES else "auto",
        "view": view,
        "match": None,
        "match_address": "/live",
        "notice": None,
    }
    try:
        match = match_views.page(store, tournament_id, set_number, match_number)
    except NotFound:
        return _refuse(request, context, say("There is no such match in this arena."))
    context |= {"match": match, "title": TITLES[match.game], "match_address": address_of(match)}
    opened = open_match(match)
    if opened.course is None:
        return _refuse(request, context, _why_closed(match))
    final = opened.course.replay.final
    number = int(point) if point.isascii() and point.isdecimal() and len(point) < len(str(final)) + 1 else -1
    if not 0 <= number <= final:
        why = say("step {point}: this match has the steps 0 to {final}", point=point, final=final)
        return _refuse(request, context, why)
    if view not in opened.course.eyes:
        views = ", ".join(opened.course.eyes)
        return _refuse(
            request, context, say("view {view}: this match has the views {views}", view=view, views=views)
        )
    language = choose(request)
    context |= stepper.position(opened.course, language, number=number, view=view)
    # Links in the card of the result would open inside of the frame.
    context |= {"ways": None, "pieces": pieces(match.game), "sign_key": sign_key(match.game, language)}
    return _framed(render(request, "embed.html", **context))


def _why_closed(match: MatchPage) -> Wording:
    if not match.record_kept:
        return say("The record of this match is no longer stored.")
    if match.packed_record is not None:
        return say("The record of this match cannot be drawn.")
    if match.state in ("annulled", "dropped"):
        return say("This match was not played to its end.")
    return say("This match is not open yet. Its cards are shown here once it is.")


def _refuse(request: Request, context: dict[str, Any], why: str) -> Response:
    return _framed(render(request, "embed.html", status=404, **(context | {"notice": why})))


def _framed(answer: Response) -> Response:
    answer.headers["Content-Security-Policy"] = FRAMED_POLICY
    return answer
