"""What `make` does, as far as it can be seen without doing it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import FAST_FOLDERS

ROOT = Path(__file__).parents[2]
LINTERS = (
    "ruff",
    "mypy",
    "basedpyright",
    "lint-imports",
    "buf",
    "djhtml",
    "python",
    "deptry",
    "vulture",
    "codespell",
)

OF_MAKE = ("MAKE", "MFLAGS", "ARGS", "PORT")
"""How the variables begin that a make above has told its commands."""


def planned(*arguments: str) -> str:
    done = subprocess.run(
        ["make", "--no-print-directory", "-n", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith(OF_MAKE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return " ".join(done.stdout.split())


def test_run_takes_a_port_and_other_options() -> None:
    assert ".venv/bin/arena up --port 8100 --workers 2" in planned("run", "PORT=8100", "ARGS=--workers 2")
    assert planned("run").endswith(".venv/bin/arena up")


def test_workflows_run_nothing_but_what_there_is() -> None:
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    commands = {line for file in workflows for line in re.findall("run: (.*)", file.read_text())}
    assert {".ci/run", "make test-long", "make chaos"} <= commands
    for command in commands:
        program, *arguments = command.removeprefix("env -u CI ").split()
        if program == "make":
            assert planned(*arguments)
        else:
            assert os.access(ROOT / program, os.X_OK)


def test_test_fast_looks_where_the_fast_tests_are() -> None:
    assert {
        Path(word).name for word in planned("test-fast").split() if word.startswith("tests/")
    } == FAST_FOLDERS


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout whose linters all pass."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "check", tmp_path / ".ci")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in LINTERS:
        linter(tmp_path, name, "exit 0")
    return tmp_path


def linter(copy: Path, name: str, line: str) -> None:
    file = copy / ".venv" / "bin" / name
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)


def check(copy: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([copy / ".ci" / "check"], capture_output=True, text=True, check=False)


def test_check_goes_on_after_a_linter_that_fails_and_sums_up(copy: Path) -> None:
    linter(copy, "mypy", "echo no types; exit 1")
    linter(copy, "vulture", "exit 3")
    done = check(copy)
    assert done.returncode == 1
    summary = done.stdout.partition("== summary\n")[2].splitlines()
    assert [line for line in summary if line.startswith("FAILED")] == ["FAILED: mypy", "FAILED: vulture"]
    assert "passed: codespell" in summary
    assert len(summary) == len(re.findall(r"^run '", (copy / ".ci" / "check").read_text(), re.MULTILINE))


def test_check_passes_if_all_do(copy: Path) -> None:
    assert check(copy).returncode == 0
