"""What is cached is never older than the request for it."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.cache import VersionedCache
from tests.decided_matches import add, alphabetical, claim, new_tournament


def test_a_value_is_computed_once_for_each_version(store: Store) -> None:
    made = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [store.cache.get("one", version, make) for version in (1, 1, 2, 1)] == [1, 1, 2, 3]


def test_of_several_threads_one_computes(store: Store) -> None:
    made = []

    def make() -> str:
        made.append(1)
        time.sleep(0.05)
        return "made"

    threads = [threading.Thread(target=store.cache.get, args=("slow", 1, make)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_a_value_is_found_whatever_its_version_is(store: Store) -> None:
    assert store.cache.find("one") is None
    store.cache.put("one", 7, "made")
    assert store.cache.find("one") == (7, "made")


def test_the_least_recently_used_values_are_dropped() -> None:
    cache = VersionedCache(max_weight=2)
    for key in ("a", "b"):
        cache.put(key, 1, key)
    assert cache.find("a") is not None
    cache.get("c", 1, lambda: "c")
    assert [cache.find(key) is not None for key in "abc"] == [True, False, True]


def test_values_are_dropped_by_their_weight() -> None:
    cache = VersionedCache(max_weight=10, weigh=len)
    cache.put("a", 1, "x" * 6)
    cache.put("b", 1, "x" * 4)
    cache.put("b", 2, "x" * 5)
    assert [cache.find(key) is not None for key in "ab"] == [False, True]
    cache.put("c", 1, "x" * 11)
    assert cache.find("c") is None


def test_values_that_nobody_asks_for_are_dropped_when_another_one_comes() -> None:
    cache = VersionedCache(idle_s=0.05)
    cache.put("old", 1, "a value")
    time.sleep(0.1)
    cache.put("new", 1, "another one")
    assert cache.find("old") is None


def test_a_value_that_is_dropped_while_it_is_computed_is_returned_and_not_kept() -> None:
    cache = VersionedCache()

    def make() -> str:
        cache.drop("one")
        return "made"

    assert cache.get("one", 1, make) == "made"
    assert cache.find("one") is None


def test_a_failed_computation_leaves_nothing_and_keeps_what_was_there() -> None:
    cache = VersionedCache()
    cache.put("old", 1, "there")
    for key in ("old", "new"):
        with pytest.raises(ZeroDivisionError):
            cache.get(key, 2, lambda: 1 // 0)
    assert cache.find("old") == (1, "there")
    assert cache.find("new") is None


def test_stores_share_nothing(store: Store) -> None:
    store.cache.put("one", 1, "made")
    with closing(Store.open(store.url.render_as_string(hide_password=False))) as other:
        assert other.cache.find("one") is None


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
