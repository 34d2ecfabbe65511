"""Which generations of the control protocol work together."""

from __future__ import annotations

import pytest

from arena.core.release import FIRST_GENERATION, GENERATION, Peer, explain_distance


@pytest.mark.parametrize("generation", [GENERATION - 1, GENERATION, GENERATION + 1])
def test_generations_that_are_one_apart_work_together(generation: int) -> None:
    assert explain_distance("this referee", "the worker", Peer("0.3.0", generation)) == ""


def test_the_older_side_is_to_be_upgraded() -> None:
    newer = explain_distance("this referee", "the worker", Peer("9.0.0", GENERATION + 2))
    assert newer.endswith("upgrade this referee to the release of the worker")
    assert f"the worker (release 9.0.0) speaks generation {GENERATION + 2}" in newer
    older = explain_distance("this referee", "the worker", Peer("", GENERATION - 2))
    assert older.endswith("upgrade the worker to the release of this referee")


def test_release_that_names_no_generation_is_near_enough_to_this_one() -> None:
    assert explain_distance("this referee", "the worker", Peer("", FIRST_GENERATION)) == ""
