"""The house bots play whole matches, alike each time, and by rules that are better than chance."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from itertools import product

import pytest

from arena.games.kernel import ENDS, Result
from arena.games.registry import GAMES
from arena.sdk import practise
from bots.catalogue import house_bot, house_bots
from bots.search import ITERATIONS

BOTS = [(game, name) for game in GAMES for name in house_bots(game)]
SEEDS = tuple(sha256(bytes((number,))).digest() for number in range(12))


@pytest.fixture(autouse=True)
def search_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ITERATIONS, "1")


def play(game: str, names: list[str], seed: bytes, *, short: bool = False) -> Result:
    """Play a match; a short one is one hand or round."""
    known = GAMES[game].options(next(iter(GAMES[game].variants)), len(names))
    options = {option.name: 1 for option in known if short and option.name in {"hands", "rounds"}}
    return practise(game, [house_bot(game, name) for name in names], seed=seed, options=options)


def seats(game: str) -> int:
    return next(iter(GAMES[game].variants.values()))[0]


@pytest.mark.parametrize("game", GAMES)
def test_game_has_random_greedy_search_and_two_more(game: str) -> None:
    assert {"random", "greedy", "search"} < set(house_bots(game))
    assert len(house_bots(game)) >= 5


@pytest.mark.parametrize(("game", "name"), BOTS)
def test_bot_declares_its_name_and_game(game: str, name: str) -> None:
    bot = house_bot(game, name)
    assert (bot.name, bot.games) == (name, () if name == "random" else (game,))
    # Who searches uses the time of its clock, and so plays one match at a time.
    assert bot.matches_at_once == (1 if name == "search" else 64)


@pytest.mark.parametrize(("game", "name"), BOTS)
def test_bot_plays_whole_matches_against_each_other_one(game: str, name: str) -> None:
    for other, seed in product(house_bots(game), SEEDS[:2]):
        result = play(game, [name, *[other] * (seats(game) - 1)], seed, short=True)
        assert result.end in ENDS


@pytest.mark.parametrize(("game", "name"), BOTS)
def test_bot_plays_the_same_match_again(game: str, name: str) -> None:
    table = [name, *["random"] * (seats(game) - 1)]
    assert play(game, table, SEEDS[0], short=True) == play(game, table, SEEDS[0], short=True)


@pytest.mark.parametrize(
    ("game", "count"), [(g, n) for g in GAMES for n in next(iter(GAMES[g].variants.values()))]
)
def test_bots_fill_a_table_of_any_size(game: str, count: int) -> None:
    bots = house_bots(game)
    table = [bots[seat % len(bots)] for seat in range(count)]
    assert len(play(game, table, SEEDS[0]).scores) == count


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(*each, marks=[pytest.mark.long] if each[1] == "search" else [])
        for each in BOTS
        if each[1] != "random"
    ],
)
def test_bot_of_any_style_beats_random(game: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ITERATIONS, "40")
    rivals = seats(game) - 1
    seeds = SEEDS[:3] if name == "search" else SEEDS
    places = [play(game, [name, *["random"] * rivals], seed).places for seed in seeds]
    assert sum(each[0] == 1 for each in places) > 1.5 * len(seeds) / seats(game)


def test_unknown_bot_is_named_with_those_there_are() -> None:
    with pytest.raises(LookupError, match=r"'deep'.*greedy"):
        house_bot("lost_cities", "deep")


def test_game_without_bots_has_none() -> None:
    assert house_bots("chess") == ()


def test_house_bot_is_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena.games.lost_cities.house_bots.greedy", "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "--listen" in done.stdout) == (0, True)
