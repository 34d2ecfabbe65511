"""Imports without the garbage collector."""

from __future__ import annotations

import gc

import pytest

from arena.core.import_speed import collector_paused


def test_collector_rests_in_the_block_and_runs_after_it() -> None:
    with collector_paused():
        inside = gc.isenabled()
    assert (inside, gc.isenabled()) == (False, True)


def test_collector_rests_until_the_outermost_block_ends() -> None:
    with collector_paused():
        with collector_paused():
            pass
        inside = gc.isenabled()
    assert (inside, gc.isenabled()) == (False, True)


def test_collector_runs_after_an_import_that_failed() -> None:
    with pytest.raises(ImportError), collector_paused():
        raise ImportError
    assert gc.isenabled()
