"""The page of an author's own bot in a match: its output, and the time of its decisions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from arena.bundle_format.sandbox_errors import explain
from arena.competition.qualification.submissions import Rules
from arena.games import registry
from arena.match.faults import FaultKind
from arena.reports import bot_logs
from arena.reports.bot_logs import MatchLog
from arena.web.auth.page_auth import SignedInViewer
from arena.web.http.app_services import service_of
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.ui.languages import mark
from arena.web.ui.templating import render

ADVICE = {
    FaultKind.CRASH: mark(
        "The program exited or never connected. Its last lines of output usually say where. `arena bot check` plays it at home as the arena would."
    ),
    FaultKind.TIMEOUT: mark(
        "It ran out of time. Find the longest decisions in the log, and budget your thinking by decision.clock."
    ),
    FaultKind.ILLEGAL_ACTION: mark(
        "It answered with an action that is not legal. Choose one of decision.legal, exactly as written."
    ),
    FaultKind.PROTOCOL: mark(
        "It broke the protocol; the reason names the message. Bots written with this arena's SDK cannot."
    ),
}
"""Advice on each kind of fault."""

router = APIRouter(include_in_schema=False)


@router.get("/account/bots/{game_id}/{name}/matches/{match_id}")
def show(
    request: Request,
    *,
    store: TheStore,
    actor: SignedInViewer,
    game_id: GameId,
    name: Annotated[str, Path(max_length=80)],
    match_id: Annotated[str, Path(max_length=80)],
) -> Response:
    """Show a match of one's own bot."""
    found = bot_logs.of_match(store, actor, game_id, name, match_id)
    return render(
        request,
        "own_log.html",
        game=registry.find(game_id),
        bot=name,
        logs=found,
        first=found[0].row,
        advice=[_advise(request, log) for log in found],
    )


def _advise(request: Request, log: MatchLog) -> str:
    """Return what to do about a fault; empty if there was none."""
    if log.row.fault_kind is None:
        return ""
    rules = service_of(request.app, Rules)
    met = log.row.fault_kind != FaultKind.ILLEGAL_ACTION and explain(log.stderr, rules.sandbox)
    return met or ADVICE[FaultKind(log.row.fault_kind)]
