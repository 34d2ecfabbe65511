"""Corrections: what an organiser can change of a tournament, and when; and deleting one that has not begun."""

from __future__ import annotations

from typing import Any

import pytest

from arena.accounts import audit_log
from arena.accounts.actors import OPERATOR
from arena.competition import corrections, lifecycle
from arena.competition.corrections import Correction
from arena.competition.plans import NotFound
from arena.core.errors import Refusal, UsageError
from arena.match.clock import TimeControl, parse_time_control
from arena.reports import tournaments
from arena.storage import Store
from tests.decided_matches import dial_in, new_tournament, person, play_on

BLITZ = parse_time_control("10+0.1")


def test_everything_named_is_changed_before_the_start(store: Store) -> None:
    new_tournament(store, begin="created")
    changed = Correction("Cup", "One bot an author.", 20, {"hands": 1}, BLITZ, 60)
    corrections.edit(store, 1, changed, OPERATOR)
    page = tournaments.page(store, 1)
    assert (page.name, page.description, page.priority) == ("Cup", "One bot an author.", 20)
    assert (page.options["hands"], page.time, page.delay_s) == (1, "10+0.1", 60)


def test_what_is_not_named_stays(store: Store) -> None:
    before = new_tournament(store, begin="open", description="Two rounds.")
    corrections.edit(store, 1, Correction(priority=3), OPERATOR)
    after = tournaments.page(store, 1)
    assert (after.name, after.description, after.options, after.time) == (
        before.name, "Two rounds.", before.options, before.time,
    )  # fmt: skip


def test_options_that_are_not_the_pools_end_its_rating_and_standard_ones_with_rated_bring_it_back(
    store: Store,
) -> None:
    assert new_tournament(store, begin="created").pool == "lost_cities/standard"
    corrections.edit(store, 1, Correction(options={"hands": 1}), OPERATOR)
    assert tournaments.page(store, 1).pool is None
    corrections.edit(store, 1, Correction(options={}, rated=True), OPERATOR)
    assert tournaments.page(store, 1).pool == "lost_cities/standard"


def test_matches_are_played_with_the_corrected_options(store: Store) -> None:
    new_tournament(store, begin="created", names=("greedy", "random"))
    corrections.edit(store, 1, Correction(options={"hands": 1}, time=BLITZ), OPERATOR)
    lifecycle.start(store, 1, OPERATOR)
    play_on(store)
    page = tournaments.page(store, 1)
    assert (page.state, page.options["hands"], page.time) == ("finished", 1, "10+0.1")


@pytest.mark.parametrize(
    "change", [{"name": "Cup"}, {"options": {}}, {"time": TimeControl()}, {"delay_s": 0}, {"rated": False}]
)
def test_what_results_depend_on_is_refused_once_it_has_begun(store: Store, change: dict[str, Any]) -> None:
    new_tournament(store)
    with pytest.raises(Refusal, match="has begun") as refused:
        corrections.edit(store, 1, Correction(description="new", **change), OPERATOR)
    assert (refused.value.code, refused.value.field) == ("has_begun", next(iter(change)))
    assert tournaments.page(store, 1).description == ""


def test_the_description_can_be_changed_until_it_is_over(store: Store) -> None:
    new_tournament(store)
    corrections.edit(store, 1, Correction(description=" Final at noon. "), OPERATOR)
    assert tournaments.page(store, 1).description == "Final at noon."
    play_on(store)
    with pytest.raises(Refusal, match="to edit it must be created, open, paused or running"):
        corrections.edit(store, 1, Correction(description="late"), OPERATOR)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": " "}, "name ' ': must be 1 to 200 characters"),
        ({"description": "x" * 2001}, "description of 2001 characters: must be at most 2000"),
        ({"priority": 0}, "priority 0: must be 1 to 100"),
        ({"options": {"nosuch": 1}}, "nosuch"),
        ({"delay_s": -1}, "delay"),
    ],
)
def test_a_value_that_cannot_be_is_refused_and_nothing_changes(
    store: Store, change: dict[str, Any], words: str
) -> None:
    before = new_tournament(store, begin="created")
    with pytest.raises(UsageError, match=words):
        corrections.edit(store, 1, Correction(**{"name": "Cup", **change}), OPERATOR)
    assert tournaments.page(store, 1) == before


def test_a_tournament_that_has_not_begun_is_deleted_with_its_entries(store: Store) -> None:
    new_tournament(store, begin="open")
    corrections.remove(store, 1, OPERATOR)
    with pytest.raises(NotFound):
        tournaments.page(store, 1)
    assert tournaments.listing(store) == ()
    assert audit_log.listing(store, OPERATOR)[0].action == "tournament.delete"


def test_the_number_of_a_deleted_tournament_is_not_used_again(store: Store) -> None:
    for _ in range(2):
        new_tournament(store, begin="open")
    corrections.remove(store, 2, OPERATOR)
    corrections.remove(store, 1, OPERATOR)
    assert [new_tournament(store).id for _ in range(2)] == [3, 4]


def test_one_that_has_begun_is_not_deleted(store: Store) -> None:
    new_tournament(store)
    with pytest.raises(Refusal, match="is running; to delete it must be created or open"):
        corrections.remove(store, 1, OPERATOR)


def test_an_author_withdraws_an_own_bot_after_the_start_and_its_results_stay(store: Store) -> None:
    ada = person(store, "ada")
    dial_in(store, ada, "lost_cities", "mine")
    new_tournament(store, names=("greedy", "mine", "random"))
    lifecycle.withdraw(store, 1, "mine", ada)
    page = tournaments.page(store, 1)
    assert {row.bot: row.left for row in page.entries} == {"greedy": None, "mine": "kept", "random": None}
    play_on(store)
    assert tournaments.page(store, 1).state == "finished"


def test_an_author_cannot_annul_the_results_of_an_own_bot(store: Store) -> None:
    ada = person(store, "ada")
    dial_in(store, ada, "lost_cities", "mine")
    new_tournament(store, names=("greedy", "mine", "random"))
    with pytest.raises(Refusal):
        lifecycle.withdraw(store, 1, "mine", ada, annul=True)
