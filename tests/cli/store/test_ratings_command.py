"""`arena ratings`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.rankings import public_ratings
from arena.storage import Store
from tests.cli.running import run
from tests.decided_matches import NAMES, new_tournament, play
from tests.stores import new_sqlite


@pytest.fixture
def data(tmp_path: Path) -> str:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    for names in (NAMES[:3], NAMES[3:5]):
        play(store, new_tournament(store, names=names).id)
    public_ratings.refresh(store, "lost_cities/standard")
    store.close()
    return str(tmp_path)


def test_the_table_shows_rank_bot_elo_and_matches(data: str) -> None:
    out = run("ratings", "lost_cities", "--data", data).out
    assert re.search(r"1 +greedy@1 +1500 ± +\d+\? +1(–[23])? +4", out)
    assert "± and ranks are 95% confidence intervals" in out
    assert "? provisional: fewer than 30 matches" in out


def test_the_table_says_which_bots_never_met(data: str) -> None:
    out = run("ratings", "lost_cities", "--data", data).out
    assert re.search(r"1 +counter@1 .* 2", out)
    assert "Bots of different groups never met" in out


def test_the_table_as_json_names_its_algorithm_and_the_hash_of_its_input(data: str) -> None:
    table = json.loads(run("ratings", "lost_cities", "--data", data, "--json").out)
    assert table["algorithm"] == "arena-elo/2"
    assert re.fullmatch("[0-9a-f]{64}", table["input_sha256"])
    assert [row["bot"] for row in table["rows"]] == ["greedy", "random", "rusher", "counter", "hoarder"]


def test_a_game_without_matches_says_how_to_begin(data: str) -> None:
    assert "`arena tournament create land_unter" in run("ratings", "land_unter", "--data", data).out


def test_empty_table_says_what_is_rated(tmp_path: Path) -> None:
    store = Store.open(new_sqlite(tmp_path / "arena.db"))
    play(store, new_tournament(store, options={"hands": 1}).id)
    store.close()
    out = run("ratings", "lost_cities", "--data", str(tmp_path)).out
    assert out.startswith("No rated matches of lost_cities (standard) yet")
    assert "default options (hands 3) and a listed time (30+0.1, 10+0.1, 60+0.5)" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chess",), "game 'chess': this arena has"),
        (("lost_cities", "--variant", "fast"), "variant 'fast': lost_cities has standard"),
    ],
)
def test_what_does_not_exist_is_a_usage_error(data: str, arguments: tuple[str, ...], says: str) -> None:
    done = run("ratings", *arguments, "--data", data)
    assert done.code == 2
    assert says in done.error


def test_help_has_an_example() -> None:
    assert "arena ratings lost_cities" in run("ratings", "--help").out
