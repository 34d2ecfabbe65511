"""A tournament whose row is locked for what a person does with it: who may, in which state, and the line in the audit log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy.orm import Session

from arena.accounts import audit_log
from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.competition.plans import NotFound
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say
from arena.games.kernel import Json
from arena.storage import Store
from arena.storage.schema import Tournament, Trial


@dataclass(frozen=True, slots=True)
class LockedTournament:
    """A tournament whose row is locked, in its transaction."""

    session: Session
    tournament: Tournament
    actor: Actor

    def note(self, action: str, **detail: Json) -> None:
        """Write into the audit log what is done."""
        subject = f"tournament/{self.tournament.id}"
        audit_log.note(self.session, self.actor.name, f"tournament.{action}", subject, **detail)


@contextmanager
def directing(
    store: Store, tournament_id: int, actor: Actor, action: str, states: set[str]
) -> Iterator[LockedTournament]:
    """Lock a tournament for its organiser.  Raises NotFound, Refusal."""
    actor.require("tournaments")
    with locked(store, tournament_id, actor, action, states) as at:
        yield at


@contextmanager
def locked(
    store: Store, tournament_id: int, actor: Actor, action: str, states: set[str], *, own: str | None = None
) -> Iterator[LockedTournament]:
    """Lock a tournament in one of the states, for a bot that has to be the actor's `own`.  Raises NotFound, Refusal.

    Ownership is checked before the state.
    """
    with store.write() as session:
        tournament = session.get(Tournament, tournament_id, with_for_update=True)
        if tournament is None:
            raise NotFound(
                say(
                    "tournament {tournament_id}: there is none; `arena tournament list` shows them",
                    tournament_id=tournament_id,
                )
            )
        if session.get(Trial, tournament_id) is not None:
            raise Refusal(
                "wrong_state",
                say(
                    "tournament {tournament_id}: is an author's trial, which cannot be managed",
                    tournament_id=tournament_id,
                ),
                field="tournament_id",
                kind=RefusalKind.CONFLICT,
            )
        if own is not None:
            bots.own(session, actor, tournament.game, own)
        if tournament.state not in states:
            raise Refusal(
                "wrong_state",
                say(
                    "tournament {tournament_id}: is {state}; to {action} it must be {states}",
                    tournament_id=tournament_id,
                    state=say(tournament.state),
                    action=action,
                    states=_either(sorted(states)),
                ),
                field="tournament_id",
                kind=RefusalKind.CONFLICT,
            )
        yield LockedTournament(session, tournament, actor)


def _either(words: Sequence[str]) -> str:
    """List marked words, the last one after “or”."""
    listed = say(words[0])
    for word in words[1:-1]:
        listed = say("{before}, {word}", before=listed, word=say(word))
    return listed if len(words) == 1 else say("{before} or {word}", before=listed, word=say(words[-1]))
