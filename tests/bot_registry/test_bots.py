"""Bots: registering and finding them."""

from __future__ import annotations

import threading
from hashlib import sha256

import pytest

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.core.errors import Refusal, UsageError
from arena.storage import Store

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


def test_a_version_that_there_is_not_is_refused_with_those_there_are(store: Store) -> None:
    bots.register_house(store, HOUSE)
    with pytest.raises(UsageError, match="bot 'greedy': has no version '2'; lost_cities has 1"):
        bots.find(store, "lost_cities", "greedy@2")


def test_a_bot_of_another_game_is_refused_with_the_games_it_plays(store: Store) -> None:
    bots.register_house(store, {**HOUSE, "land_unter": ("hoarder",)})
    with pytest.raises(
        Refusal, match="bot 'hoarder': does not play lost_cities; it plays land_unter"
    ) as found:
        bots.find(store, "lost_cities", "hoarder")
    assert found.value.code == "other_game"


@pytest.mark.parametrize("name", ["gredy", "", "@1"])
def test_an_unknown_bot_is_refused_with_the_names_there_are(store: Store, name: str) -> None:
    bots.register_house(store, HOUSE)
    with pytest.raises(UsageError) as raised:
        bots.find(store, "lost_cities", name)
    assert str(raised.value) == f"bot {name!r}: lost_cities has greedy, random"


def test_a_game_without_bots_says_where_they_come_from(store: Store) -> None:
    with pytest.raises(UsageError, match=r"no bots yet; `arena up`"):
        bots.find(store, "lost_cities", "greedy")


def test_a_dial_in_bot_is_admitted_with_the_hash_of_its_token(store: Store) -> None:
    made = bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    assert len(made.token_id) == 16
    assert bots.admitted(store) == {made.token_id: sha256(made.token.encode()).digest()}
    found = bots.find(store, "lost_cities", "alice")
    assert (found.version, found.source, found.program, found.hosted) == ("1", "dial_in", "", False)


def test_a_new_token_takes_the_place_of_the_old_one(store: Store) -> None:
    old = bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    new = bots.renew_token(store, OPERATOR, "lost_cities", "alice")
    assert new.token_id != old.token_id
    assert bots.admitted(store) == {new.token_id: sha256(new.token.encode()).digest()}


def test_a_revoked_token_is_admitted_no_longer(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    assert bots.revoke_token(store, OPERATOR, "lost_cities", "alice")
    assert not bots.revoke_token(store, OPERATOR, "lost_cities", "alice")
    assert bots.admitted(store) == {}
    assert bots.renew_token(store, OPERATOR, "lost_cities", "alice").token_id in bots.admitted(store)


def test_an_endpoint_has_an_address_and_no_token(store: Store) -> None:
    added = bots.add_endpoint(store, OPERATOR, "lost_cities", "bob", "bots.example.org:7001", "sesame")
    assert (added.source, added.program, added.hosted) == ("endpoint", "bots.example.org:7001", False)
    assert bots.admitted(store) == {}


def test_an_endpoint_may_be_on_this_machine_if_the_operator_allows_it(store: Store) -> None:
    added = bots.add_endpoint(store, OPERATOR, "lost_cities", "bob", "localhost:7001", private=True)
    assert added.program == "localhost:7001"


def test_no_value_of_a_bot_holds_its_secret(store: Store) -> None:
    bots.add_endpoint(store, OPERATOR, "lost_cities", "bob", "bots.example.org:7001", "sesame")
    assert "sesame" not in str(bots.listing(store))


def test_bots_of_different_games_may_have_one_name(store: Store) -> None:
    bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
    bots.add_dial_in(store, OPERATOR, "land_unter", "alice")
    assert len(bots.admitted(store)) == 2


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("chess", "alice", "bots:1", None), "game 'chess': this arena has"),
        (("lost_cities", "Alice", "bots:1", None), "bot 'Alice': must be 1 to 40 lower-case letters"),
        (("lost_cities", "a@1", "bots:1", None), "bot 'a@1': must be"),
        (("lost_cities", "", "bots:1", None), "bot '': must be"),
        (("lost_cities", "a" * 41, "bots:1", None), "must be 1 to 40"),
        (("lost_cities", "greedy", "bots:1", None), "bot 'greedy': lost_cities has one of that name"),
        (("lost_cities", "alice", "bots", None), "address 'bots': must be HOST:PORT"),
        (("lost_cities", "alice", "bots:0", None), "address 'bots:0': must be HOST:PORT"),
        (("lost_cities", "alice", "bots:65536", None), "must be HOST:PORT"),
        (("lost_cities", "alice", "a b:1", None), "must be HOST:PORT"),
        (
            ("lost_cities", "alice", "localhost:1", None),
            "address 'localhost:1': is not public (this machine)",
        ),
        (("lost_cities", "alice", "10.0.0.7:1", None), "address '10.0.0.7:1': is not public (private)"),
        (
            ("lost_cities", "alice", "unix:/run/x", None),
            "is a Unix socket; give one that everybody can reach",
        ),
        (("lost_cities", "alice", "bots:1", ""), "secret of 0 characters: must be 1 to 200"),
        (("lost_cities", "alice", "bots:1", "two\nlines"), "secret of 9 characters"),
        (("lost_cities", "alice", "bots:1", "ä"), "of ASCII"),
    ],
)
def test_what_cannot_be_a_bot_is_refused_and_not_added(
    store: Store, given: tuple[str, str, str, str | None], says: str
) -> None:
    bots.register_house(store, HOUSE)
    before = bots.listing(store)
    with pytest.raises(UsageError) as raised:
        bots.add_endpoint(store, OPERATOR, *given)
    assert says in str(raised.value)
    assert bots.listing(store) == before


def test_of_many_who_add_a_name_at_once_one_has_it(store: Store) -> None:
    added: list[bool] = []

    def add() -> None:
        try:
            bots.add_dial_in(store, OPERATOR, "lost_cities", "alice")
        except UsageError:
            added.append(False)
        else:
            added.append(True)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(added) == [False, False, False, True]
    assert len(bots.admitted(store)) == 1


def test_only_a_bot_that_dials_in_has_a_token(store: Store) -> None:
    bots.register_house(store, HOUSE)
    for act in (bots.renew_token, bots.revoke_token):
        with pytest.raises(UsageError, match=r"bot 'greedy': is hosted; only a bot that dials in"):
            act(store, OPERATOR, "lost_cities", "greedy")
