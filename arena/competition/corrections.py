"""Corrections of a tournament: what nothing depends on yet can be changed, and one that has not begun can be deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete
from sqlalchemy.orm import Session

from arena.accounts.actors import Actor
from arena.competition import deleted_numbers, disclosure, drafts, plans, pools
from arena.competition.locked_tournaments import directing
from arena.competition.tournament_states import CREATED, OPEN, PAUSED, RUNNING
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.games import registry
from arena.match.clock import TimeControl
from arena.storage import Store
from arena.storage.schema import Entry, Tournament


@dataclass(frozen=True, slots=True)
class Correction:
    """New values of a tournament; None leaves a value as it is.

    Description and priority can be changed until it is over, the rest until it begins.
    """

    name: str | None = None
    description: str | None = None
    priority: int | None = None
    options: Mapping[str, int] | None = None
    time: TimeControl | None = None
    delay_s: int | None = None
    rated: bool | None = None


_AT_ANY_TIME = ("description", "priority")
"""Fields that neither records nor results depend on."""


def edit(store: Store, tournament_id: int, correction: Correction, actor: Actor) -> None:
    """Change a tournament.  Raises NotFound, UsageError (Refusal among it) naming the field, and then changes nothing."""
    with directing(store, tournament_id, actor, "edit", {CREATED, OPEN, RUNNING, PAUSED}) as at:
        changed = {
            name: getattr(correction, name)
            for name in Correction.__dataclass_fields__
            if getattr(correction, name) is not None
        }
        if at.tournament.state not in {CREATED, OPEN}:
            for name in changed:
                if name not in _AT_ANY_TIME:
                    raise Refusal(
                        "has_begun",
                        say(
                            "{field}: the tournament has begun; its description and priority can still be changed",
                            field=name,
                        ),
                        field=name,
                        kind=RefusalKind.CONFLICT,
                    )
        if changed:
            _change(at.session, at.tournament, correction)
            at.note("edit", fields=sorted(changed))


def remove(store: Store, tournament_id: int, actor: Actor) -> None:
    """Delete a tournament that has not begun, with its entries.  Raises NotFound, Refusal."""
    with directing(store, tournament_id, actor, "delete", {CREATED, OPEN}) as at:
        at.note("delete", name=at.tournament.name)
        at.session.execute(delete(Entry).where(Entry.tournament_id == tournament_id))
        deleted_numbers.note(at.session, tournament_id)
        at.session.delete(at.tournament)


def _change(session: Session, tournament: Tournament, correction: Correction) -> None:
    if correction.name is not None:
        drafts.check_name(correction.name)
        tournament.name = correction.name.strip()
    if correction.description is not None:
        drafts.check_description(correction.description)
        tournament.description = correction.description.strip()
    if correction.priority is not None:
        drafts.check_priority(correction.priority)
        tournament.priority = correction.priority
    if correction.delay_s is not None:
        disclosure.check_delay(correction.delay_s)
        tournament.delay_s = correction.delay_s
    if correction.options is not None:
        setup = registry.find(tournament.game).setup(
            tournament.seats, variant=tournament.variant, options=correction.options
        )
        tournament.options = dict(setup.options)
    if correction.time is not None:
        tournament.base_ms = correction.time.base_ms
        tournament.increment_ms = correction.time.increment_ms
        tournament.cap_ms = correction.time.cap_ms
        tournament.talk_ms = correction.time.talk_ms
    _choose_pool(session, tournament, rated=correction.rated)


def _choose_pool(session: Session, tournament: Tournament, *, rated: bool | None) -> None:
    """Let a tournament that has not begun count for its pool if that is wished for, and its options and time allow it."""
    if tournament.state not in {CREATED, OPEN}:
        return
    game, variant, seats = tournament.game, tournament.variant, tournament.seats
    wished = tournament.pool_id is not None if rated is None else rated
    counts = wished and pools.rated(game, variant, seats, tournament.options, plans.time_of(tournament))
    tournament.pool_id = pools.ensure(session, game, variant).id if counts else None
