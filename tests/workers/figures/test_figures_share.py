"""Figures of past matches get a fifth of the time of workers that have blocks to play: neither starves the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from redis import Redis

from arena.messaging import job_queue
from arena.reports import tournaments
from arena.reports.insights import stored_chances
from arena.reports.tournament_details import TournamentPage
from arena.storage import Store
from tests.patience import wait_until
from tests.workers.conftest import Start
from workers.figures.figures_share import MAX_OWED_S, FiguresShare

TURN_S = 5.0
"""How long one job plays blocks (workers/blocks_job.py)."""


def simulate(share: FiguresShare, seconds: float, figure_s: float) -> tuple[float, float, float]:
    """Work with many blocks and figures waiting; return the time for each, and the longest time between two figures."""
    played = computed = longest = since = 0.0
    while played + computed < seconds:
        if share.is_due:
            longest, since = max(longest, since), 0.0
            share.computed(figure_s)
            computed += figure_s
        else:
            share.played(TURN_S)
            played += TURN_S
            since += TURN_S
    return played, computed, longest


@pytest.mark.parametrize("figure_s", [0.1, 1.0, 3.0, 20.0])
def test_figures_get_a_fifth_of_the_time_and_blocks_the_rest(figure_s: float) -> None:
    played, computed, longest = simulate(FiguresShare(), 10_000, figure_s)
    assert computed / (played + computed) == pytest.approx(0.2, abs=0.02)
    assert longest <= 4 * figure_s + TURN_S


def test_a_figure_that_waits_alone_comes_after_one_turn_of_blocks() -> None:
    share = FiguresShare()
    assert not share.is_due
    share.played(TURN_S)
    assert share.is_due


def test_nothing_is_saved_up_while_no_figure_waits() -> None:
    share = FiguresShare()
    share.played(100_000)
    share.computed(MAX_OWED_S)
    assert not share.is_due


def test_what_is_computed_while_nothing_is_to_be_played_costs_nothing_later() -> None:
    share = FiguresShare()
    for _ in range(1000):
        share.computed(3.0)
    share.played(TURN_S)
    assert share.is_due


def matches_done(store: Store) -> int:
    return sum(row.matches_done for row in tournaments.listing(store))


def test_while_two_tournaments_are_played_figures_appear_and_play_goes_on(
    start: Start, store: Store, client: Redis, create: Callable[..., TournamentPage]
) -> None:
    past = create(cycles=2).id
    start()
    wait_until(lambda: tournaments.page(store, past).state == "finished", "it is over", within_s=60)
    busy = [create(cycles=4000).id, create(cycles=4000).id]
    wait_until(
        lambda: any(tournaments.page(store, each).matches_done for each in busy), "it plays", within_s=60
    )
    wanted = [(past, 0, match) for match in range(2)]
    for each in wanted:
        assert job_queue.enqueue_insight(client, "chances", *each)
    before = matches_done(store)
    wait_until(
        lambda: all(stored_chances.OF_MATCHES.load(store, *each) is not None for each in wanted),
        "both are computed",
        within_s=90,
    )
    assert matches_done(store) > before, "play went on between them"
    assert [tournaments.page(store, each).state for each in busy] == ["running", "running"]
