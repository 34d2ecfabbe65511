"""`arena bot new`, and the projects that it writes as bots of `arena match`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.games.registry import GAMES
from tests.cli.match.test_match_command import arena, played
from tests.cli.running import run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("game", GAMES)
def test_a_new_project_plays_at_once(game: str, home: Path) -> None:
    made = run("bot", "new", "my-bot", "--game", game)
    assert made.code == 0
    words = made.out.splitlines()[1].split()
    assert words[:5] == ["Let", "it", "play:", "arena", "match"]
    document = played(*words[5:-1], "1", cwd=home)
    assert document["game"] == game
    assert document["bots"][0]["bot"] == "my-bot"
    assert [bot["faults"] for bot in document["bots"]] == [0] * len(document["bots"])


def test_without_a_game_those_there_are_are_named(home: Path) -> None:
    done = run("bot", "new", "my-bot")
    assert (done.code, done.out) == (2, "")
    assert done.error == f"arena: game: say what it plays with --game, one of {', '.join(GAMES)}\n"


def test_a_new_project_passes_the_linters_that_most_people_use(home: Path) -> None:
    assert run("bot", "new", "my-bot", "--game", "lost_cities").code == 0
    ruff = str(Path(sys.executable).parent / "ruff")
    done = subprocess.run(
        [ruff, "check", "--isolated", "--select", "E,F,I,UP,B", "--line-length", "110", "my-bot"], check=False
    )
    assert done.returncode == 0


def test_its_version_changes_with_its_files(home: Path) -> None:
    run("bot", "new", "my-bot", "--game", "lost_cities")
    arguments = ("my-bot", "random", "--option", "hands=1")
    first = played(*arguments, cwd=home)["bots"][0]["version"]
    assert played(*arguments, cwd=home)["bots"][0]["version"] == first
    with (home / "my-bot" / "bot.py").open("a") as file:
        file.write("# better\n")
    assert played(*arguments, cwd=home)["bots"][0]["version"] != first


@pytest.mark.parametrize(
    ("name", "game", "message"),
    [
        ("My-Bot", "lost_cities", "name 'My-Bot': must be 1 to 40 of a-z"),
        ("greedy", "lost_cities", "name 'greedy': is that of a game or a house bot"),
        ("land_unter", "lost_cities", "name 'land_unter': is that of a game or a house bot"),
        ("my-bot", "chess", "game 'chess': this arena has lost_cities"),
        ("there", "lost_cities", "name 'there': there is there already"),
        ("file/my-bot", "lost_cities", "name 'my-bot': file/my-bot cannot be written: Not a directory"),
    ],
)
def test_what_cannot_be_written_is_refused(name: str, game: str, message: str, home: Path) -> None:
    (home / "there").mkdir()
    (home / "there" / "something").touch()
    (home / "file").touch()
    done = run("bot", "new", name, "--game", game)
    assert (done.code, done.out) == (2, "")
    assert done.error.startswith(f"arena: {message}")
    assert done.error.count("\n") == 1


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "bot 'mine': the folder has no bot.toml; `arena bot new` writes one"),
        ("name =", "mine/bot.toml: cannot be read"),
        ('games = ["lost_cities"]\nentry = "bot.py"', "mine/bot.toml: name None: must be the bot's name"),
        ('name = "mine"\nentry = "bot.py"', "mine/bot.toml: games None: must list what it plays"),
        ('name = "mine"\ngames = ["go"]\nentry = "bot.py"', "mine/bot.toml: game 'go': this arena has"),
        ('name = "mine"\ngames = ["lost_cities"]', "mine/bot.toml: entry None: must be the file to start"),
        (
            'games = ["go"]\nentry = "bt.py"',
            "mine/bot.toml: name None: must be the bot's name, such as name = \"my-bot\"; also: game 'go': this arena has",
        ),
        (
            'name = "mine"\ngame = "lost_cities"\nentry = "../b.py"',
            "mine/bot.toml: entry '../b.py': there is no",
        ),
        ('name = "mine"\ngame = "land_unter"\nentry = "bot.py"', "bot 'mine': does not play lost_cities"),
    ],
)
def test_a_wrong_manifest_is_told_with_its_field(manifest: str | None, message: str, home: Path) -> None:
    (home / "mine").mkdir()
    (home / "mine" / "bot.py").touch()
    (home / "b.py").touch()
    if manifest is not None:
        (home / "mine" / "bot.toml").write_text(manifest)
    done = run("match", "lost_cities", "mine", "greedy")
    assert done.code == 2
    assert done.error.startswith(f"arena: {message}")


def test_the_game_must_be_given_where_a_project_plays_several(home: Path) -> None:
    run("bot", "new", "my-bot", "--game", "lost_cities")
    manifest = home / "my-bot" / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"lost_cities"', '"lost_cities", "land_unter"'))
    done = run("match", "my-bot", "greedy")
    assert done.code == 2
    assert "give the game first: arena match lost_cities my-bot" in done.error


def test_an_executable_file_of_any_language_is_started_as_it_is(home: Path) -> None:
    bot = home / "shell-bot"
    bot.write_text("#!/bin/sh\necho not a bot\nexit 3\n")
    bot.chmod(0o755)
    done = arena("match", "lost_cities", "./shell-bot", "greedy", "--option", "hands=1", cwd=home)
    assert "its process ended with exit code 3" in done.out
    assert "not a bot" in done.out
