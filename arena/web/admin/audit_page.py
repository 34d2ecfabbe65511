"""The audit log: what people did, filtered and paged."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from arena.accounts import audit_log
from arena.accounts.audit_log import Filter
from arena.web.admin.admin_frame import SECTIONS, Admin
from arena.web.http.path_parameters import TheStore
from arena.web.ui.templating import render

_AT_ONCE = 50

router = APIRouter(prefix="/admin", include_in_schema=False)


@router.get("/audit")
def show(
    request: Request,
    store: TheStore,
    admin: Admin,
    *,
    who: Annotated[str, Query(max_length=80)] = "",
    action: Annotated[str, Query(max_length=80)] = "",
    subject: Annotated[str, Query(max_length=200)] = "",
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Response:
    """Show the log, the newest first."""
    wanted = Filter(who.strip(), action.strip(), subject.strip())
    rows = audit_log.listing(store, admin, before=before, most=_AT_ONCE, wanted=wanted)
    asked = {"who": wanted.actor, "action": wanted.action, "subject": wanted.subject}
    return render(
        request,
        "admin/audit.html",
        sections=SECTIONS,
        rows=rows,
        values=asked,
        query=urlencode(asked),
        older="?" + urlencode({**asked, "before": rows[-1].id}) if len(rows) == _AT_ONCE else "",
        newest="?" + urlencode(asked) if before is not None else "",
    )
