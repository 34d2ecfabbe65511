"""Superseded versions: where two versions of one bot can meet, and where only the active one may enter."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import delete, select, update

from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.competition import lifecycle, plans
from arena.core.errors import Refusal
from arena.reports import match_views, tournaments
from arena.scheduling import stop_rules
from arena.storage import Store
from arena.storage.schema import Bot, Bundle, Version
from tests.decided_matches import alphabetical, new_tournament, person, play_on, upload

HISTORY = (bots.SUPERSEDED, bots.WITHDRAWN, bots.SUSPENDED, bots.ACTIVE, bots.FAILED)
"""The versions of `lc`, from 1."""


@pytest.fixture
def ada(store: Store) -> Actor:
    ada = person(store, "ada")
    upload(store, ada, "lc", states=HISTORY)
    return ada


def entered(store: Store, *names: str, **spec: Any) -> list[str]:
    page = new_tournament(store, names=names, **spec)
    return [f"{row.bot}@{row.version}" for row in page.entries]


@pytest.mark.parametrize(
    "spec",
    [
        {"stop": stop_rules.parse("sprt:0,50"), "cycles": 100},
        {"format": "gauntlet"},
        {"rated": False},
        {"options": {"hands": 1}},
    ],
    ids=["SPRT", "gauntlet", "unrated", "unrated by its options"],
)
@pytest.mark.usefixtures("ada")
def test_two_versions_of_one_bot_may_meet(store: Store, spec: dict[str, Any]) -> None:
    assert entered(store, "lc@4", "lc@1", **spec) == ["lc@4", "lc@1"]


@pytest.mark.usefixtures("ada")
def test_a_test_of_two_versions_is_played_to_its_end_under_their_names(store: Store) -> None:
    assert entered(store, "lc@4", "lc@1", cycles=100, stop=stop_rules.parse("sprt:0,50")) == ["lc@4", "lc@1"]
    play_on(store, lambda match: [1 if seat.version == "4" else 2 for seat in match.seats])
    page = tournaments.page(store, 1)
    assert page.sprt is not None
    assert (page.state, page.sprt.sets, page.sprt.accepted) == ("finished", 16, "elo1")
    assert [(row.bot, row.version, row.wins) for row in page.standings] == [("lc", "4", 32), ("lc", "1", 0)]
    assert {seat.name for row in match_views.of_tournament(store, 1) for seat in row.seats} == {
        "lc@4",
        "lc@1",
    }


@pytest.mark.usefixtures("ada")
def test_a_bot_with_one_version_entered_goes_by_its_name(store: Store) -> None:
    new_tournament(store, names=("lc@1", "greedy"), rated=False)
    assert {seat.name for row in match_views.of_tournament(store, 1) for seat in row.seats} == {
        "lc",
        "greedy",
    }


@pytest.mark.usefixtures("ada")
def test_a_rated_round_robin_is_for_active_versions_and_says_which_that_is(store: Store) -> None:
    with pytest.raises(
        Refusal, match="bot lc@1: version 4 is active in its place; a superseded version enters"
    ) as no:
        entered(store, "lc@1", "greedy")
    assert (no.value.code, no.value.field) == ("not_active", "bots")


@pytest.mark.usefixtures("ada")
def test_the_newest_is_refused_truly_where_an_older_one_was_restored(store: Store) -> None:
    of_lc = Version.bot_id == select(Bot.id).where(Bot.name == "lc").scalar_subquery()
    with store.write() as session:
        for number, state in (("4", bots.SUPERSEDED), ("1", bots.ACTIVE)):
            session.execute(update(Version).where(of_lc, Version.version == number).values(state=state))
    with pytest.raises(Refusal, match="bot lc@4: version 1 is active in its place"):
        entered(store, "lc@4", "greedy")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("lc@2", "was withdrawn; its owner can bring it back"),
        ("lc@3", "is suspended after repeated faults"),
        ("lc@5", "has failed its qualification"),
    ],
)
@pytest.mark.usefixtures("ada")
def test_versions_that_are_not_merely_superseded_are_refused_everywhere(
    store: Store, name: str, why: str
) -> None:
    with pytest.raises(Refusal, match=f"bot {name}: {why}"):
        entered(store, name, "greedy", rated=False)


@pytest.mark.usefixtures("ada")
def test_a_superseded_version_whose_files_are_deleted_is_refused(store: Store) -> None:
    with store.write() as session:
        session.execute(delete(Bundle))
    with pytest.raises(Refusal, match="bot lc@1: its files are no longer kept") as no:
        entered(store, "lc@1", "greedy", rated=False)
    assert (no.value.code, no.value.field) == ("not_kept", "bots")


def test_a_superseded_version_of_a_bot_that_runs_elsewhere_cannot_play(store: Store, ada: Actor) -> None:
    bots.add_dial_in(store, ada, "lost_cities", "away")
    with store.write() as session:
        session.execute(update(Version).where(Version.source == bots.DIAL_IN).values(state=bots.SUPERSEDED))
    with pytest.raises(
        Refusal, match="bot away@1: it runs elsewhere, where only the version that is connected"
    ):
        entered(store, "away@1", "greedy", rated=False)


def test_an_author_enters_old_versions_of_bots_of_their_own(store: Store, ada: Actor) -> None:
    page = new_tournament(store, names=(), begin="open", rated=False)
    lifecycle.enter(store, page.id, "lc@1", ada)
    lifecycle.enter(store, page.id, "lc", ada)
    with pytest.raises(Refusal, match="is not yours"):
        lifecycle.enter(store, page.id, "lc@1", person(store, "bob"))
    lifecycle.start(store, page.id, OPERATOR)
    play_on(store, alphabetical)
    assert tournaments.row(store, page.id).state == "finished"


def test_an_author_enters_no_old_version_where_it_is_rated(store: Store, ada: Actor) -> None:
    page = new_tournament(store, names=(), begin="open")
    with pytest.raises(Refusal, match="version 4 is active in its place"):
        lifecycle.enter(store, page.id, "lc@1", ada)


@pytest.mark.parametrize("rated", [True, False])
def test_what_is_superseded_between_entry_and_start_stays_only_where_it_may(
    store: Store, ada: Actor, *, rated: bool
) -> None:
    page = new_tournament(store, names=("greedy",), begin="open", rated=rated)
    lifecycle.enter(store, page.id, "lc", ada)
    with store.write() as session:
        bot_id = session.scalar(select(Bot.id).where(Bot.name == "lc"))
        session.execute(update(Version).where(Version.bot_id == bot_id).values(state=bots.SUPERSEDED))
    plans.forget(store, page.id)
    if not rated:
        lifecycle.start(store, page.id, OPERATOR)
        return
    with pytest.raises(Refusal, match="bot lc@4: it is superseded, and enters unrated tournaments"):
        lifecycle.start(store, page.id, OPERATOR)
