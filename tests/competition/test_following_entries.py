"""Entries before the start: a bot's next active version takes the place of the one that was entered."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.competition import lifecycle
from arena.competition.qualification import verdicts
from arena.core.errors import Refusal
from arena.reports import author_overview, tournaments
from arena.storage import Store
from arena.storage.schema import Bot, Version
from tests.decided_matches import new_tournament, person, play_on, upload


def entered(store: Store, number: int = 1) -> list[tuple[str, str, bool]]:
    return [(row.bot, row.version, row.fixed) for row in tournaments.page(store, number).entries]


def accept(store: Store, version: str, bot: str = "mine") -> None:
    """Make a version the active one, as a qualification does."""
    with store.write() as session:
        found = session.scalars(select(Bot).where(Bot.name == bot).with_for_update()).one()
        row = session.scalars(
            select(Version).where(Version.bot_id == found.id, Version.version == version)
        ).one()
        verdicts.activate(session.connection(), found.id, row.id, over_newer=False)


@pytest.fixture
def ada(store: Store) -> Actor:
    """An author whose second version waits for its qualification."""
    actor = person(store, "ada")
    upload(store, actor, "mine", states=(bots.ACTIVE, bots.WAITING))
    return actor


def new_cup(store: Store, names: tuple[str, ...] = (), **spec: Any) -> int:
    return new_tournament(store, names=names, **{"begin": "open", **spec}).id


def test_a_new_active_version_takes_the_place_of_the_one_entered(store: Store, ada: Actor) -> None:
    number = new_cup(store, ("greedy",))
    lifecycle.enter(store, number, "mine", ada)
    assert entered(store) == [("greedy", "1", False), ("mine", "1", False)]
    accept(store, "2")
    assert entered(store) == [("greedy", "1", False), ("mine", "2", False)]
    (own,) = author_overview.entered(store, ada, "lost_cities", "mine")
    assert own.version == "2"
    lifecycle.start(store, number, OPERATOR)
    play_on(store)
    assert {(row.bot, row.version) for row in tournaments.page(store, number).standings} == {
        ("greedy", "1"),
        ("mine", "2"),
    }


def test_what_has_begun_keeps_its_version(store: Store, ada: Actor) -> None:
    number = new_cup(store, ("greedy", "mine"))
    lifecycle.start(store, number, OPERATOR)
    accept(store, "2")
    assert entered(store)[1] == ("mine", "1", False)


def test_an_entry_that_names_its_version_keeps_it(store: Store, ada: Actor) -> None:
    created = new_cup(store, ("greedy", "mine@1"), rated=False)
    entered_later = new_cup(store, ("greedy",), rated=False)
    lifecycle.enter(store, entered_later, "mine@1", ada)
    accept(store, "2")
    for number in (created, entered_later):
        assert entered(store, number)[1] == ("mine", "1", True)
        lifecycle.start(store, number, OPERATOR)


def test_entering_a_bot_again_makes_no_second_entry(store: Store, ada: Actor) -> None:
    number = new_cup(store, ("greedy", "mine@1"))
    with pytest.raises(Refusal, match="mine@1: is entered already"):
        lifecycle.enter(store, number, "mine", ada)
    accept(store, "2")
    lifecycle.enter(store, number, "mine", ada)
    assert entered(store) == [("greedy", "1", False), ("mine", "2", False)]


def test_two_versions_of_a_bot_may_meet_where_they_are_compared(store: Store, ada: Actor) -> None:
    number = new_cup(store, ("mine@1",), rated=False)
    accept(store, "2")
    lifecycle.enter(store, number, "mine", ada)
    assert entered(store) == [("mine", "1", True), ("mine", "2", False)]


def test_a_version_that_is_entered_already_is_not_entered_twice(store: Store, ada: Actor) -> None:
    with store.write() as session:
        row = session.scalars(select(Version).where(Version.state == bots.WAITING)).one()
        row.state, row.qualified = bots.SUPERSEDED, True
    number = new_cup(store, ("mine", "mine@2"), rated=False)
    accept(store, "2")
    assert entered(store, number) == [("mine", "1", False), ("mine", "2", True)]


def test_the_start_names_all_that_is_in_the_way(store: Store, ada: Actor) -> None:
    number = new_cup(store, ("mine", "greedy"))
    with store.write() as session:
        for name in ("mine", "greedy"):
            bot_id = select(Bot.id).where(Bot.name == name, Bot.game == "lost_cities").scalar_subquery()
            row = session.scalars(
                select(Version).where(Version.bot_id == bot_id, Version.state == bots.ACTIVE)
            ).one()
            row.state = bots.WITHDRAWN if name == "mine" else bots.SUSPENDED
    with pytest.raises(Refusal) as refused:
        lifecycle.start(store, number, OPERATOR)
    assert "bot mine@1: " in str(refused.value)
    assert "bot greedy@1: " in str(refused.value)
    assert tournaments.page(store, number).state == "open"
