"""Creating tournaments: from a specification to a plan, and from there into the store."""

from __future__ import annotations

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.competition import drafts
from arena.competition.drafts import Draft, TournamentSpec
from arena.games import registry
from arena.storage import Store


def create(store: Store, spec: TournamentSpec, actor: Actor = OPERATOR) -> int:
    """Create a tournament and the blocks it is played in, and return its id; workers take the blocks from then on.

    Raises UsageError (SetupError and Refusal among it) naming the field that is wrong.
    """
    actor.require("tournaments")
    made = draft(store, spec)
    with store.write() as session:
        tournament_id = drafts.begin(session, made, owner=actor.name)
        audit_log.note(
            session, actor.name, "tournament.create", f"tournament/{tournament_id}", game=spec.game
        )
    return tournament_id


def draft(store: Store, spec: TournamentSpec) -> Draft:
    """Return a tournament checked and planned, without storing it.  Raises UsageError as `create` does."""
    registry.find(spec.game)
    with store.read() as session:
        entries = tuple(bots.find_in(session, spec.game, name) for name in spec.bots)
        made = drafts.make(spec, entries)
        superseded = drafts.takes_superseded(spec.rules, rated=made.rated)
        for entry in entries:
            bots.check_enterable(session, entry, superseded=superseded)
            bots.check_plays(entry, made.variant, made.seats)
    return made
