"""Tournaments of a whole arena: directed over its API, played by its workers, checked from their archives alone."""

from __future__ import annotations

import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from arena.accounts import tokens
from arena.client import ArenaClient
from arena.storage import Store
from arena.storage.schema import Block
from tests import decided_matches
from tests.bundle_format.uploads import project
from tests.cli.running import run
from tests.parts.arena_process import RunningArena
from tests.patience import wait_until

LONG_S = 120.0
"""How long a tournament, or a qualification, may take on a busy machine."""
CYCLES = 60
SMALL = {"game": "lost_cities", "options": {"hands": 1}}


class Person(ArenaClient):
    """Somebody with an account and a token."""

    def __init__(self, arena: RunningArena, store: Store, name: str, role: str) -> None:
        token = tokens.create(store, decided_matches.person(store, name, role), "journey").token
        super().__init__(f"http://127.0.0.1:{arena.port}", token)

    def tournament(self, number: int) -> Any:
        return self.row("GET", f"/tournaments/{number}")

    def direct(self, number: int, verb: str, **body: Any) -> Any:
        return self.row("POST", f"/tournaments/{number}/{verb}", body or None)


def verified(arena: RunningArena, number: int, folder: Path) -> str:
    """Fetch a tournament's archive, as anybody can, and check it from that file: what `arena verify` says."""
    file = folder / f"{number}.zip"
    address = f"http://127.0.0.1:{arena.port}/api/v1/tournaments/{number}/export?format=zip"
    with urllib.request.urlopen(address, timeout=LONG_S) as answer:
        file.write_bytes(answer.read())
    done = run("verify", "--tournament", str(file))
    assert done.code == 0, done.out + done.error
    return done.out


def until_over(who: Person, number: int) -> Any:
    wait_until(
        lambda: who.tournament(number)["state"] == "finished", "the tournament is over", within_s=LONG_S
    )
    return who.tournament(number)


def held(store: Store, number: int) -> int:
    """How many blocks of a tournament are with a worker."""
    query = select(func.count()).select_from(Block)
    with store.read() as session:
        return session.scalar(query.where(Block.tournament_id == number, Block.worker.is_not(None))) or 0


def test_a_tournament_is_taken_through_its_life_and_can_be_checked(
    arena: RunningArena, store: Store, tmp_path: Path
) -> None:
    with Person(arena, store, "olga", "organiser") as olga, Person(arena, store, "ada", "author") as ada:
        ada.rows("POST", "/bots/uploads", content=project(), params={"filename": "mine.zip"})
        versions = "/bots/lost_cities/mine/versions"
        wait_until(
            lambda: ada.rows("GET", versions)[0]["state"] == "active", "it has qualified", within_s=LONG_S
        )
        wish = {**SMALL, "bots": ["greedy", "random"], "cycles": CYCLES, "begin": "open"}
        number = olga.row("POST", "/tournaments", wish)["id"]
        commitment = olga.tournament(number)["commitment"]
        ada.direct(number, "entries", bot="mine")
        assert olga.direct(number, "start")["matches_total"] == 6 * CYCLES

        wait_until(lambda: olga.tournament(number)["matches_done"], "it is being played", within_s=LONG_S)
        assert olga.direct(number, "pause")["state"] == "paused"
        wait_until(lambda: not held(store, number), "what was being played is over", within_s=LONG_S)
        paused = olga.tournament(number)
        assert paused["matches_done"] < paused["matches_total"]
        assert olga.direct(number, "extend", more=2)["matches_total"] == 6 * (CYCLES + 2)
        assert olga.tournament(number)["matches_done"] == paused["matches_done"]
        assert olga.direct(number, "resume")["state"] == "running"
        olga.send("DELETE", f"/tournaments/{number}/entries/mine", params={"annul": 1})

        page = until_over(olga, number)
        log = olga.rows("GET", f"/tournaments/{number}/decisions")
    assert page["commitment"] == commitment
    assert {row["bot"]: row["matches"] for row in page["standings"]} == {
        "greedy": 2 * (CYCLES + 2),
        "random": 2 * (CYCLES + 2),
        "mine": 0,
    }
    assert [row["words"] for row in log] == [
        f"cycles 1 to {CYCLES} were planned",
        "2 more cycles were allowed",
        f"cycles {CYCLES + 1} to {CYCLES + 2} were planned",
        "mine@1 has left: withdrawn by olga; its results were annulled",
        "finished: all cycles are played",
    ]
    assert f": ok: {page['name']}" in verified(arena, number, tmp_path)


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
        number = olga.row("POST", "/tournaments", {**SMALL, **case.wish})["id"]
        page = until_over(olga, number)
    assert page["rules"] == case.rules
    assert case.end in page["decisions"][0]["words"]
    assert ": ok: " in verified(arena, number, tmp_path)
