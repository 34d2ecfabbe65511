"""Versions of one bot that have met, on the bot's page."""

from __future__ import annotations

import pytest

from arena.bot_registry import bots
from arena.reports import bot_profiles, tournaments
from arena.reports.by_format.version_comparisons import VersionComparison
from arena.scheduling import stop_rules
from arena.storage import Store
from arena.web.tournaments.tournament_page import difference_of_test
from tests.decided_matches import new_tournament, person, play_on, upload

HISTORY = (bots.SUPERSEDED, bots.SUPERSEDED, bots.ACTIVE)


@pytest.fixture(autouse=True)
def lc(store: Store) -> None:
    upload(store, person(store, "ada"), "lc", states=HISTORY)


def compared(store: Store) -> tuple[VersionComparison, ...]:
    return bot_profiles.read(store, "lost_cities", "lc").comparisons


def test_test_of_two_versions_shows_its_verdict_and_the_difference_of_its_own_page(store: Store) -> None:
    new_tournament(store, names=("lc@3", "lc@1"), cycles=100, stop=stop_rules.parse("sprt:0,50"))
    play_on(
        store,
        lambda match: [1 if (seat.version == "3") == (match.set % 4 > 0) else 2 for seat in match.seats],
    )
    (row,) = compared(store)
    assert (row.first, row.second, row.running) == ("3", "1", False)
    assert row.sprt is not None
    assert row.sprt.accepted == "elo1"
    assert (row.wins + row.losses, row.wins > row.losses) == (2 * row.sprt.sets, True)
    assert (row.elo, row.error) == difference_of_test(tournaments.page(store, 1))


def test_gauntlet_shows_the_first_version_against_each_other(store: Store) -> None:
    new_tournament(store, names=("lc@2", "lc@3", "lc@1"), format="gauntlet")
    play_on(store, lambda match: [1 if seat.version == "2" else 2 for seat in match.seats])
    assert [(row.first, row.second, row.wins, row.losses) for row in compared(store)] == [
        ("2", "1", 2, 0),
        ("2", "3", 2, 0),
    ]
    assert all(row.elo > 0 and row.sprt is None for row in compared(store))


def test_versions_that_never_met_are_not_compared(store: Store) -> None:
    new_tournament(store, names=("greedy", "lc@3", "lc@1"), format="gauntlet")
    play_on(store)
    assert compared(store) == ()
