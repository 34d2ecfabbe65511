"""Faults over all tournaments: whose they are, of which kind and why; and the bots that were suspended for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from arena.accounts.actors import Actor
from arena.competition.matches import incidents
from arena.competition.qualification import suspensions
from arena.core.errors import Refusal
from arena.core.problem_details import status_of
from arena.reports import fault_reports
from arena.reports.fault_reports import FaultRow
from arena.web.admin.admin_frame import SECTIONS, Admin
from arena.web.auth.arena_access import AdminPageArena
from arena.web.auth.page_auth import see_other
from arena.web.http.path_parameters import TheStore
from arena.web.ui.form_state import Text
from arena.web.ui.game_titles import TITLES
from arena.web.ui.templating import render

_LONGEST = 12
"""Number of bots in the chart."""
_AT_ONCE = fault_reports.MAX_ROWS

router = APIRouter(prefix="/admin", include_in_schema=False)


@router.get("/faults")
def show(
    request: Request,
    store: TheStore,
    admin: Admin,
    *,
    kind: Annotated[str, Query(max_length=40)] = "",
    bot: Annotated[str, Query(max_length=80)] = "",
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Response:
    """Show the newest faults."""
    return _show(
        request, store, admin, kind=kind if kind in fault_reports.KINDS else "", bot=bot, before=before
    )


@router.post("/suspensions/restore")
def restore(
    request: Request, store: TheStore, arena: AdminPageArena, game: Text = "", bot: Text = ""
) -> Response:
    """Bring a suspended version back."""
    try:
        arena.bots.restore_version(game, bot)
    except Refusal as error:
        return _show(request, store, arena.actor, error=error)
    return see_other("/admin/faults")


@dataclass(frozen=True, slots=True)
class FaultGroup:
    """Faults of one version, kind and cause, of those on the page; `last` is the newest."""

    last: FaultRow
    cause: str
    matches: int


def _group(rows: Sequence[FaultRow]) -> tuple[FaultGroup, ...]:
    """Group faults by version, kind and cause, the group of the newest first."""
    groups: dict[tuple[str, ...], list[FaultRow]] = {}
    for row in rows:
        cause = incidents.cause(row.message)
        groups.setdefault((row.game, row.bot, row.version, row.kind, cause), []).append(row)
    return tuple(FaultGroup(group[0], key[-1], len(group)) for key, group in groups.items())


def _show(
    request: Request,
    store: TheStore,
    admin: Actor,
    *,
    kind: str = "",
    bot: str = "",
    before: int | None = None,
    error: Refusal | None = None,
) -> Response:
    rows = fault_reports.listing(store, admin, kind=kind, bot=bot, before=before, most=_AT_ONCE)
    tally = fault_reports.tally(store, admin)[:_LONGEST]
    more = {"kind": kind, "bot": bot, "before": rows[-1].id if rows else None}
    return render(
        request,
        "admin/faults.html",
        status=200 if error is None else status_of(error),
        sections=SECTIONS,
        groups=_group(rows),
        tally=tally,
        most=max((row.total for row in tally), default=0) or 1,
        kinds=fault_reports.KINDS,
        kind=kind,
        bot=bot,
        older="?" + urlencode(more) if len(rows) == _AT_ONCE else "",
        is_first=before is None,
        suspended=suspensions.listing(store, admin),
        titles=TITLES,
        error="" if error is None else str(error),
    )
