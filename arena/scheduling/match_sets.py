"""Sets: n matches of n bots in rotated seats, and the plan of a tournament made of them.

    set of (a, b, c)    match 0: a b c    match 1: c a b    match 2: b c a        (seats 0 1 2)

A plan is a value that everything follows from; single matches are computed where they are asked, so a tournament of
a hundred thousand matches costs nothing until it is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena.games import chance
from arena.games.chance import Stream
from arena.scheduling import seeds
from arena.scheduling.formats.adaptive_rounds import TableEntries


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One attempt at a match; `seats` are entry numbers in seat order, `lane` names the processes that play it."""

    set: int
    match: int
    attempt: int
    id: str
    seed: bytes
    seats: tuple[int, ...]
    lane: int
    shared: bool
    """Whether the set's matches have one deal; then every attempt at the match is alike."""

    @property
    def commitment(self) -> bytes:
        """Return what is published before the first decision."""
        return chance.commitment(self.id, self.seed)


@dataclass(frozen=True, slots=True)
class Plan:
    """All matches that are planned so far: each table of the schedule is a set.

    `may_share` says for each entry whether it may play one deal several times (`arena.scheduling.planning_terms`).  An entry that is
    `gone` plays no more.
    """

    secret: bytes
    inputs: bytes
    seats: int
    may_share: tuple[bool, ...]
    schedule: Sequence[TableEntries] = field(compare=False, repr=False)
    trusted: bool = False
    gone: frozenset[int] = frozenset()
    one_lane: bool = False
    """Whether matches with deals of their own are all played in lane 0, as plans of version 1 have it, not side by side."""

    @property
    def sets_total(self) -> int:
        """Count the sets."""
        return len(self.schedule)

    @property
    def matches_total(self) -> int:
        """Count the matches."""
        return self.sets_total * self.seats

    def order(self, set_number: int) -> tuple[int, ...]:
        """Return the entries of a set in the order in which they sit in its first match."""
        return shuffled(self.secret, set_number, self.schedule[set_number])

    def is_active(self, set_number: int) -> bool:
        """Return whether a set is still to be played, if it was not: none of its entries has left."""
        return not self.gone or self.gone.isdisjoint(self.schedule[set_number])

    def shares(self, order: Sequence[int]) -> bool:
        """Return whether these entries may play one deal in all matches of a set."""
        return self.trusted or all(self.may_share[entry] for entry in order)

    def match(self, set_number: int, match_number: int, attempt: int = 0) -> PlannedMatch:
        """Plan one attempt at one match.  Raises IndexError if the tournament has no such match."""
        if not 0 <= match_number < self.seats:
            raise IndexError(match_number)
        order = self.order(set_number)
        shared = self.shares(order)
        return PlannedMatch(
            set=set_number,
            match=match_number,
            attempt=attempt,
            id=seeds.match_id(self.inputs, set_number, match_number, None if shared else attempt),
            seed=(
                seeds.shared_seed(self.secret, set_number)
                if shared
                else seeds.own_seed(self.secret, set_number, match_number, attempt)
            ),
            seats=rotated(order, match_number),
            lane=0 if self.one_lane and not shared else match_number,
            shared=shared,
        )

    def set(self, set_number: int) -> tuple[PlannedMatch, ...]:
        """Plan the first attempts at all matches of a set."""
        return tuple(self.match(set_number, number) for number in range(self.seats))


def series(seed: bytes, inputs: bytes, seats: int, sets: int) -> Iterator[PlannedMatch]:
    """Plan the matches of `arena match`: the same bots again and again, set after set, each set with one deal."""
    for set_number in range(sets):
        order = shuffled(seed, set_number, range(seats))
        for number in range(seats):
            yield PlannedMatch(
                set=set_number,
                match=number,
                attempt=0,
                id=seeds.match_id(inputs, set_number, number, None),
                seed=seeds.series_seed(seed, set_number),
                seats=rotated(order, number),
                lane=number,
                shared=True,
            )


def shuffled(secret: bytes, set_number: int, entries: Sequence[int]) -> tuple[int, ...]:
    """Shuffle the entries of a set: neighbours matter in games that pass cards on."""
    order, _ = Stream(seeds.schedule_seed(secret, "set", set_number)).shuffle(entries)
    return order


def rotated(order: Sequence[int], match_number: int) -> tuple[int, ...]:
    """Seat a set's match k: entry i of the order sits in seat (i + k) mod n."""
    return tuple(order[(seat - match_number) % len(order)] for seat in range(len(order)))
