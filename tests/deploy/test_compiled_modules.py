"""Modules that are compiled where a C compiler is: the same matches, and never older than their sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena.core import compiled_modules

ROOT = Path(__file__).parents[2]
MODULES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["arena"]["compiled"]["modules"]
PRINT_WHERE = "import arena.games.kernel as kernel, referee.wire.frames as frames; print(kernel.__file__, frames.__file__)"
PLAY = """
import random
from hashlib import sha256
from arena.games import registry
from arena.match.clock import STANDARD
from arena.match.record import Participant, to_json
from arena.match.session import Session
from arena.match.session_events import DecisionRequested
from arena.games.kernel import SILENCE

for package in registry.PACKAGES.values():
    game = package.game
    for variant, counts in game.variants.items():
        for seats in counts:
            bots = [Participant(f"bot {seat}", "1") for seat in range(seats)]
            session = Session(
                game, game.setup(seats, variant=variant), match="m", seed=bytes(32), participants=bots, time=STANDARD
            )
            chooser, open_ = random.Random(1), session.begin()
            while isinstance(ask := open_.pop(0), DecisionRequested):
                session.opened(ask.seat, ask.decision, 0.0)
                if ask.talk is not None:
                    open_ += session.say(ask.seat, ask.decision, SILENCE, 0.0)
                else:
                    open_ += session.answer(ask.seat, ask.decision, chooser.randrange(len(ask.actions)), 0.0)
            print(game.id, variant, seats, sha256(to_json(ask.record).encode()).hexdigest())
"""

needs_compiler = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="without a C compiler nothing is compiled"
)


def run(program: str, folder: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "ARENA_COMPILED": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def suffixes(printed: str) -> set[str]:
    return {Path(name).suffix for name in printed.split()}


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A checkout of our packages, compiled as this one is."""
    for package in ("arena", "referee"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("node_modules", "web")
        )
    return tmp_path


@needs_compiler
def test_what_plays_matches_runs_compiled() -> None:
    assert suffixes(run(PRINT_WHERE)) == {".so"}


def test_it_runs_as_plain_python_where_the_environment_says_so() -> None:
    assert suffixes(run(PRINT_WHERE, ARENA_COMPILED="0")) == {".py"}


@needs_compiler
def test_all_of_it_runs_as_plain_python_once_one_source_has_changed(copied: Path) -> None:
    assert suffixes(run(PRINT_WHERE, copied)) == {".so"}
    (copied / "arena" / "games" / "chance.py").touch()
    assert suffixes(run(PRINT_WHERE, copied)) == {".py"}


@needs_compiler
def test_all_of_it_runs_as_plain_python_once_one_source_is_gone(copied: Path) -> None:
    where = "arena/match/record.py"
    (copied / where).rename(copied / "arena" / "match" / "written.py")
    assert suffixes(run("import arena.games.kernel as kernel; print(kernel.__file__)", copied)) == {".py"}


def test_matches_are_the_same_to_the_byte_compiled_or_not() -> None:
    assert run(PLAY) == run(PLAY, ARENA_COMPILED="0")


@needs_compiler
def test_each_source_that_is_named_is_compiled() -> None:
    assert Path(compiled_modules.SOURCES).read_text().split() == MODULES
    for name in MODULES:
        source = ROOT / name
        assert list(source.parent.glob(f"{source.stem}.cpython-*.so")), name


def test_without_a_compiler_it_says_what_is_missing_and_changes_nothing(tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (ROOT / "arena").rglob("*.so")}
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "compile_modules.py"],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "is missing: all modules run as plain Python" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in (ROOT / "arena").rglob("*.so")} == before


def test_views_stay_plain_since_their_annotations_are_read() -> None:
    assert not [name for name in MODULES if name.endswith("/view.py")]
