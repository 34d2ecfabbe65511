"""Bots: registering and finding them."""

from __future__ import annotations

import pytest

from arena.errors import UsageError
from arena.services import bots
from arena.store import Store

HOUSE = {"lost_cities": ["greedy", "random"], "land_unter": ["greedy"]}


def test_a_house_bot_is_found_with_the_program_that_starts_it(store: Store) -> None:
    bots.register_house(store, HOUSE)
    found = bots.find(store, "land_unter", "greedy")
    assert (found.bot, found.version, found.game) == ("greedy", "1", "land_unter")
    assert found.program == "house:land_unter/greedy"
    assert found.hosted


def test_registering_again_keeps_the_versions_there_are(store: Store) -> None:
    bots.register_house(store, HOUSE)
    before = bots.listing(store)
    bots.register_house(store, {**HOUSE, "land_unter": ["greedy", "counter"]})
    assert [bot for bot in bots.listing(store) if bot.bot != "counter"] == list(before)


def test_the_list_of_one_game_names_its_bots(store: Store) -> None:
    bots.register_house(store, HOUSE)
    assert [bot.bot for bot in bots.listing(store, "lost_cities")] == ["greedy", "random"]


def test_a_version_can_be_named(store: Store) -> None:
    bots.register_house(store, HOUSE)
    assert bots.find(store, "lost_cities", "greedy@1") == bots.find(store, "lost_cities", "greedy")


@pytest.mark.parametrize("name", ["gredy", "greedy@2", "", "@1"])
def test_an_unknown_bot_is_refused_with_the_names_there_are(store: Store, name: str) -> None:
    bots.register_house(store, HOUSE)
    with pytest.raises(UsageError) as raised:
        bots.find(store, "lost_cities", name)
    assert str(raised.value) == f"bot {name!r}: lost_cities has greedy, random"


def test_a_game_without_bots_says_where_they_come_from(store: Store) -> None:
    with pytest.raises(UsageError, match=r"no bots yet; `arena up`"):
        bots.find(store, "lost_cities", "greedy")
