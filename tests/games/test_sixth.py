"""Adding a game touches one folder and one proto file: a sixth game, put into a copy."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SIXTH = Path(__file__).parent / "sixth"
CODE = ("arena", "bench", "bots", "docs", "protos", "referee", "tests", "workers")
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
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An arena with the sixth game."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in CODE:
        shutil.copytree(
            ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "out", "node_modules")
        )
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(SIXTH / "matching_pennies", copy / "arena/games/matching_pennies")
    shutil.copy(SIXTH / "matching_pennies.proto", copy / "protos/arena/v1")
    inside(copy, "protos/generate.py")
    return copy


def inside(copy: Path, *arguments: str) -> str:
    """Run a Python program of the copy; what it printed."""
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_a_sixth_game_is_played_through_the_referee_and_verified(copy: Path) -> None:
    (copy / "shows.py").write_text(BOT)
    command = ("-c", "from arena.cli.main import main; main()")
    score = inside(
        copy,
        *command,
        "match",
        "matching_pennies",
        "shows.py",
        "shows.py",
        "--sets",
        "2",
        "--records",
        "records",
        "--json",
    )
    assert json.loads(score)["game"] == "matching_pennies"
    assert len(list((copy / "records").iterdir())) == 4
    assert "ok" in inside(copy, *command, "verify", "records")


def test_the_conformance_suite_finds_a_sixth_game_by_itself(copy: Path) -> None:
    suite = [f"tests/games/test_{name}.py" for name in ("conformance", "samplers", "codec")]
    printed = inside(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *suite, "-k", "matching_pennies")
    assert " passed" in printed
    assert "failed" not in printed
