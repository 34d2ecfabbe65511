"""What is kept is never older than its asking."""

from __future__ import annotations

import threading
import time

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.cache import keep
from tests.scenarios import add, alphabetical, claim, new_tournament


def test_a_value_is_computed_once_for_each_mark(store: Store) -> None:
    made = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [keep(store, "one", mark, make) for mark in (1, 1, 2, 1)] == [1, 1, 2, 3]


def test_of_several_threads_one_computes(store: Store) -> None:
    made = []

    def make() -> str:
        made.append(1)
        time.sleep(0.05)
        return "made"

    threads = [threading.Thread(target=keep, args=(store, "slow", 1, make)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_standings_follow_results_entries_and_what_is_annulled(store: Store) -> None:
    number = new_tournament(store, begin="created").id
    assert len(tournaments.page(store, number).standings) == 3
    lifecycle.withdraw(store, number, "random", OPERATOR)
    lifecycle.enter(store, number, "hoarder", OPERATOR)
    assert {row.bot for row in tournaments.page(store, number).standings} == {"greedy", "rusher", "hoarder"}
    lifecycle.start(store, number, OPERATOR)
    assert {row.matches for row in tournaments.page(store, number).standings} == {0}
    block = claim(store)
    for match in block.matches[:4]:
        add(store, block, match, alphabetical(match))
    before = {row.bot: row.matches for row in tournaments.page(store, number).standings}
    assert sum(before.values()) == 8
    lifecycle.withdraw(store, number, "hoarder", OPERATOR, annul=True)
    after = {row.bot: row.matches for row in tournaments.page(store, number).standings}
    assert after["hoarder"] == 0
    assert sum(after.values()) < 8
