"""The arena at a store: its operations, a class per noun, as its API has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.service.ladder_operations import Ladders
from arena.service.noun import OperationContext
from arena.service.tournament_operations import Tournaments

if TYPE_CHECKING:
    from arena.accounts.actors import Actor
    from arena.service.after_writes import AfterWrite
    from arena.storage import Store


class LocalArena:
    """An arena at a store of this machine, for an actor; `RemoteArena` of `arena.client` has the same operations by the API.

    An operation is named after its route, without the noun: `pause_tournament` is `tournaments.pause`.  All raise
    ArenaError: NotFound for what is not there, Refusal for what the actor may not do or what cannot be, UsageError for a wrong value.
    """

    def __init__(self, store: Store, actor: Actor, after_write: AfterWrite) -> None:
        """`after_write` is called after each operation that writes (`arena.service.after_writes`)."""
        self.actor = actor
        context = OperationContext(store, actor, after_write)
        self.tournaments = Tournaments(context)
        self.ladders = Ladders(context)
