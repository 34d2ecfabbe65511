"""What the operations of every noun work with: a store, on behalf of an actor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias, TypeVar

from redis import Redis

from arena.messaging.redis_connection import RedisUnreachable
from arena.reports import tournaments
from arena.reports.match_lists import missing_dramas
from arena.reports.match_lists.listed_matches import ListedMatch
from arena.reports.tournament_details import TournamentPage
from arena.service.after_writes import AfterWrite, Written
from arena.service.composed_answers import Entered

if TYPE_CHECKING:
    from arena.accounts.actors import Actor
    from arena.competition.qualification.submissions import Rules
    from arena.storage import Store

_P = ParamSpec("_P")
_Answer = TypeVar("_Answer")
_Noun = TypeVar("_Noun", bound="Noun")
AfterRead: TypeAlias = Callable[[Callable[[Redis], object]], None]


@dataclass(frozen=True, slots=True)
class OperationContext:
    """The store that operations work on, the actor whose rights count, and what else they need.

    `after_write` receives the hints of each write, `after_read` a question to the workers that reading has raised; `redis` is None where there is
    none, and `rules` are what the operator lets authors do.
    """

    store: Store
    actor: Actor
    after_write: AfterWrite
    after_read: AfterRead
    redis: Redis | None
    rules: Rules


class Noun:
    """The operations on one kind of thing; each takes what its API route takes, and returns what that answers."""

    def __init__(self, context: OperationContext) -> None:
        self.context = context

    @property
    def _store(self) -> Store:
        return self.context.store

    @property
    def _actor(self) -> Actor:
        return self.context.actor

    def ask_for_dramas(self, rows: Sequence[ListedMatch]) -> None:
        """Have workers measure the matches of a list that are not measured yet."""
        if any(row.unmeasured for row in rows):
            self.context.after_read(partial(missing_dramas.ask, rows=rows))

    @property
    def _redis(self) -> Redis:
        if self.context.redis is None:
            raise RedisUnreachable("Redis: this arena works without it, so nothing is known of its parts")
        return self.context.redis


def writes(
    operation: Callable[Concatenate[_Noun, _P], _Answer],
) -> Callable[Concatenate[_Noun, _P], _Answer]:
    """Mark an operation that writes: after it the workers are woken, and the pages of its tournament are notified."""

    @wraps(operation)
    def run(noun: _Noun, /, *args: _P.args, **named: _P.kwargs) -> _Answer:
        answer = operation(noun, *args, **named)
        context = noun.context
        match answer:
            case TournamentPage(id=number, state=state):
                context.after_write(Written(number, state))
            case Entered(tournament=number):
                context.after_write(Written(number, tournaments.row(context.store, number).state))
            case _:
                context.after_write(Written())
        return answer

    return run
