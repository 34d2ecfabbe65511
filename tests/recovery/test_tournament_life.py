"""Tournaments of a whole arena: directed over its API, played by its workers, checked from their archives alone."""

from __future__ import annotations

import urllib.request
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from arena.accounts import tokens
from arena.client import RemoteArena
from arena.client.types import TournamentCreate, TournamentPage
from arena.storage import Store
from arena.storage.schema import Block
from tests import decided_matches
from tests.bundle_format.uploads import project
from tests.cli.running import run
from tests.parts.arena_process import RunningArena
from tests.patience import wait_until

LONG_S = 120.0
"""How long a tournament, or a qualification, may take on a busy machine."""
ASKED_EVERY_S = 0.2
"""The pause between two requests of one account, which may send 600 a minute: a quick arena answers in a moment."""
CYCLES = 60
SMALL: dict[str, Any] = {"game": "lost_cities", "options": {"hands": 1}}


class Person(RemoteArena):
    """Somebody with an account and a token."""

    def __init__(self, arena: RunningArena, store: Store, name: str, role: str) -> None:
        token = tokens.create(store, decided_matches.person(store, name, role), "journey").token
        super().__init__(f"http://127.0.0.1:{arena.port}", token)


def verified(arena: RunningArena, number: int, folder: Path) -> str:
    """Fetch a tournament's archive, as anybody can, and check it from that file: what `arena verify` says."""
    file = folder / f"{number}.zip"
    address = f"http://127.0.0.1:{arena.port}/api/v1/tournaments/{number}/export?format=zip"
    with urllib.request.urlopen(address, timeout=LONG_S) as answer:
        file.write_bytes(answer.read())
    done = run("verify", "--tournament", str(file))
    assert done.code == 0, done.out + done.error
    return done.out


def until_over(who: Person, number: int) -> TournamentPage:
    show = who.tournaments.show
    wait_until(
        lambda: show(number).state == "finished",
        "the tournament is over",
        within_s=LONG_S,
        every_s=ASKED_EVERY_S,
    )
    return show(number)


def held(store: Store, number: int) -> int:
    """How many blocks of a tournament are with a worker."""
    query = select(func.count()).select_from(Block)
    with store.read() as session:
        return session.scalar(query.where(Block.tournament_id == number, Block.worker.is_not(None))) or 0


def test_a_tournament_is_taken_through_its_life_and_can_be_checked(
    arena: RunningArena, store: Store, tmp_path: Path
) -> None:
    with Person(arena, store, "olga", "organiser") as olga, Person(arena, store, "ada", "author") as ada:
        ada.bots.submit(project(), filename="mine.zip")
        versions = partial(ada.bots.list_versions, "lost_cities", "mine")
        wait_until(
            lambda: versions().first.items[0].state == "active",
            "it has qualified",
            within_s=LONG_S,
            every_s=ASKED_EVERY_S,
        )
        tournaments = olga.tournaments
        wish = TournamentCreate(**SMALL, bots=["greedy", "random"], cycles=CYCLES, begin="open")
        number = tournaments.create(wish).id
        commitment = tournaments.show(number).commitment
        ada.tournaments.enter_bot(number, bot="mine")
        assert tournaments.start(number).matches_total == 6 * CYCLES

        wait_until(lambda: tournaments.show(number).matches_done, "it is being played", within_s=LONG_S)
        assert tournaments.pause(number).state == "paused"
        wait_until(lambda: not held(store, number), "what was being played is over", within_s=LONG_S)
        paused = tournaments.show(number)
        assert paused.matches_done < paused.matches_total
        assert tournaments.extend(number, more=2).matches_total == 6 * (CYCLES + 2)
        assert tournaments.show(number).matches_done == paused.matches_done
        assert tournaments.resume(number).state == "running"
        tournaments.withdraw_bot(number, "mine", annul=True)

        page = until_over(olga, number)
        log = tuple(tournaments.list_decisions(number))
    assert page.commitment == commitment
    assert {row.bot: row.matches for row in page.standings} == {
        "greedy": 2 * (CYCLES + 2),
        "random": 2 * (CYCLES + 2),
        "mine": 0,
    }
    assert [row.words for row in log] == [
        f"cycles 1 to {CYCLES} were planned",
        "2 more cycles were allowed",
        f"cycles {CYCLES + 1} to {CYCLES + 2} were planned",
        "mine@1 has left: withdrawn by olga; its results were annulled",
        "finished: all cycles are played",
    ]
    assert f": ok: {page.name}" in verified(arena, number, tmp_path)


@dataclass(frozen=True)
class Case:
    """A tournament: what is asked for, its rules in words, and what is said at its end."""

    name: str
    wish: dict[str, Any]
    rules: str
    end: str


FIELD = ["greedy", "random", "cautious", "rusher", "collector"]
PAIR = ["greedy", "random"]
CASES = (
    Case(
        "swiss",
        {"format": "swiss", "rounds": 3, "bots": FIELD},
        "Swiss, 3 rounds",
        "finished: all rounds are played",
    ),
    Case(
        "knockout",
        {"format": "knockout", "sets": 2, "bots": FIELD},
        "Knockout, 2 sets a tie",
        "finished: all rounds are played",
    ),
    Case(
        "separated",
        {"stop": "separated:1", "cycles": 400, "bots": PAIR},
        "Round-robin until the best is separated at 95 %, at most 400 cycles",
        "sets the best is ahead of all others at 95 %",
    ),
    Case(
        "sprt",
        {"stop": "sprt:0,200", "cycles": 400, "bots": PAIR},
        "Round-robin until elo0 = 0 or elo1 = 200 is accepted (alpha 0.05, beta 0.05), at most 400 cycles",
        "sets elo1 = 200 is accepted",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_format_and_stop_rule_is_played_and_can_be_checked(
    arena: RunningArena, store: Store, tmp_path: Path, case: Case
) -> None:
    with Person(arena, store, f"olga-{case.name}", "organiser") as olga:
        number = olga.tournaments.create(TournamentCreate(**SMALL, **case.wish)).id
        page = until_over(olga, number)
    assert page.rules == case.rules
    assert case.end in page.decisions[0].words
    assert ": ok: " in verified(arena, number, tmp_path)
