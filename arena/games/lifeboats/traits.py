"""Traits of a bot's play of Lifeboats: its promises and whether it keeps them, its votes, the pawns it saves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from arena.core.translatable import mark
from arena.games.kernel import Said
from arena.games.lifeboats.notation import HAT, WORDS
from arena.games.lifeboats.state import LEAK, MOVE, LifeboatsState, Stage, crew_of, officers, sailors
from arena.games.traits import PastPoint, Tallies, Tally, Trait, Traits


def count(seats: int, points: Sequence[PastPoint]) -> Sequence[Mapping[str, Tally]]:
    """Count the traits of each seat in a match."""
    tallies = Tallies(seats)
    promised: dict[tuple[int, str], str] = {}
    asked: Counter[int] = Counter()
    for point in points:
        before: LifeboatsState = point.before
        after: LifeboatsState = point.after
        for step in point.steps:
            if isinstance(step, Said):
                _hear(step, before.vote, promised, asked)
        if before.stage == Stage.VOTE:
            _count_vote(tallies, point, promised)
            for step in point.played:
                tallies.add(step.seat, "asks", asked.pop(step.seat, 0))
        if after.stage == Stage.OVER:
            for seat in range(seats):
                tallies.add(seat, "saved", sum(map(_heads, after.ashore[seat])), _heads(crew_of(seats)))
    return tallies.by_seat()


def _hear(said: Said, vote: str, promised: dict[tuple[int, str], str], asked: Counter[int]) -> None:
    """Remember what a seat promised for the votes to come, the last of each kind, and what it asked of others."""
    for claim in said.line.claims:
        if claim.kind == "ask":
            asked[said.seat] += 1
        elif claim.kind == "promise" and claim.seat == said.seat:
            promised[said.seat, vote if claim.when == "this" else claim.when] = claim.vote


def _count_vote(tallies: Tallies, point: PastPoint, promised: dict[tuple[int, str], str]) -> None:
    before: LifeboatsState = point.before
    ballots = {step.seat: step.action for step in point.played}
    votes = Counter(action for action in ballots.values() if action != HAT)
    most = max(votes.values(), default=0)
    for seat, action in ballots.items():
        promise = promised.pop((seat, before.vote), None)
        tallies.add(seat, "promises", promise is not None)
        tallies.add(seat, "hats", action == HAT)
        letter = action.partition(" ")[2]
        if promise is not None:
            tallies.add(seat, "kept", promise == letter)
        if action == HAT:
            continue
        if before.vote in {LEAK, MOVE}:
            boat = WORDS[before.match.seats].letters.index(letter)
            tallies.add(seat, "majority", votes[action] == most)
            tallies.add(seat, f"own_{before.vote}", before.crews[boat][seat] > 0)


def _heads(pawns: int) -> int:
    return sailors(pawns) + officers(pawns)


TRAITS = Traits(
    (
        Trait(
            id="promises",
            label=mark("Votes about which it made a promise"),
            more=mark("Promises a lot"),
            less=mark("Seldom promises anything"),
            is_share=True,
        ),
        Trait(
            id="kept",
            label=mark("Promises kept"),
            more=mark("Keeps its promises"),
            less=mark("Often breaks its promises"),
            is_share=True,
        ),
        Trait(
            id="asks",
            label=mark("Requests to others per vote"),
            more=mark("Often tells others how to vote"),
            less=mark("Seldom asks others for a vote"),
        ),
        Trait(
            id="hats",
            label=mark("Votes in which it plays a captain's hat"),
            more=mark("Plays its hats readily"),
            less=mark("Saves its hats"),
            is_share=True,
        ),
        Trait(
            id="majority",
            label=mark("Votes for the boat with the most votes"),
            more=mark("Votes with the majority"),
            less=mark("Often votes alone"),
            is_share=True,
        ),
        Trait(
            id="own_leak",
            label=mark("Votes for a leak in a boat with its own crew"),
            more=mark("Risks leaks under its own crew"),
            less=mark("Keeps leaks away from its own crew"),
            is_share=True,
        ),
        Trait(
            id="own_move",
            label=mark("Votes to move a boat with its own crew"),
            more=mark("Moves its own crew ahead"),
            less=mark("Moves boats without its own crew"),
            is_share=True,
        ),
        Trait(
            id="saved",
            label=mark("Sailors and officers saved"),
            more=mark("Saves many of its crew"),
            less=mark("Saves few of its crew"),
            is_share=True,
        ),
    ),
    count,
)
