"""What the operations of every noun work with: a store, on behalf of an actor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from arena.reports import tournaments
from arena.reports.tournament_details import TournamentPage
from arena.service.after_writes import AfterWrite, Written
from arena.service.composed_answers import Entered

if TYPE_CHECKING:
    from arena.accounts.actors import Actor
    from arena.storage import Store

_P = ParamSpec("_P")
_Answer = TypeVar("_Answer")
_Noun = TypeVar("_Noun", bound="Noun")


@dataclass(frozen=True, slots=True)
class OperationContext:
    """The store that operations work on, the actor whose rights count, and where the hints of a write go."""

    store: Store
    actor: Actor
    after_write: AfterWrite


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
