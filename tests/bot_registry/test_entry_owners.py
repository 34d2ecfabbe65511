"""Owners: a rated table has at most one bot of an owner."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from arena.accounts.actors import OPERATOR, Actor
from arena.competition import creation, ladders, lifecycle, plans
from arena.competition.drafts import TournamentSpec
from arena.competition.estimates import estimate
from arena.competition.ladders import LadderRequest
from arena.core.errors import Refusal
from arena.reports import tournaments
from arena.storage import Store
from arena.storage.schema import Entry, PairTotal
from tests.decided_matches import new_tournament, person, play, play_on, upload
from tests.reports.test_tournament_archive import files_of, play_whole, verdict, written

GAME = "land_unter"


def owned(store: Store, game: str = GAME) -> Actor:
    """Add two bots of ada's and two of bob's beside those of the house; returns ada."""
    ada, bob = person(store, "ada"), person(store, "bob")
    for actor in (ada, bob):
        for number in (1, 2):
            upload(store, actor, f"{actor.name}{number}", game)
    return ada


def tables(store: Store, tournament_id: int = 1) -> list[set[str]]:
    with store.read() as session:
        stored = plans.load(store, session, tournament_id)
    return [{stored.entries[entry].bot for entry in table} for table in stored.plan.schedule]


def together(table: set[str]) -> bool:
    return {"ada1", "ada2"} <= table or {"bob1", "bob2"} <= table


ENTERED = ("ada1", "bob1", "greedy", "ada2", "random", "bob2", "rusher")


@pytest.mark.parametrize("form", ["round-robin", "gauntlet"])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_no_rated_table_has_two_bots_of_one_owner(store: Store, form: str, seats: int) -> None:
    owned(store)
    names = ENTERED if form == "round-robin" else ("counter", *ENTERED)
    page = new_tournament(store, GAME, names, seats=seats, format=form)
    assert page.pool is not None
    assert {name for table in tables(store) for name in table} == set(names)
    assert not any(map(together, tables(store)))


def test_unrated_tables_seat_everybody_with_everybody(store: Store) -> None:
    owned(store)
    new_tournament(store, GAME, ENTERED, seats=3, rated=False)
    assert any(map(together, tables(store)))


def test_a_rated_tournament_that_cannot_be_seated_so_is_refused_with_the_remedy(store: Store) -> None:
    owned(store)
    spec = TournamentSpec(GAME, ("ada1", "ada2", "bob1", "bob2"), seats=3)
    for attempt in (creation.create, estimate):
        with pytest.raises(Refusal, match=r"have 2 owners.* make the tournament unrated") as refused:
            attempt(store, spec, OPERATOR)
        assert (refused.value.code, refused.value.field) == ("one_owner", "bots")
    assert tournaments.listing(store) == ()
    assert new_tournament(store, GAME, spec.bots, seats=3, rated=False).matches_total == 12


def test_a_rated_gauntlet_of_three_seats_refuses_bots_of_the_owner_of_its_first(store: Store) -> None:
    owned(store)
    with pytest.raises(Refusal, match="the owner of the first has others in the field"):
        new_tournament(store, GAME, ("ada1", "greedy", "random", "ada2"), seats=3, format="gauntlet")


def test_what_cannot_be_seated_is_refused_at_the_start_of_one_that_was_open(store: Store) -> None:
    owned(store)
    page = new_tournament(store, GAME, (), seats=3, begin="open")
    for name in ("ada1", "ada2", "bob1"):
        lifecycle.enter(store, page.id, name, OPERATOR)
    with pytest.raises(Refusal, match="have 2 owners"):
        lifecycle.start(store, page.id, OPERATOR)
    lifecycle.enter(store, page.id, "greedy", OPERATOR)
    lifecycle.start(store, page.id, OPERATOR)
    assert not any(map(together, tables(store)))


def test_at_two_seats_bots_of_one_owner_meet_and_count_for_no_elo(store: Store) -> None:
    owned(store, "lost_cities")
    page = new_tournament(store, "lost_cities", ("ada1", "ada2", "greedy"))
    assert page.own_pairs
    play(store, 1)
    with store.read() as session:
        count = select(func.count()).where(PairTotal.scope.startswith("pool"))
        assert session.scalar(count) == 2
    assert [row.matches for row in tournaments.page(store, 1).standings] == [4, 4, 4]
    assert not new_tournament(store, "lost_cities", ("ada1", "bob1", "greedy")).own_pairs


@pytest.mark.parametrize(("game", "seats"), [("lost_cities", 2), (GAME, 3)])
def test_a_ladder_seats_no_two_bots_of_one_owner_together(
    store: Store, tmp_path: Path, game: str, seats: int
) -> None:
    owned(store, game)
    ladder = ladders.start(store, LadderRequest(game, seats=seats, rest_s=0.0), OPERATOR)
    for now in range(1, 4):
        assert ladders.advance(store, float(now))
        play_whole(store)
        upload(store, person(store, f"late{now}"), f"ada{2 + now}", game)
    assert len(tables(store)) > 10
    assert not any(map(together, tables(store)))
    ladders.stop(store, ladder.id, OPERATOR)
    ladders.advance(store, 1e10)
    verdict(tmp_path, files_of(written(store, 1)))


def test_an_owner_keeps_a_number_in_a_ladder_whoever_enters_later(store: Store) -> None:
    ada = owned(store)
    ladders.start(store, LadderRequest(GAME, seats=3, rest_s=0.0), OPERATOR)
    ladders.advance(store, 1.0)
    play_on(store)
    upload(store, ada, "ada3", GAME)
    ladders.advance(store, 2.0)
    with store.read() as session:
        stored = plans.load(store, session, 1)
        rows = session.scalars(select(Entry.owner_group).order_by(Entry.number)).all()
    assert tuple(rows) == stored.terms.groups
    by_name = {entry.bot: group for entry, group in zip(stored.entries, stored.terms.groups, strict=True)}
    assert by_name["ada1"] == by_name["ada2"] == by_name["ada3"] != by_name["bob1"] == by_name["bob2"]
    assert by_name["greedy"] is None


def test_a_ladder_with_too_few_owners_draws_nothing(store: Store) -> None:
    owned(store)
    with store.write() as session:
        session.connection().exec_driver_sql(
            "UPDATE version SET state = 'withdrawn' WHERE program LIKE 'house:%%'"
        )
    ladders.start(store, LadderRequest(GAME, seats=3, rest_s=0.0), OPERATOR)
    ladders.advance(store, 1.0)
    assert tables(store) == []


def test_an_epoch_that_an_older_version_began_ends_and_the_next_is_by_the_new_rules(store: Store) -> None:
    owned(store)
    ladders.start(store, LadderRequest(GAME, seats=3, rest_s=0.0), OPERATOR)
    ladders.advance(store, 1.0)
    play_on(store)
    with store.write() as session:
        session.connection().exec_driver_sql("UPDATE tournament SET plan_version = 1")
    plans.forget(store, 1)
    ladders.advance(store, 2.0)
    assert tournaments.row(store, 1).state == "finished"
    ladders.advance(store, 3.0)
    assert tournaments.row(store, 2).state == "running"
