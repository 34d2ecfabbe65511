"""The panel that steers a tournament: what the viewer may do with it now, for the pages that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.bot_registry import bots
from arena.competition.tournament_states import CREATED, OPEN, PAUSED, RUNNING
from arena.reports.tournament_details import EntryRow, TournamentHead, TournamentPage
from arena.scheduling.formats.format_registry import format_of
from arena.storage import Store
from arena.web.auth.page_auth import Viewer

_NO_ERRORS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ManagementPanel:
    """The steps that are possible: `verbs` are their names, as in their addresses.

    `enterable` are versions that can be entered, an author's own ones alone; `leaving` the entries that can be withdrawn; `annuls` whether
    results can be annulled with that, `renames` whether the name can be changed.  Organisers have the exports in every state.  `errors` and `values` are of the form that was sent and refused.
    """

    id: int
    verbs: frozenset[str]
    organises: bool
    enterable: tuple[str, ...]
    leaving: tuple[EntryRow, ...]
    annuls: bool
    unit: str
    name: str
    description: str
    priority: int
    renames: bool
    errors: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    failed: str = ""


_VERBS = {
    CREATED: frozenset({"open", "start", "enter", "withdraw", "edit", "delete", "cancel"}),
    OPEN: frozenset({"start", "enter", "withdraw", "edit", "delete", "cancel"}),
    RUNNING: frozenset({"pause", "extend", "withdraw", "edit", "cancel"}),
    PAUSED: frozenset({"resume", "extend", "withdraw", "edit", "cancel"}),
}
_AUTHORS = frozenset({"enter", "withdraw"})


def read_panel(
    store: Store,
    viewer: Viewer | None,
    tournament: TournamentHead | TournamentPage,
    *,
    errors: Mapping[str, str] = _NO_ERRORS,
    values: Mapping[str, str] = _NO_ERRORS,
    failed: str = "",
) -> ManagementPanel | None:
    """Return the panel; None where there is nothing that this viewer may do."""
    if viewer is None or not viewer.may("bots"):
        return None
    organises = viewer.may("tournaments")
    verbs = _VERBS.get(tournament.state, frozenset())
    extension_unit = format_of(tournament.format).extension_unit
    if extension_unit is None:
        verbs -= {"extend"}
    if not organises:
        verbs = verbs & _AUTHORS if tournament.state != CREATED else frozenset()
    if not verbs and not organises:
        return None
    entered = {(row.bot, row.version) for row in tournament.entries}
    active = [
        row
        for row in (bots.listing(store, tournament.game) if verbs & _AUTHORS else ())
        if row.state == bots.ACTIVE
        and row.can_play(tournament.variant, tournament.seats)
        and (organises or row.owner == viewer.name)
    ]
    own = {row.bot for row in active if row.owner == viewer.name}
    leaving = tuple(row for row in tournament.entries if not row.left and (organises or row.bot in own))
    if not organises and not leaving and "enter" not in verbs:
        return None
    return ManagementPanel(
        id=tournament.id,
        verbs=verbs,
        organises=organises,
        enterable=tuple(row.bot for row in active if (row.bot, row.version) not in entered),
        leaving=leaving,
        annuls=organises and tournament.state in {RUNNING, PAUSED},
        unit=extension_unit or "cycles",
        name=tournament.name,
        description=tournament.description,
        priority=tournament.priority,
        renames=tournament.state in {CREATED, OPEN},
        errors=errors,
        values=values,
        failed=failed,
    )
