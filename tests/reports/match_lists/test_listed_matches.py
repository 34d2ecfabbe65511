"""What lists tell of matches beside their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.match.drama import NO_DRAMA, Drama
from arena.reports import match_views
from arena.reports.insights import stored_dramas
from arena.reports.match_lists import listed_matches
from tests import random_tournaments

if TYPE_CHECKING:
    from arena.reports.match_lists.listed_matches import ListedMatch
    from arena.storage import Store

THREE = Drama((3, 8, 11), 5, 8, 2, 4, 9)
NO_CHANGE = Drama((), 5, 8, 2, 4, 9)


def first_set(store: Store, *, delay_s: int = 0, drama: Drama | None = None) -> tuple[ListedMatch, ...]:
    """List the two matches of a set that is over, with a drama or unmeasured."""
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1, delay_s=delay_s).id
    random_tournaments.play(store, number, limit=2)
    if drama is not None:
        stored_dramas.save(store, {(number, 0, match): drama for match in (0, 1)})
    return listed_matches.read(store, match_views.of_tournament(store, number, 0, 1))


def told(rows: tuple[ListedMatch, ...]) -> set[tuple[int | None, bool]]:
    return {(row.lead_changes, row.unmeasured) for row in rows}


def test_lead_changes_are_counted(store: Store) -> None:
    assert told(first_set(store, drama=THREE)) == {(3, False)}


def test_match_without_lead_changes_has_none(store: Store) -> None:
    assert told(first_set(store, drama=NO_CHANGE)) == {(0, False)}


def test_open_match_is_to_be_measured_once(store: Store) -> None:
    assert told(first_set(store)) == {(None, True)}


def test_match_whose_scores_cannot_be_followed_is_not_measured_again(store: Store) -> None:
    assert told(first_set(store, drama=NO_DRAMA)) == {(None, False)}


def test_match_that_is_not_open_tells_nothing(store: Store) -> None:
    rows = first_set(store, delay_s=3600, drama=THREE)
    assert {row.state for row in rows} == {"hidden"}
    assert told(rows) == {(None, False)}
    assert {(row.margin, row.upset) for row in rows} == {(None, None)}
