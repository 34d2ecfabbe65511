"""Type checkers see the client's types as `tests/typing/client_types.py` has them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = "tests/typing/client_types.py"
BIN = Path(sys.executable).parent
CHECKERS = {
    "mypy": ("mypy", FILE),
    "pyright": ("basedpyright", "--pythonpath", sys.executable, "--level", "error", FILE),
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_finds_the_types_of_the_client(checker: str) -> None:
    program, *arguments = CHECKERS[checker]
    command = [BIN / program, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
