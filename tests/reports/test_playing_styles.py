"""Playing styles of bots: what is counted, what is compared, which matches stand out, and what stays hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from arena.match.seat_measures import PhaseTime, SeatMeasures
from arena.reports.insights import open_matches, stored_styles
from arena.reports.insights.playing_style import (
    MeasuredMatch,
    TraitRange,
    TraitValue,
    measure_average,
    measure_style,
    stands_out,
)
from arena.reports.match_details import MatchRow, SeatRow
from arena.storage.schema import Bot, StoredStyle, Version
from tests import random_tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.storage import Store

NO_TIME = (PhaseTime(0, 0.0),) * 3


def match(number: int, scores: Mapping[str, int], *, starts: float = 1.0) -> MeasuredMatch:
    """A match of bots with these scores, each of which started so many expeditions in one hand."""
    places = [1 + sum(other > score for other in scores.values()) for score in scores.values()]
    seats = tuple(
        SeatRow(seat, bot, bot, "1", verified=True, place=place, score=score)
        for seat, ((bot, score), place) in enumerate(zip(scores.items(), places, strict=True))
    )
    row = MatchRow(
        1, "Cup", "lost_cities", number, 0, f"m{number}", "finished", "completed", seats, 0.0, None
    )
    measures = tuple(
        SeatMeasures(score, {"expeditions": (starts if bot == "ada" else 3.0, 1.0)}, NO_TIME)
        for bot, score in scores.items()
    )
    return MeasuredMatch(row, measures)


def test_trait_is_the_quotient_of_its_sums() -> None:
    found = [match(0, {"ada": 1, "bob": 2}, starts=1), match(1, {"bob": 1, "ada": 2}, starts=4)]
    assert measure_style("ada", "1", found, {}).traits["expeditions"].value == 2.5


def test_other_version_of_the_bot_is_another_bot() -> None:
    style = measure_style("ada", "2", [match(0, {"ada": 1, "bob": 2})], {})
    assert (style.matches, style.scores) == (0, ())


def test_each_bot_counts_once_for_the_average() -> None:
    found = [match(0, {"ada": 1, "bob": 2}), match(1, {"eve": 1, "bob": 2}), match(2, {"eve": 1, "bob": 2})]
    average = measure_average(found).traits["expeditions"]
    assert average == TraitRange(average.average, 1.0, 3.0)
    assert average.average == pytest.approx((1 + 3 + 3) / 3)


@pytest.mark.parametrize(
    ("value", "error", "expected"),
    [(3.0, 0.2, 0.5), (1.0, 0.2, -0.5), (3.0, 1.5, 0.0), (2.3, 0.1, 0.0)],
)
def test_only_what_is_clear_and_large_stands_out(value: float, error: float, expected: float) -> None:
    assert stands_out(TraitValue(value, error), TraitRange(2.0, 1.0, 3.0)) == expected


def test_nothing_stands_out_where_there_is_nobody_to_compare_with() -> None:
    assert stands_out(TraitValue(9.0, 0.1), None) == 0.0


def test_best_and_worst_matches_have_their_reasons() -> None:
    found = [
        match(0, {"ada": 90, "bob": 10}),
        match(1, {"ada": 95, "bob": 94}),
        match(2, {"ada": 30, "eve": 20}),
        match(3, {"ada": 20, "bob": 80}),
        match(4, {"ada": 5, "bob": 9}),
        match(5, {"zoe": 41, "ada": 40}),
    ]
    elo = {(bot, "1"): value for bot, value in {"ada": 1500, "bob": 1500, "eve": 1700, "zoe": 1300}.items()}
    style = measure_style("ada", "1", found, elo)
    assert [(each.set, each.kind, each.number, each.opponents) for each in style.best] == [
        (0, "margin", 80, ("bob",)),
        (1, "score", 95, ("bob",)),
        (2, "opponent", 0, ("eve",)),
    ]
    assert [(each.set, each.kind, each.number, each.opponents) for each in style.worst] == [
        (3, "margin", 60, ("bob",)),
        (4, "score", 5, ("bob",)),
        (5, "opponent", 0, ("zoe",)),
    ]


def test_bot_that_always_wins_has_no_lost_match() -> None:
    style = measure_style("ada", "1", [match(0, {"ada": 9, "bob": 1})], {})
    assert [each.kind for each in style.worst] == ["score"]


def test_seats_are_told_apart() -> None:
    found = [match(0, {"ada": 9, "bob": 1}), match(1, {"bob": 5, "ada": 1}), match(2, {"bob": 5, "ada": 5})]
    style = measure_style("ada", "1", found, {})
    assert [(each.seat, each.matches, each.share, each.score) for each in style.seats] == [
        (0, 1, 1.0, 9.0),
        (1, 2, 0.25, 3.0),
    ]


def test_match_that_a_fault_ended_says_nothing_of_the_style() -> None:
    spoilt = match(0, {"ada": 9, "bob": 1})
    row = replace(
        spoilt.row,
        end="fault",
        seats=tuple(replace(seat, score=None, place=2 - seat.seat) for seat in spoilt.row.seats),
    )
    measures = tuple(SeatMeasures(None, {}, NO_TIME) for _ in spoilt.measures)
    style = measure_style("ada", "1", [MeasuredMatch(row, measures)], {})
    assert (style.matches, style.faults, style.measured, style.traits) == (1, 1, 0, {})


def version_of(store: Store, name: str) -> int:
    with store.read() as session:
        query = (
            select(Version.id)
            .join(Bot, Bot.id == Version.bot_id)
            .where(Bot.name == name, Bot.game == "lost_cities")
        )
        return session.scalars(query).one()


def nothing() -> None:
    pass


def test_only_open_matches_are_counted(store: Store) -> None:
    bots = ["random", "greedy", "cautious"]
    number = random_tournaments.create(store, "lost_cities", *bots).id
    random_tournaments.play(store, number, limit=3)  # set 1 has one result of two: it is not open
    of_bots = [open_matches.of_version(store, version_of(store, bot), "standard", nothing) for bot in bots]
    assert sorted((each.row.set, each.row.match) for found in of_bots for each in found) == [
        (0, 0),
        (0, 0),
        (0, 1),
        (0, 1),
    ]
    assert {each.row.set for each in open_matches.of_pool(store, "lost_cities", "standard", nothing)} == {0}


def test_matches_that_a_delay_hides_are_not_counted(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", delay_s=3600).id
    random_tournaments.play(store, number)
    assert open_matches.of_version(store, version_of(store, "greedy"), "standard", nothing) == ()
    assert open_matches.of_pool(store, "lost_cities", "standard", nothing) == ()


def test_style_is_measured_once_and_again_when_more_was_played(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy").id
    random_tournaments.play(store, number)
    version = version_of(store, "greedy")
    assert stored_styles.load(store, version, "lost_cities", "standard", 2).is_due
    assert stored_styles.draw(store, version, "standard")
    assert not stored_styles.draw(store, version, "standard")
    shown = stored_styles.load(store, version, "lost_cities", "standard", 2)
    assert shown.style is not None
    assert shown.average is not None
    assert (shown.style.matches, shown.average.bots, shown.is_due) == (2, 2, False)
    with store.write() as session:
        row = session.get_one(StoredStyle, f"version/{version}/standard")
        row.measured_at -= 600
    assert not stored_styles.load(store, version, "lost_cities", "standard", 2).is_due
    assert stored_styles.load(store, version, "lost_cities", "standard", 6).is_due


def test_style_that_another_release_stored_is_measured_again(store: Store) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy").id
    random_tournaments.play(store, number, limit=2)
    version = version_of(store, "greedy")
    with store.write() as session:
        session.add(
            StoredStyle(subject=f"version/{version}/standard", results=2, measured_at=4e9, data='{"new": 1}')
        )
    shown = stored_styles.load(store, version, "lost_cities", "standard", 2)
    assert (shown.style, shown.is_due) == (None, True)


@pytest.mark.parametrize(("version", "variant"), [(999, "standard"), (1, "nonsense")])
def test_style_of_nothing_is_not_measured(store: Store, version: int, variant: str) -> None:
    random_tournaments.create(store, "lost_cities", "random", "greedy")
    assert not stored_styles.draw(store, version, variant)
