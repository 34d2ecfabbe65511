"""Chances, of the seats at the points of a match and of the actions that a seat could have chosen: derived once, stored in thousandths."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, cast

from arena.core.errors import ArenaError
from arena.games import registry
from arena.match.chances import Estimate, Policy, estimate_chances
from arena.match.choice_chances import ChoiceEstimate, estimate_choices
from arena.match.record import Record, from_json
from arena.reports import match_views
from arena.reports.insights.insight import Insight, Tick
from arena.storage import Store
from arena.storage.record_compression import unpack
from arena.storage.schema import ChoiceChances, MatchChances
from arena.storage.upserts import insert_missing

E = TypeVar("E", Estimate, ChoiceEstimate)

_WHOLE = 1000
_MATCH = ("tournament_id", "set_number", "match_number")


class ChoiceKey(NamedTuple):
    """Names a choice: the match, the point after which it was made, and the seat."""

    tournament_id: int
    set_number: int
    match_number: int
    point: int
    seat: int


@dataclass(frozen=True, slots=True)
class StoredChances(Generic[E]):
    """A kind of chances, by a key that begins with the match."""

    table: type[MatchChances | ChoiceChances]
    key: tuple[str, ...]
    read: Callable[[Any], E]
    """From its row in JSON, as `write` returns it."""
    write: Callable[[E], list[object]]
    estimate: Callable[[Record, Sequence[int], Policy, Tick], Sequence[E]]
    """From the record and what the key has beside the match.  Raises ArenaError where there is nothing to estimate."""

    def load(self, store: Store, *key: int) -> tuple[E, ...] | None:
        """Return stored chances, None while they are not derived; empty if the game has no plan of search."""
        with store.read() as session:
            row = cast("MatchChances | ChoiceChances | None", session.get(self.table, key))
        return None if row is None else tuple(map(self.read, json.loads(row.data)))

    def save(self, store: Store, key: Sequence[int], estimates: Sequence[E]) -> None:
        """Store chances; a second time changes nothing, since they are the same."""
        data = json.dumps([self.write(each) for each in estimates], separators=(",", ":"))
        row = {**dict(zip(self.key, key, strict=True)), "data": data}
        with store.write() as session:
            insert_missing(store.dialect, self.table, self.key).run(session.connection(), row)

    def derive(self, store: Store, tick: Tick, *key: int) -> bool:
        """Derive and store chances; return whether that was done.

        Nothing is stored for a match that is not open, that has its chances already, or that cannot be played again.
        """
        if self.load(store, *key) is not None:
            return False
        of_match = len(_MATCH)
        try:
            packed = match_views.page(store, *key[:of_match]).packed_record
            if packed is None:
                return False
            record = from_json(unpack(packed))
            plan = registry.package(record.game).search_plan
            # Nothing, stored as such, for a game without a plan: else each reader would ask again.
            found = () if plan is None else self.estimate(record, key[of_match:], plan, tick)
        except ArenaError:
            return False
        self.save(store, key, found)
        return True


def _write(*numbers: float) -> list[int]:
    return [round(_WHOLE * number) for number in numbers]


def _read(numbers: Sequence[int]) -> tuple[float, ...]:
    return tuple(number / _WHOLE for number in numbers)


OF_MATCHES = StoredChances(
    MatchChances,
    _MATCH,
    lambda row: Estimate(row[0], _read(row[1]), _read(row[2])),
    lambda each: [each.point, _write(*each.shares), _write(*each.errors)],
    lambda record, _, policy, tick: estimate_chances(record, policy, tick=tick),
)
OF_CHOICES = StoredChances(
    ChoiceChances,
    ChoiceKey._fields,
    lambda row: ChoiceEstimate(row[0], *_read(row[1:])),
    lambda each: [each.action, *_write(each.share, each.error)],
    lambda record, choice, policy, tick: estimate_choices(record, choice[0], choice[1], policy, tick=tick),
)
CHANCES = Insight("chances", (int,) * len(_MATCH), OF_MATCHES.derive)
CHOICES = Insight("choices", (int,) * len(ChoiceKey._fields), OF_CHOICES.derive)
