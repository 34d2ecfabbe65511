"""What cannot be played is refused in one line that says what would be right, before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.games.registry import GAMES
from tests.cli.running import Done, run


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "chess greedy random",
            f"game 'chess': this arena has {', '.join(GAMES)}; without a game the first bot must be a project",
        ),
        ("lost_cities greedy", "seats 1: lost_cities (standard) is played with 2"),
        ("land_unter greedy random", "seats 2: land_unter (standard) is played with 3 or 4 or 5"),
        (
            "lost_cities gredy random",
            (
                "bot 'gredy': must be a house bot for lost_cities (cautious, collector, greedy, random, rusher, search), "
                "a file such as my_bot.py, a project's folder, or HOST:PORT"
            ),
        ),
        (
            "lost_cities https://bot.example.org random",
            (
                "address 'https://bot.example.org': must be HOST:PORT, https://HOST:PORT, http://HOST:PORT or "
                "unix:/PATH, with a port from 1 to 65535"
            ),
        ),
        ("lost_cities nowhere.py random", "bot 'nowhere.py': there is no such file"),
        ("lost_cities greedy random --variant long", "variant 'long': lost_cities has standard"),
        ("lost_cities greedy random --option hand=1", "option 'hand': lost_cities (standard) has hands"),
        ("lost_cities greedy random --option hands=10", "option hands=10: must be 1 to 9"),
        ("lost_cities greedy random --option hands", "option 'hands': must be NAME=NUMBER, such as hands=1"),
        ("lost_cities greedy random --seed beef", "seed 'beef': must be 64 hex digits"),
        ("lost_cities greedy random --time 3m", "time '3m': must be BASE+INC in seconds, such as 30+0.1"),
    ],
)
def test_match_that_cannot_be_is_refused_in_one_line(arguments: str, message: str) -> None:
    assert run("match", *arguments.split()) == Done(2, "", f"arena: {message}\n")


def test_records_that_cannot_be_written_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    done = run("match", "lost_cities", "greedy", "random", "--records", "out", within=tmp_path)
    assert done == Done(2, "", "arena: records 'out': File exists; give a folder that can be written\n")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("command", ["match", "verify"])
def test_command_has_help_with_an_example(command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert f"arena {command} " in done.out.split("Examples:")[1]
