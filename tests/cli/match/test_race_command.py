"""`arena race`: real bots in processes of their own, until the best is known."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str, Path]:
    """A race in which one bot is plainly better."""
    folder = tmp_path_factory.mktemp("race")
    (folder / "also_random.py").write_text(
        "from arena.sdk import Bot, run\n\n\nclass AlsoRandom(Bot):\n"
        "    def choose(self, decision):\n        return decision.random.choice(decision.legal)\n\n\nrun(AlsoRandom())\n"
    )
    options = ("--option", "hands=1", "--seed", "5" * 64, "--records", "out", "--json")
    done = run("race", "lost_cities", "random", "greedy", "also_random.py", *options, within=folder)
    assert done.code == 0, done.error
    return json.loads(done.out), done.error, folder


def test_the_best_is_left_and_the_others_have_left(race: tuple[dict[str, Any], str, Path]) -> None:
    document, _, _ = race
    assert document["still_in"] == [1]
    assert [each["left_after"] is None for each in document["bots"]] == [False, True, False]


def test_each_round_says_how_many_are_still_in(race: tuple[dict[str, Any], str, Path]) -> None:
    _, said, _ = race
    assert said.splitlines()[0].startswith("8 rounds, ")
    assert "still in; left: " in said


def test_each_bot_has_its_elo_and_each_round_a_forecast(race: tuple[dict[str, Any], str, Path]) -> None:
    document, said, _ = race
    elo = [each["elo"] for each in document["bots"]]
    assert max(elo, key=lambda each: each["value"]) is elo[1]
    assert all(each["error95"] > 0 for each in elo)
    assert sum(each["value"] for each in elo) == pytest.approx(0, abs=0.2)
    *before, last = said.splitlines()
    assert any(re.search(r"; about \d+ more rounds?$", line) for line in before)
    assert "more" not in last


def test_there_is_a_record_of_every_match(race: tuple[dict[str, Any], str, Path]) -> None:
    document, _, folder = race
    assert len(list((folder / "out").glob("*.json"))) == document["matches"]


def test_a_race_undecided_names_who_may_be_the_best(tmp_path: Path) -> None:
    done = run(
        "race", "lost_cities", "greedy", "greedy", "--option", "hands=1", "--rounds", "2", within=tmp_path
    )
    assert "each of greedy, greedy (2) may be the best (error at most 5 %)" in done.out
    assert re.search(r"^│? ?greedy .* [+-]\d+ ± \d+ ", done.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lost_cities", "greedy"), "bots: 1 entered; a table has 2 seats"),
        (("lost_cities", "greedy", "random", "--error", "60"), "error 60: must be 1 to 49"),
        (
            ("lost_cities", "greedy", "random", "--seats", "3"),
            "seats 3: lost_cities (standard) is played with 2",
        ),
    ],
)
def test_what_cannot_be_raced_is_refused_with_a_word(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run("race", *arguments, within=tmp_path)
    assert done.code == 2
    assert message in done.error
