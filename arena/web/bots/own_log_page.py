"""What one's own bot printed in a match, and how long its decisions took."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request, Response

from arena.games import registry
from arena.match.faults import FaultKind
from arena.reports import bot_logs
from arena.web.auth.page_auth import SignedInViewer
from arena.web.http.lazy_routes import page_router
from arena.web.http.path_parameters import GameId, TheStore
from arena.web.ui.languages import mark
from arena.web.ui.templating import render

ADVICE = {
    FaultKind.CRASH: mark(
        "The program ended, or never said hello. The last lines that it printed name the place; "
        "try the same file at home, where it can be stopped and looked at."
    ),
    FaultKind.TIMEOUT: mark(
        "It took longer than its clock allows. Look at the longest decisions in the log, "
        "and think for a share of decision.clock instead of as long as it takes."
    ),
    FaultKind.ILLEGAL_ACTION: mark(
        "It answered with an action that was not offered. Choose one of decision.legal, as it is written there."
    ),
    FaultKind.PROTOCOL: mark(
        "It broke the protocol. A bot made with the SDK of this arena does not; the reason names the message."
    ),
}
"""What to do about each kind of fault."""

router = page_router()


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
        advice=ADVICE,
    )
