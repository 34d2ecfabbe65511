"""Projects in the sandbox at home: they are there as their submissions would be, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

BOT = """
from pathlib import Path

from arena.sdk import Bot, run
from helpers.first import first

HERE = Path(__file__).parent
assert (HERE / "data.txt").read_text() == "book"
assert not (HERE / ".secret").exists()
assert "{out}" == "" or not Path("{out}").exists()


class Mine(Bot):
    def choose(self, decision):
        return first(decision)

run(Mine())
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of several files, with one beside them that no submission has."""
    folder = tmp_path / "mine"
    (folder / "helpers").mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "mine"\ngames = ["lost_cities"]\nentry = "bot.py"\n')
    (folder / "bot.py").write_text(BOT.replace("{out}", str(folder / "bot.py")))
    (folder / "helpers" / "__init__.py").touch()
    (folder / "helpers" / "first.py").write_text("def first(decision):\n    return decision.legal[0]\n")
    (folder / "data.txt").write_text("book")
    (folder / ".secret").write_text("sesame")
    return folder


@pytest.mark.parametrize("command", ["match", "race"])
def test_a_project_plays_in_the_sandbox_with_all_files_of_its_submission(command: str, project: Path) -> None:
    arguments = ["--sets", "1"] if command == "match" else ["--rounds", "1"]
    done = run(command, "lost_cities", str(project), "random", *arguments, "--sandbox", "--json")
    assert done.code == 0, done.error
    assert [bot["faults"] for bot in json.loads(done.out)["bots"]] == [0, 0]


def test_two_projects_and_a_copy_play_each_other_in_the_sandbox(project: Path) -> None:
    other = project.parent / "other"
    other.mkdir()
    (other / "bot.toml").write_text('name = "other"\ngames = ["land_unter"]\nentry = "bot.py"\n')
    (other / "bot.py").write_text("from mine import bot\n")
    (other / "mine.py").write_text(
        "from arena.sdk import Bot, run\n\n\nclass Mine(Bot):\n"
        "    def choose(self, decision):\n        return decision.legal[-1]\n\n\nbot = run(Mine())\n"
    )
    (project / "bot.toml").write_text('name = "mine"\ngames = ["land_unter"]\nentry = "bot.py"\n')
    bots = (str(project), str(other), str(project))
    done = run("match", "land_unter", *bots, "--sets", "1", "--sandbox", "--json", "--option", "rounds=1")
    assert done.code == 0, done.error
    assert [bot["faults"] for bot in json.loads(done.out)["bots"]] == [0, 0, 0]


def test_a_project_that_could_not_be_submitted_is_refused_with_the_reason(project: Path) -> None:
    (project / "bot.toml").write_text('name = "Zoë"\ngames = ["lost_cities"]\nentry = "bot.py"\n')
    done = run("match", str(project), "random", "--sandbox")
    assert done.code == 2
    assert "bot 'Zoë': must be 1 to 40 lower-case letters" in done.error


def test_a_match_in_the_sandbox_says_which_limit_was_met(project: Path) -> None:
    (project / "helpers" / "first.py").write_text(
        "import socket\n\n\ndef first(decision):\n    socket.create_connection(('127.0.0.1', 80))\n"
    )
    done = run("match", str(project), "random", "--sets", "1", "--sandbox")
    assert "there is no network in the sandbox" in done.out
