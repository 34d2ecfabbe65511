"""Readings that scrapes share: neither many scrapes nor a store that hangs cost more than one query at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.monitoring.patient_reading import PatientReading
from tests.patience import wait_until


class Counted:
    """A function that counts its calls, and hangs while it is told to."""

    def __init__(self) -> None:
        self.calls = 0
        self.may_end = threading.Event()
        self.may_end.set()

    def __call__(self) -> int:
        self.calls += 1
        self.may_end.wait()
        return self.calls


def test_a_reading_of_the_last_seconds_is_used_again() -> None:
    read = Counted()
    reading = PatientReading(read, fresh_s=60)
    assert [reading.get(), reading.get()] == [1, 1]


def test_an_older_one_is_read_anew() -> None:
    reading = PatientReading(Counted(), fresh_s=0)
    assert [reading.get(), reading.get()] == [1, 2]


def test_scrapes_at_the_same_time_share_one_reading() -> None:
    read = Counted()
    read.may_end.clear()
    reading = PatientReading(read, patience_s=60)
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(reading.get) for _ in range(4)]
        wait_until(lambda: read.calls == 1, "it is read", within_s=10)
        read.may_end.set()
        assert [each.result() for each in found] == [1, 1, 1, 1]


def test_one_that_hangs_is_not_begun_again_and_given_once_it_is_there() -> None:
    read = Counted()
    read.may_end.clear()
    reading = PatientReading(read, patience_s=0.01)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            reading.get()
    assert read.calls == 1
    read.may_end.set()

    def is_there() -> bool:
        try:
            return reading.get() == 1
        except TimeoutError:
            return False

    wait_until(is_there, "the reading is there", within_s=10)


def test_what_went_wrong_is_raised_to_all_who_ask_in_the_next_seconds() -> None:
    calls = []

    def fail() -> int:
        calls.append(1)
        raise OSError("away")

    reading = PatientReading(fail, fresh_s=60)
    for _ in range(2):
        with pytest.raises(OSError, match="away"):
            reading.get()
    assert len(calls) == 1
