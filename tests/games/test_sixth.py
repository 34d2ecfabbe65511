"""A game from outside is a full citizen: a sixth one, built as a wheel and installed, with nothing of the arena changed.

All that there is of the game is in `sixth`, as its author would have it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from referee.sandbox import command
from tests.parts.arena_process import RunningArena, clean_environment
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.system]

ROOT = Path(__file__).resolve().parents[2]
SIXTH = Path(__file__).parent / "sixth"
UV = ROOT / ".tools" / "bin" / "uv"
GAME, MODULE = "matching_pennies", "arena_game_matching_pennies"
PLAYED_S = 90.0
"""How long the tournament may take."""

TEXTS = frozenset({".css", ".html", ".js", ".json", ".md", ".po", ".proto", ".py", ".svg", ".toml", ".yaml"})
SUITES = (
    "tests/bots/test_house_bots.py",
    "tests/games/test_codec.py",
    "tests/games/test_conformance.py",
    "tests/games/test_leaks.py",
    "tests/games/test_samplers.py",
    "tests/golden",
    "tests/test_docs.py",
    "tests/web/boards/test_board_renderer.py",
    "tests/web/docs/test_docs_page.py",
    "tests/web/ui/test_languages.py",
    "tests/web/boards/test_masked_boards.py",
    "tests/web/play/test_play_page.py",
)
"""The tests that find games by the registry."""

BOT = """
from arena.sdk import Bot, run


class Shows(Bot):
    def choose(self, decision):
        assert decision.view.rounds == 5
        return decision.random.choice(decision.legal)


