import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from arena.storage import Store, leases


def test_a_lease_is_held_by_one(store: Store) -> None:
    assert leases.take(store, "cleaning", "ann", 60)
    assert not leases.take(store, "cleaning", "bob", 60)


def test_a_lease_that_several_take_at_the_same_moment_is_held_by_one(store: Store) -> None:
    together = Barrier(4)

    def take(holder: str, purpose: str) -> bool:
        together.wait()
        return leases.take(store, purpose, holder, 60)

    with ThreadPoolExecutor(4) as pool:
        for number in range(20):
            taken = pool.map(take, ("ann", "bob", "cleo", "dan"), [f"cleaning {number}"] * 4)
            assert sum(taken) == 1


def test_its_holder_may_hold_a_lease_longer(store: Store) -> None:
    leases.take(store, "cleaning", "ann", 0.2)
    assert leases.take(store, "cleaning", "ann", 60)
    time.sleep(0.3)
    assert not leases.take(store, "cleaning", "bob", 60)


def test_a_lease_runs_out(store: Store) -> None:
    leases.take(store, "cleaning", "ann", 0.1)
    time.sleep(0.15)
    assert leases.take(store, "cleaning", "bob", 60)


def test_a_lease_that_was_given_back_can_be_taken_at_once(store: Store) -> None:
    leases.take(store, "cleaning", "ann", 60)
    leases.leave(store, "cleaning", "ann")
    assert leases.take(store, "cleaning", "bob", 60)


def test_only_its_holder_can_give_a_lease_back(store: Store) -> None:
    leases.take(store, "cleaning", "ann", 60)
    leases.leave(store, "cleaning", "bob")
    assert not leases.take(store, "cleaning", "bob", 60)


def test_leases_of_different_purposes_are_apart(store: Store) -> None:
    assert leases.take(store, "cleaning", "ann", 60)
    assert leases.take(store, "cooking", "bob", 60)


def test_a_lease_is_as_long_for_a_process_whose_clock_is_ahead(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_time = time.time
    with monkeypatch.context() as ahead:
        ahead.setattr(time, "time", lambda: true_time() + 30)
        leases.take(store, "cleaning", "ann", 0.1)
    time.sleep(0.15)
    assert leases.take(store, "cleaning", "bob", 60)
