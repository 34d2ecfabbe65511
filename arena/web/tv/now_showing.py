"""The scene of a channel of Arena TV at a moment, for its page and for the board of the start page."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from arena.storage import Store
from arena.web.boards import pieces, sign_key
from arena.web.http.app_services import WallClock, service_of
from arena.web.matches import stepper
from arena.web.tv import channels, programme
from arena.web.tv.channels import Programme
from arena.web.ui.languages import choose
from arena.web.ui.static_assets import board_sheets


def read(request: Request, store: Store, game: str | None = None) -> tuple[Programme, dict[str, Any]]:
    """Return the programme from the match that is on, and what its position is drawn from; `slot` is None without a match."""
    now = service_of(request.app, WallClock).now()
    slots = channels.programme_of(store, game, now)
    if not slots:
        return (), {"slot": None}
    slots = slots[programme.on_air(slots, now) :]
    slot = slots[0]
    course = slot.match.course
    return slots, stepper.position(course, choose(request), number=slot.point(now), view=stepper.ALL) | {
        "slot": slot,
        "row": slot.match.featured.row,
        "reasons": slot.match.featured.reasons,
        "pieces": pieces(course.game),
        "sign_key": sign_key(course.game, choose(request)),
        "sheets": board_sheets(course.game),
        "shown_in_ms": [round((at - now) * 1000) for at in slot.shown_at],
        "over_in_ms": round((slot.ends_at - now) * 1000),
    }
