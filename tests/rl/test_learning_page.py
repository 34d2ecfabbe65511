"""The programs of docs/learning.md run as they stand there, in the order in which they stand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.main import arena as command_line

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "learning.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
MAX_LINES = 150


def run(folder: Path, *arguments: str) -> str:
    variables = os.environ | {"PYTHONPATH": str(DOCS.parent), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("program", PROGRAMS[:2])
def test_a_match_in_an_environment_ends_with_places(program: str, tmp_path: Path) -> None:
    assert run(tmp_path, "-c", program).strip()


def test_the_data_of_a_run_in_bulk_can_be_read(tmp_path: Path) -> None:
    out = tmp_path / "shard.parquet"
    made = CliRunner().invoke(
        command_line,
        [
            "selfplay",
            "lost_cities",
            "--bots",
            "greedy,random",
            "--matches",
            "1",
            "--jobs",
            "1",
            "--out",
            str(out),
        ],
    )
    assert made.exit_code == 0, made.output
    assert "play" in run(tmp_path, "-c", PROGRAMS[2])


def test_the_script_learns_and_its_weights_make_a_bot(tmp_path: Path) -> None:
    script, out = tmp_path / "learner.py", tmp_path / "learned.parquet"
    script.write_bytes((DOCS / "examples" / "learner.py").read_bytes())
    run(tmp_path, "learner.py", "1", "weights.json")
    bots = f"{script},greedy,greedy"
    made = CliRunner().invoke(
        command_line,
        ["selfplay", "land_unter", "--bots", bots, "--matches", "1", "--jobs", "1", "--out", str(out)],
    )
    assert made.exit_code == 0, made.output


def test_the_script_is_as_short_as_the_page_says() -> None:
    lines = (DOCS / "examples" / "learner.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAX_LINES
