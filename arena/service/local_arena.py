"""The arena at a store: its operations, a class per noun, as its API has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.competition.qualification.submissions import Rules
from arena.service.account_operations import Accounts
from arena.service.administration_operations import Administration
from arena.service.bot_operations import Bots
from arena.service.game_operations import Games
from arena.service.ladder_operations import Ladders
from arena.service.match_operations import Matches
from arena.service.noun import OperationContext
from arena.service.rating_operations import Ratings
from arena.service.tournament_operations import Tournaments

if TYPE_CHECKING:
    from collections.abc import Callable

    from redis import Redis

    from arena.accounts.actors import Actor
    from arena.service.after_writes import AfterWrite
    from arena.service.noun import AfterRead
    from arena.storage import Store


def _ask_nothing(_question: Callable[[Redis], object]) -> None:
    """Leave the question to the pages, which raise it again."""


class LocalArena:
    """An arena at a store of this machine, for an actor; `RemoteArena` of `arena.client` has the same operations by the API.

    An operation is named after its route, without the noun: `pause_tournament` is `tournaments.pause`.  All raise
    ArenaError: NotFound for what is not there, Refusal for what the actor may not do or what cannot be, UsageError for a wrong value.
    """

    def __init__(
        self,
        store: Store,
        actor: Actor,
        after_write: AfterWrite,
        *,
        after_read: AfterRead = _ask_nothing,
        redis: Redis | None = None,
        rules: Rules | None = None,
    ) -> None:
        """`after_write` is called after each operation that writes (`arena.service.after_writes`).

        `after_read` is called with what is to be asked of the workers, such as to measure a match that was listed; `redis` is read for the
        state of the parts; `rules` are what the operator lets authors do, the default ones if left out.
        """
        self.actor = actor
        context = OperationContext(store, actor, after_write, after_read, redis, rules or Rules())
        self.tournaments = Tournaments(context)
        self.ladders = Ladders(context)
        self.bots = Bots(context)
        self.matches = Matches(context)
        self.ratings = Ratings(context)
        self.games = Games(context)
        self.accounts = Accounts(context)
        self.administration = Administration(context)
