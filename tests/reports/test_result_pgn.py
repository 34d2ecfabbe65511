"""Results as PGN: what Ordo's reader and one of the standard's grammar find in them, and what is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from arena.accounts.actors import OPERATOR
from arena.competition import lifecycle
from arena.core.errors import Refusal
from arena.reports import tournaments
from arena.reports.match_lists import result_pgn
from arena.storage import Store
from tests.decided_matches import new_tournament, play_on
from tests.reports.test_tournament_archive import play_whole

Game = tuple[str, str, str]
_RESULTS = ("1-0", "0-1", "1/2-1/2", "=-=", "*")
_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]')
_HEAD = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]


def read_as_ordo_does(text: str) -> Iterator[Game]:
    """Search each line for the three tags, wherever in it they are; a game is complete when all have been found.

    These are the rules of `fpgnscan` in Ordo's pgnget.c: lines of less than 40,000 bytes, names of less than 1,024, the first `"]` ends a value,
    a tag without it and a result other than its five are errors.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        assert len(line.encode()) < 40_000
        for tag in ("White", "Black", "Result"):
            begin, end = line.find(f'[{tag} "'), line.find('"]')
            if begin >= 0:
                assert end >= 0, f"parsing error: {line}"
                found[tag] = line[begin + len(tag) + 3 : end]
                assert len(found[tag].encode()) < 1_024
        if len(found) == 3:
            assert found["Result"] in _RESULTS
            yield found["White"], found["Black"], found["Result"]
            found = {}
    assert not found


def read_by_the_standard(text: str) -> Iterator[dict[str, str]]:
    """Read tag pairs, an empty line, a movetext that is only the result, and an empty line (PGN, sections 8.1 and 8.2.6)."""
    assert text.endswith("\n\n")
    parts = iter(text[:-2].split("\n\n"))
    for tags in parts:
        pairs = [_TAG.fullmatch(line) for line in tags.split("\n")]
        assert all(pairs), tags
        game = {pair[1]: re.sub(r"\\(.)", r"\1", pair[2]) for pair in pairs if pair}
        assert list(game) == _HEAD
        assert next(parts) == game["Result"]
        yield game


def points(games: Iterator[Game]) -> dict[str, float]:
    """Add up the points by name."""
    sums: Counter[str] = Counter()
    for white, black, result in games:
        won = {"1-0": 2, "0-1": 0, "1/2-1/2": 1}[result]
        sums.update({white: won, black: 2 - won})
    return {name: halves / 2 for name, halves in sums.items()}


def test_two_readers_find_the_points_of_the_table(store: Store) -> None:
    number = new_tournament(store, options={"hands": 1}, cycles=2).id
    play_whole(store)
    text = result_pgn.of_results(store, number)
    page = tournaments.page(store, number)
    games = list(read_as_ordo_does(text))
    assert len(games) == page.matches_total
    assert points(iter(games)) == {f"{row.bot}@{row.version}": row.points for row in page.standings}
    read = list(read_by_the_standard(text))
    assert [(game["White"], game["Black"], game["Result"]) for game in read] == games
    assert all(re.fullmatch(r"\d{4}\.\d\d\.\d\d", game["Date"]) for game in read)
    assert len({game["Round"] for game in read}) == len(games)


def test_each_bot_is_white_as_often_as_black(store: Store) -> None:
    number = new_tournament(store, options={"hands": 1}).id
    play_on(store)
    games = list(read_as_ordo_does(result_pgn.of_results(store, number)))
    assert Counter(white for white, _, _ in games) == Counter(black for _, black, _ in games)


def test_equal_places_are_a_draw(store: Store) -> None:
    number = new_tournament(store).id
    play_on(store, lambda _match: [1, 1])
    assert {result for _, _, result in read_as_ordo_does(result_pgn.of_results(store, number))} == {"1/2-1/2"}


@pytest.mark.parametrize(
    "name", ['[White "evil"]', 'a"]', "back\\", '"', 'x [Result "0-1"] [Black "y"]', "Copa de otoño ½"]
)
def test_no_name_of_a_tournament_becomes_a_tag(store: Store, name: str) -> None:
    number = new_tournament(store, name=name).id
    play_on(store)
    text = result_pgn.of_results(store, number)
    assert {name for white, black, _ in read_as_ordo_does(text) for name in (white, black)} == {
        "greedy@1",
        "random@1",
        "rusher@1",
    }
    assert {game["Event"] for game in read_by_the_standard(text)} == {name}


def test_annulled_results_are_left_out(store: Store) -> None:
    number = new_tournament(store, options={"hands": 1}, cycles=40).id
    play_whole(store, most=2)
    lifecycle.withdraw(store, number, "greedy", OPERATOR, annul=True)
    play_on(store)
    games = list(read_as_ordo_does(result_pgn.of_results(store, number)))
    assert games
    assert {name for white, black, _ in games for name in (white, black)} == {"random@1", "rusher@1"}


def test_a_tournament_that_has_not_begun_has_no_games(store: Store) -> None:
    assert result_pgn.of_results(store, new_tournament(store).id) == ""


def test_more_seats_are_refused_with_a_sentence(store: Store) -> None:
    number = new_tournament(store, "land_unter", seats=3).id
    with pytest.raises(
        Refusal, match=f"format pgn: PGN has two players, and tournament {number} is played at 3 seats"
    ):
        result_pgn.of_results(store, number)
