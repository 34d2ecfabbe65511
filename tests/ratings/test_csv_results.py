"""Reading results of anybody's matches."""

from __future__ import annotations

import pytest

from arena.core.errors import UsageError
from arena.ratings.csv_results import read
from arena.ratings.totals import UNITS_PER_POINT, PairTotal

HEADER = (
    "the header must be 'set,bots,places',"
    " and may have absent, annulled, date, end, forfeits, groups, match, scores"
)


def lines(*rows: str) -> list[str]:
    return ["set,bots,places\n", *[f"{row}\n" for row in rows]]


def test_a_win_and_a_draw_add_up() -> None:
    sheet = read(lines(",a b,1 2", ",b a,1 1"))
    assert sheet.totals == (PairTotal("a", "b", UNITS_PER_POINT * 3 // 2, UNITS_PER_POINT // 2),)
    assert sheet.matches == {"a": 2, "b": 2}


def test_matches_of_one_set_are_one_cluster_and_those_without_are_each_their_own() -> None:
    assert sum(read(lines("s,a b,1 2", "s,b a,2 1")).sets.values()) == 1
    assert sum(read(lines(",a b,1 2", ",b a,2 1")).sets.values()) == 2


def test_more_seats_count_as_all_their_pairs_with_less_weight() -> None:
    pairs = read(lines("x,a b c,1 2 2")).totals
    assert [(pair.low_units, pair.high_units) for pair in pairs] == [(210, 0), (210, 0), (105, 105)]


def test_columns_beside_may_stand_anywhere() -> None:
    sheet = read(["places,date,bots,set\n", "1 2,today,a b,s1\n"])
    assert sheet.totals == (PairTotal("a", "b", UNITS_PER_POINT, 0),)


def test_what_is_annulled_does_not_count() -> None:
    sheet = read(["set,bots,places,annulled\n", ",a b c,1 2 3,b\n", ",a b,2 1,a b\n"])
    assert sheet.totals == (PairTotal("a", "c", 210, 0),)
    assert sheet.matches == {"a": 1, "c": 1}
    assert sum(sheet.sets.values()) == 1


def test_who_forfeits_loses_to_the_others_and_nothing_else_counts() -> None:
    sheet = read(["set,bots,places,forfeits\n", ",a b c,1 1 3,c\n"])
    assert sheet.totals == (PairTotal("a", "c", 210, 0), PairTotal("b", "c", 210, 0))


def test_a_bot_that_was_always_away_has_no_rating() -> None:
    header = "set,bots,places,forfeits,absent\n"
    always = [header, ",a b,1 2,b,b\n", ",a c,1 2,,\n"]
    assert {pair.high for pair in read(always).totals} == {"c"}
    assert {pair.high for pair in read([*always, ",a b,1 2,,\n"]).totals} == {"b", "c"}


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["bots,places"], f"line 1: 'bots,places': {HEADER}"),
        (lines(",a b"), "line 2, places: is missing; must be set,bots,places"),
        (lines(",a b,1 2", "s1"), "line 3, bots: is missing; must be set,bots,places"),
        (lines(",a b,1 2,7"), "line 2, field 4 '7': is one too many; must be set,bots,places"),
        (
            lines(",a b,1 2", ",a b,1"),
            "line 3, places '1': must be 2 numbers, one for each of the bots 'a b'",
        ),
        (lines(",a,1"), "line 2, bots 'a': must be 2 to 6 names with spaces between them"),
        (lines(",a b,0 1"), "line 2, places '0 1': each must be a number from 1 to 2"),
        (lines(",a b,1 x"), "line 2, places '1 x': each must be a number from 1 to 2"),
        (lines(), "line 2: there is no match between two different bots"),
        (["set,bots,places,voided\n"], f"line 1: 'set,bots,places,voided': {HEADER}"),
        (["set,bots,places,set\n"], f"line 1: 'set,bots,places,set': {HEADER}"),
        (
            ["set,bots,places,annulled\n", ",a b,1 2,c\n"],
            "line 2, annulled 'c': must be names of the bots 'a b', or empty",
        ),
        ([], f"line 1: '': {HEADER}"),
        (lines(',"a b,1 2'), "line 2: unexpected end of data; must be set,bots,places, and quotes closed"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(rows: list[str], words: str) -> None:
    with pytest.raises(UsageError) as refusal:
        read(rows)
    assert str(refusal.value) == words
