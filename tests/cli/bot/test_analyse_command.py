"""`arena bot analyse`: what decisions cost, and a match played on from one of them by real bots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.match.test_match_command import SEED, arena, played
from tests.cli.running import Done, run

MINE = """
import os
from arena.sdk import Bot, run

class Mine(Bot):
    name = "mine"

    def choose(self, decision):
        if os.environ.get("MINE") == "other":
            return decision.legal[-1]
        return decision.random.choice(decision.legal)

if __name__ == "__main__":
    run(Mine())
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot, `mine.py`, and the two records of a set of it against greedy in `records`."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "mine.py").write_text(MINE)
    arguments = ("land_unter", "mine.py", "greedy", "greedy", "--option", "rounds=2", "--seed", SEED)
    played(*arguments, "--records", "records", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def match(home: Path) -> dict[str, Any]:
    """The record of a match in which the bot sat in seat 0."""
    records = [json.loads(file.read_text()) for file in (home / "records").iterdir()]
    (found,) = [each for each in records if each["seats"][0]["bot"] == "mine"]
    document: dict[str, Any] = found
    return document


@pytest.fixture(scope="module")
def analysed(home: Path) -> dict[str, Any]:
    done = run("bot", "analyse", str(home / "records"), "--seconds", "0.3", "--json")
    assert done.code == 0, done.error
    document: dict[str, Any] = json.loads(done.out)
    return document


def test_the_only_bot_that_is_no_house_bot_is_judged(analysed: dict[str, Any]) -> None:
    assert {each["bot"] for each in analysed["costliest"]} == {"mine"}


def test_each_match_has_its_worst_decision(analysed: dict[str, Any], home: Path) -> None:
    assert len(analysed["matches"]) == len(list((home / "records").iterdir()))
    for each in analysed["matches"]:
        assert each["worst"]["best"] != each["worst"]["chosen"]


def test_ties_of_the_worst_decision_are_steps_of_the_match(analysed: dict[str, Any]) -> None:
    for each in analysed["matches"]:
        assert each["worst"]["step"] not in each["ties"]
        assert not (each["certain"] and each["ties"])


def test_losses_are_added_up_in_four_ways(analysed: dict[str, Any]) -> None:
    decisions = sum(each["decisions"] for each in analysed["matches"])
    for by in ("by_part", "by_phase", "by_opponents", "by_kind"):
        assert sum(group["decisions"] for group in analysed[by]) == decisions


def test_the_terminal_shows_the_tables(home: Path) -> None:
    done = run("bot", "analyse", str(home / "records"), "--bot", "mine", "--seconds", "0.1")
    assert done.code == 0, done.error
    for heading in ("kind of decision", "against", "phase", "The costliest decisions", "greedy"):
        assert heading in done.out


def test_a_bot_that_did_not_play_is_refused(home: Path) -> None:
    done = run("bot", "analyse", str(home / "records"), "--bot", "nobody")
    assert done.code == 2
    assert "bot 'nobody': sat in no seat of these matches; they have greedy, mine" in done.error


def test_a_record_that_was_changed_is_refused(home: Path, match: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text(json.dumps({**match, "seed": "00" * 32}))
    done = run("bot", "analyse", str(tmp_path / "wrong.json"))
    assert done.code == 1
    assert "only a right record can be played again" in done.error


def forked(home: Path, match: dict[str, Any], step: int, *arguments: str, **environment: str) -> Done:
    fork = f"{match['match']}:{step}"
    command = ("bot", "analyse", "records", "--fork", fork, "--with", "mine.py", *arguments)
    return arena(*command, cwd=home, **environment)


def choice_of_mine(match: dict[str, Any], number: int) -> int:
    """The step of the bot's choice of that number, among those where it was asked."""
    return [at for at, step in enumerate(match["steps"]) if step.get("seat") == 0 and step["ms"]][number]


def test_a_fork_without_another_action_ends_as_the_match_did(home: Path, match: dict[str, Any]) -> None:
    done = forked(home, match, choice_of_mine(match, 5), "--json")
    assert done.code == 0, done.error
    document = json.loads(done.out)
    assert document["scores_now"] == document["scores_then"]


def test_another_action_is_played_and_recorded(home: Path, match: dict[str, Any]) -> None:
    step = choice_of_mine(match, 3)
    actions = [each["action"] for each in match["steps"] if each.get("seat") == 0]
    later = next(each["action"] for each in match["steps"][step + 1 :] if each.get("seat") == 0)
    assert later in actions
    done = forked(home, match, step, "--action", later, "--records", "forks")
    assert done.code == 0, done.error
    record = json.loads((home / "forks" / f"{match['match']}-from-{step}.json").read_text())
    assert record["steps"][step]["action"] == later
    assert run("verify", str(home / "forks")).code == 0


def test_a_bot_that_answers_otherwise_is_named(home: Path, match: dict[str, Any]) -> None:
    done = forked(home, match, choice_of_mine(match, 5), MINE="other")
    assert done.code == 1
    assert f"seat 0 (mine), {match['match']}:" in done.error
    assert "recorded is 'play " in done.error
    assert "answered now 'play " in done.error


def test_a_changed_bot_plays_on_from_a_decision_and_the_match_before_it_is_as_it_was(
    home: Path, match: dict[str, Any]
) -> None:
    step = choice_of_mine(match, 5)
    (home / "newer.py").write_text(
        MINE.replace("decision.random.choice(decision.legal)", "decision.legal[-1]")
    )
    fork = ("--fork", f"{match['match']}:{step}", "--changed", "newer.py", "--records", "changed")
    done = arena("bot", "analyse", "records", *fork, cwd=home)
    assert done.code == 0, done.error
    assert "seat 0 (newer): " in done.out
    record = json.loads((home / "changed" / f"{match['match']}-from-{step}.json").read_text())
    before, after = ([each.get("action") for each in one["steps"]] for one in (match, record))
    assert after[:step] == before[:step]
    assert after[step:] != before[step:]
    assert record["seats"][0]["bot"] == "newer"
    assert run("verify", str(home / "changed")).code == 0


def test_a_step_that_is_no_choice_is_refused(home: Path, match: dict[str, Any]) -> None:
    done = forked(home, match, 0)
    assert done.code == 2
    assert f"{match['match']}:0: no seat had a choice there; the nearest such steps are" in done.error


def test_an_action_that_is_not_legal_is_refused(home: Path, match: dict[str, Any]) -> None:
    done = forked(home, match, choice_of_mine(match, 0), "--action", "play 99")
    assert done.code == 2
    assert "action 'play 99': seat 0 could choose play " in done.error


def test_a_bot_that_is_not_given_is_asked_for(home: Path, match: dict[str, Any]) -> None:
    done = run(
        "bot", "analyse", str(home / "records"), "--fork", f"{match['match']}:{choice_of_mine(match, 0)}"
    )
    assert done.code == 2
    assert "where is mine?  Give its file, folder or address with --with" in done.error


def test_losses_are_added_up_by_the_tags_that_the_bot_noted(tmp_path: Path) -> None:
    noting = (
        "        decision.note(text=f\"#{'many' if len(decision.legal) > 4 else 'few'} #all, not#this\")\n"
    )
    before, choose, after = MINE.partition("    def choose(self, decision):\n")
    (tmp_path / "mine.py").write_text(before + choose + noting + after)
    arguments = ("land_unter", "mine.py", "greedy", "greedy", "--option", "rounds=1", "--seed", SEED)
    played(*arguments, "--records", "records", cwd=tmp_path)
    seconds = ("--seconds", "0.3")
    done = run("bot", "analyse", str(tmp_path / "records"), *seconds, "--json")
    document = json.loads(done.out)
    counts = {each["name"]: each["decisions"] for each in document["by_tag"]}
    assert set(counts) == {"#many", "#few", "#all"}
    assert (
        counts["#many"] + counts["#few"]
        == counts["#all"]
        == sum(each["decisions"] for each in document["matches"])
    )
    table = run("bot", "analyse", str(tmp_path / "records"), *seconds).out
    assert "tag" in table
    assert "#many" in table


def test_without_tags_there_is_no_table_of_them(analysed: dict[str, Any], home: Path) -> None:
    assert analysed["by_tag"] == []
    assert "tag " not in run("bot", "analyse", str(home / "records"), "--seconds", "0.1").out
