"""Turns: an author's sleepers keep neither a tournament nor another author's trial from being played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from sqlalchemy import update

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.bundle_format.bundle import read_upload
from arena.competition import stages
from arena.competition.matches import blocks
from arena.competition.matches.block_order import Turn
from arena.competition.matches.blocks import Block, BlockKey
from arena.competition.qualification import challenges, submissions
from arena.scheduling.fair_share import SLICE_S
from arena.storage import Store
from arena.storage.schema import Tournament
from tests.bundle_format.uploads import project
from tests.decided_matches import NAMES, add, alphabetical, new_tournament, person

LEASE_S = 60.0
SLEEPER_S = 35
"""How long a trial lasts whose bot uses all of its time."""
BLOCK_S = 20

Plays = Callable[[Block], int]


@pytest.fixture
def mallory(store: Store) -> Actor:
    bots.register_house(store, {"lost_cities": NAMES})
    return submitted(store, "mallory")


def submitted(store: Store, name: str) -> Actor:
    """An author with an upload that waits for its qualification."""
    author = person(store, name)
    toml = f'name = "{name}"\ngames = ["lost_cities"]\nentry = "mine.py"\n'
    submissions.submit(store, author, read_upload(project(toml), "mine.zip"), allowed=(), most=10)
    return author


def challenge(store: Store, author: Actor, times: int) -> None:
    for _ in range(times):
        challenges.challenge(store, author, "lost_cities", author.name, ["greedy"], most=times)


def new_tournaments(store: Store) -> None:
    """Create tournaments that two workers play for longer than a test looks."""
    for _ in range(4):
        new_tournament(store, names=("greedy", "random"), cycles=64)


class Clock:
    """Workers that take blocks and hold them for some seconds, renewing their leases; who plays is named by its bot."""

    def __init__(self, store: Store, workers: int, lasts: Callable[[str], int]) -> None:
        self._store = store
        self._lasts = lasts
        self._held: list[tuple[Block, int] | None] = [None] * workers
        self.seconds: Counter[str] = Counter()
        """Workers' time by who had it."""

    def run(self, seconds: int) -> None:
        for _ in range(seconds):
            for number in range(len(self._held)):
                self._second(number)

    def _second(self, number: int) -> None:
        held, worker = self._held[number], f"worker-{number}"
        if held is None:
            block = blocks.claim(self._store, worker, LEASE_S)
            if block is None:
                return
            held = block, self._lasts(whose(block))
        else:
            assert blocks.renew(self._store, key(held[0]), worker, LEASE_S)
        block, left = held
        self.seconds[whose(block)] += 1
        if left > 1:
            self._held[number] = block, left - 1
            return
        for match in block.matches:
            assert add(self._store, block, match, alphabetical(match))
        assert blocks.finish(self._store, key(block), worker)
        self._held[number] = None


def key(block: Block) -> BlockKey:
    return BlockKey(block.tournament_id, block.number)


def whose(block: Block) -> str:
    """Name the author whose trial a block is; the tournament is of house bots."""
    names = {seat.bot for match in block.matches for seat in match.seats} - {*NAMES}
    return names.pop() if names else "tournament"


def lasts(name: str) -> int:
    return SLEEPER_S if name == "mallory" else BLOCK_S


def qualified(store: Store, *names: str) -> None:
    """Play the qualifications that wait, quickly."""
    clock = Clock(store, 1, lambda _name: 1)
    clock.run(len(names))


def test_an_authors_sleepers_leave_a_tournament_its_share_of_the_workers(
    store: Store, mallory: Actor
) -> None:
    qualified(store, "mallory")
    challenge(store, mallory, 30)
    new_tournaments(store)
    clock = Clock(store, 2, lasts)
    clock.run(300)
    assert clock.seconds["tournament"] >= 0.6 * clock.seconds.total()
    assert clock.seconds["mallory"] >= 0.2 * clock.seconds.total(), "trials are not starved either"


