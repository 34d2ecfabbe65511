"""A new format is its class, its part of a tournament's page and its docs: put into a copy of the arena."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ADDED = Path(__file__).parent / "king_of_the_hill"
CODE = ("arena", "bots", "docs", "protos", "referee", "tests", "workers")
PLAYED = "tests/competition/king_of_the_hill/played.py"


def copy_arena(copy: Path) -> Path:
    """Copy the arena into a folder, to be changed there."""
    for folder in CODE:
        # With its bytecode, which the times of the copied files still fit: else each process would compile it all again.
        shutil.copytree(
            ROOT / folder,
            copy / folder,
            ignore=shutil.ignore_patterns("out", "node_modules"),
            dirs_exist_ok=True,
        )
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, copy)
    return copy


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An arena with one format more: three files."""
    copy = copy_arena(tmp_path_factory.mktemp("copy"))
    shutil.copy(ADDED / "king_of_the_hill.py", copy / "arena/scheduling/formats")
    shutil.copy(ADDED / "king-of-the-hill.html", copy / "arena/web/tournaments/templates/formats")
    docs = copy / "docs/organising.md"
    before, row, after = docs.read_text().partition("| `knockout` |")
    docs.write_text(before + (ADDED / "row.md").read_text() + row + after)
    return copy


def run_tests(copy: Path, *arguments: str) -> str:
    """Run tests of the copy; what they printed."""
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_a_new_format_is_created_played_shown_and_verified(copy: Path) -> None:
    printed = run_tests(copy, PLAYED)
    assert " passed" in printed
    assert "failed" not in printed


def test_tests_of_all_formats_find_a_new_one_by_themselves(copy: Path) -> None:
    printed = run_tests(copy, "tests/scheduling/test_format_registry.py")
    assert " passed" in printed
