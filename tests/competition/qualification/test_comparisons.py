"""Comparisons that authors ask for: two versions of their own bot, for no table."""

from __future__ import annotations

import pytest

from arena.accounts.actors import Actor
from arena.bot_registry import bots
from arena.competition import lifecycle
from arena.competition.qualification import comparisons
from arena.core.errors import Refusal
from arena.reports import bot_profiles, tournaments
from arena.scheduling.stop_rules import Sprt
from arena.storage import Store
from tests.decided_matches import person, play_on, upload

HISTORY = (bots.SUPERSEDED, bots.FAILED, bots.ACTIVE)


@pytest.fixture
def ada(store: Store) -> Actor:
    ada = person(store, "ada")
    upload(store, ada, "lc", states=HISTORY)
    upload(store, ada, "lu", "land_unter", states=(bots.SUPERSEDED, bots.ACTIVE))
    return ada


def compare(
    store: Store, actor: Actor, first: str = "3", second: str = "1", *, bot: str = "lc", most: int = 10
) -> int:
    game = "land_unter" if bot == "lu" else "lost_cities"
    return comparisons.compare(store, actor, game, bot, first, second, stop=Sprt(0, 50), sets=100, most=most)


def test_author_has_a_superseded_version_tested_against_the_active_one(store: Store, ada: Actor) -> None:
    number = compare(store, ada)
    play_on(store, lambda match: [1 if seat.version == "3" else 2 for seat in match.seats])
    page = tournaments.page(store, number)
    assert page.sprt is not None
    assert (page.state, page.sprt.accepted, page.pool) == ("finished", "elo1", None)
    (row,) = bot_profiles.read(store, "lost_cities", "lc").comparisons
    assert (row.tournament_id, row.first, row.second, row.wins) == (number, "3", "1", page.matches_done)


def test_comparison_stands_in_no_list_and_counts_for_no_table(store: Store, ada: Actor) -> None:
    compare(store, ada)
    play_on(store)
    assert tournaments.listing(store) == ()
    profile = bot_profiles.read(store, "lost_cities", "lc")
    assert (profile.pools, profile.last, profile.matches_in_all) == ((), (), 0)


@pytest.mark.parametrize(
    ("bot", "first", "second", "code"),
    [
        ("lc", "3", "2", "wrong_state"),
        ("lc", "3", "9", "version_unknown"),
        ("lc", "3", "3", "comparison_invalid"),
        ("lu", "2", "1", "comparison_invalid"),
    ],
    ids=["failed", "unknown", "the same", "three seats"],
)
def test_what_cannot_be_compared_is_refused(
    store: Store, ada: Actor, bot: str, first: str, second: str, code: str
) -> None:
    with pytest.raises(Refusal) as refused:
        compare(store, ada, first, second, bot=bot)
    assert refused.value.code == code


@pytest.mark.usefixtures("ada")
def test_bot_of_somebody_else_is_not_compared(store: Store) -> None:
    with pytest.raises(Refusal) as refused:
        compare(store, person(store, "bob"))
    assert refused.value.code == "not_yours"


def test_comparison_cannot_be_managed(store: Store, ada: Actor) -> None:
    number = compare(store, ada)
    with pytest.raises(Refusal, match="is an author's trial, which cannot be managed"):
        lifecycle.pause(store, number, person(store, "olga", "organiser"))


def test_comparisons_of_a_day_are_bounded(store: Store, ada: Actor) -> None:
    compare(store, ada, most=1)
    with pytest.raises(Refusal) as refused:
        compare(store, ada, most=1)
    assert refused.value.code == "quota_exhausted"


def test_a_comparison_of_too_few_sets_is_refused(store: Store, ada: Actor) -> None:
    with pytest.raises(Refusal, match="decides after 16 sets") as refused:
        comparisons.compare(store, ada, "lost_cities", "lc", "3", "1", stop=Sprt(0, 50), sets=15, most=10)
    assert (refused.value.code, refused.value.field) == ("sets_invalid", "sets")