def test_an_authors_sleepers_leave_another_authors_trial_its_turn(store: Store, mallory: Actor) -> None:
    qualified(store, "mallory")
    challenge(store, mallory, 30)
    new_tournaments(store)
    clock = Clock(store, 2, lasts)
    clock.run(100)
    ada = submitted(store, "ada")
    clock.run(90)
    assert submissions.versions(store, ada, "lost_cities", "ada")[0].state == "active"


def test_trials_have_all_workers_when_nothing_else_waits(store: Store, mallory: Actor) -> None:
    qualified(store, "mallory")
    challenge(store, mallory, 6)
    clock = Clock(store, 2, lasts)
    clock.run(105)
    assert clock.seconds["mallory"] == 210


def test_a_tournament_that_begins_is_not_kept_waiting_for_trials_that_had_nobody_to_share_with(
    store: Store, mallory: Actor
) -> None:
    qualified(store, "mallory")
    challenge(store, mallory, 30)
    clock = Clock(store, 2, lasts)
    clock.run(100)
    new_tournaments(store)
    clock.seconds.clear()
    clock.run(120)
    assert clock.seconds["tournament"] >= 0.5 * clock.seconds.total()
    challenge(store, submitted_and_active(store, clock), 1)
    clock.run(90)
    assert clock.seconds["bob"] > 0


def submitted_and_active(store: Store, clock: Clock) -> Actor:
    bob = submitted(store, "bob")
    clock.run(90)
    assert submissions.versions(store, bob, "lost_cities", "bob")[0].state == "active"
    return bob


def test_an_authors_qualification_comes_before_their_challenges(store: Store, mallory: Actor) -> None:
    qualified(store, "mallory")
    challenge(store, mallory, 3)
    again = read_upload(
        project('name = "mallory"\ngames = ["lost_cities"]\nentry = "mine.py"\n', extra="x"), "mine.zip"
    )
    (row,) = submissions.submit(store, mallory, again, allowed=(), most=10)
    block = blocks.claim(store, "anna", LEASE_S)
    assert block is not None
    assert block.tournament_id == row.trial


def test_trials_that_wait_do_not_let_a_new_tournament_jump_the_queue(store: Store, mallory: Actor) -> None:
    first = new_tournament(store, names=("greedy", "random"), cycles=64).id
    with store.write() as session:
        session.execute(update(Tournament).where(Tournament.id == first).values(served=90.0))
        assert stages.least_served(session) == 90.0


def test_a_worker_stays_with_a_tournament_for_its_time_slice(store: Store) -> None:
    new_tournaments(store)
    within = [claimed(store, Turn(3, lasted_s)) for lasted_s in (0.0, 2.0, SLICE_S - 0.1)]
    assert within == 3 * [3]
    assert claimed(store, Turn(3, SLICE_S)) != 3


def test_a_worker_turns_to_another_when_a_tournament_has_nothing_left_for_it(store: Store) -> None:
    new_tournaments(store)
    assert claimed(store, Turn(99, 0.0)) == 1


def test_a_worker_that_goes_on_takes_a_block_of_the_tournament_that_it_plays(store: Store) -> None:
    new_tournaments(store)
    block = blocks.claim(store, "worker", LEASE_S, turn=Turn(3, 0.0), goes_on=True)
    assert block is not None
    assert block.tournament_id == 3


@pytest.mark.parametrize("turn", [Turn(3, SLICE_S), Turn(99, 0.0), None])
def test_a_worker_that_goes_on_takes_nothing_when_another_tournament_is_due(
    store: Store, turn: Turn | None
) -> None:
    new_tournaments(store)
    assert blocks.claim(store, "worker", LEASE_S, turn=turn, goes_on=True) is None


def claimed(store: Store, turn: Turn) -> int:
    """Claim a block; return its tournament."""
    block = blocks.claim(store, "worker", LEASE_S, turn=turn)
    assert block is not None
    return block.tournament_id