if __name__ == "__main__":
    run(Shows())
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the game's wheel and install it: the folder that it is installed into."""
    project = tmp_path_factory.mktemp("sixth") / "project"
    shutil.copytree(SIXTH, project)
    run(project, "-P", "-c", "from arena.cli.main import main; main()", "game", "proto", ".")
    run(project, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist")
    (wheel,) = (project / "dist").glob("*.whl")
    target = project.parent / "installed"
    install: list[str | Path] = [
        UV,
        "pip",
        "install",
        "--quiet",
        "--offline",
        "--no-index",
        "--no-deps",
        "--target",
        target,
    ]
    subprocess.run([*install, "--python", sys.executable, wheel], check=True)
    return target


@pytest.fixture(scope="module")
def arena(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    """Run an arena that has played a tournament of the game."""
    data = tmp_path_factory.mktemp("arena") / "data"
    with RunningArena(data, workers=1, environment={"PYTHONPATH": search_path(installed)}) as running:
        create = ("tournament", "create", GAME, "--bots", "greedy,alternating,random", "--cycles", "2")
        arena_command(installed, data.parent, *create, "--data", str(data))
        address = f"http://127.0.0.1:{running.port}/api/v1/tournaments"
        wait_until(
            lambda: httpx.get(address).json()[0]["state"] == "finished",
            f"the tournament is over\n{running.output()}",
            within_s=PLAYED_S,
        )
        yield running


@pytest.fixture
def browser(arena: RunningArena) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{arena.port}", timeout=60) as browser:
        yield browser


def search_path(installed: Path) -> str:
    return os.pathsep.join((str(ROOT), str(installed)))


def run(folder: Path, *arguments: str, path: str = str(ROOT)) -> str:
    """Run Python in a folder; what it printed."""
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**clean_environment(), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def arena_command(installed: Path, folder: Path, *arguments: str) -> str:
    """Run `arena` where the game is installed; what it printed."""
    program = ("-P", "-c", "from arena.cli.main import main; main()")
    return run(folder, *program, *arguments, path=search_path(installed))


def test_nothing_but_its_own_folder_knows_it() -> None:
    """Count the files that a complete game touches, beside its own: none."""
    folders = ("arena", "bench", "bots", "deploy", "docs", "protos", "referee", "workers")
    files = [*ROOT.glob("*.*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    texts = [each for each in files if each.suffix in TEXTS and not {"node_modules", "out"} & {*each.parts}]
    assert len(texts) > 500
    assert [each for each in texts if GAME in each.read_text(encoding="utf-8")] == []


def test_it_is_played_through_the_referee_and_verified(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "shows.py").write_text(BOT)
    played = ("match", GAME, "shows.py", "shows.py", "--sets", "2", "--records", "records", "--json")
    assert json.loads(arena_command(installed, tmp_path, *played))["game"] == GAME
    assert len(list((tmp_path / "records").iterdir())) == 4
    assert "ok" in arena_command(installed, tmp_path, "verify", "records")


@pytest.mark.skipif(not command.find(), reason="needs bubblewrap")
def test_hosted_bots_play_it_in_their_sandboxes(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "shows.py").write_text(BOT)
    played = ("match", GAME, "shows.py", "greedy", "--sets", "1", "--sandbox", "--json")
    score = json.loads(arena_command(installed, tmp_path, *played))
    assert [each["faults"] for each in score["bots"]] == [0, 0]


def test_the_suites_of_all_games_find_it_and_hold(installed: Path) -> None:
    which = f"{GAME} and not beats_random"  # in a game of pure guessing no bot does
    pytest_ = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *SUITES, "-k", which)
    printed = run(ROOT, *pytest_, path=search_path(installed))
    passed = re.search(r"(\d+) passed", printed)
    assert passed is not None
    assert int(passed[1]) >= len(SUITES)
    assert "failed" not in printed


def test_its_tournament_is_played_and_rated(browser: httpx.Client) -> None:
    assert "alternating" in browser.get("/tournaments/1").text
    address = f"/api/v1/ratings/{GAME}/standard/leaderboard"
    wait_until(lambda: len(browser.get(address).json()["rows"]) == 3, "it is rated", within_s=PLAYED_S)
    assert {row["bot"] for row in browser.get(address).json()["rows"]} == {"alternating", "greedy", "random"}
    assert "alternating" in browser.get(f"/games/{GAME}").text


def test_its_bots_have_playing_styles(browser: httpx.Client) -> None:
    address = f"/api/v1/bots/{GAME}/alternating/style"
    wait_until(lambda: browser.get(address).json()["style"] is not None, "it is measured", within_s=PLAYED_S)
    assert 0 < browser.get(address).json()["style"]["traits"]["heads"]["value"] < 1


def test_its_matches_are_stepped_through_on_its_own_board(browser: httpx.Client) -> None:
    page = browser.get("/tournaments/1/sets/0/matches/0?point=3", headers={"Accept-Language": "es"}).text
    assert f"board-{GAME}" in page
    assert 'id="mp-heads"' in page
    assert "Ronda 4 de 5" in page


def test_it_can_be_watched_and_played(browser: httpx.Client) -> None:
    assert 'id="mp-heads"' in browser.get("/live/tables").text
    assert "shows heads and tails in turn" in browser.get(f"/play?game={GAME}").text
    form = {"game": GAME, "opponent": ["stubborn"]}
    table = browser.post("/play", data=form, follow_redirects=True)
    assert 'value="show heads"' in table.text


def test_its_rules_are_among_the_docs(browser: httpx.Client) -> None:
    assert f'href="/games/{GAME}/rules"' in browser.get("/docs").text
    page = browser.get(f"/games/{GAME}/rules?language=es").text
    assert "Registro" in page
    pictures = re.findall(r'src="(/docs/images/[^"]+)"', page)
    records = re.findall(r'href="(/docs/records/[^"]+)"', page)
    assert pictures == [f"/docs/images/{GAME}.png"]
    assert records == [f"/docs/records/{GAME}.json"]
    assert [browser.get(address).status_code for address in (*pictures, *records)] == [200, 200]


def test_without_it_a_store_that_has_it_is_refused_in_words(arena: RunningArena) -> None:
    command_ = ("-P", "-c", "from arena.cli.main import main; main()", "tournament", "list")
    ran = subprocess.run(
        [sys.executable, *command_, "--data", str(arena.data)],
        cwd=arena.data.parent,
        env={**clean_environment(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert f"has tournaments of the game '{GAME}', which is not installed" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
