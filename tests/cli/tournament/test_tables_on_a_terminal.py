"""Standings on a real terminal of 60, 80 and 200 columns, and in a pipe."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from arena.bot_registry import bots
from arena.storage import Store
from tests.cli.running import run
from tests.decided_matches import NAMES, play
from tests.patience import patient
from tests.stores import new_sqlite

ARENA = str(Path(sys.executable).parent / "arena")
WIDE = "w" * 40
ENTRANTS = (*NAMES[:4], WIDE)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A data directory with a finished tournament of five bots, one with a long name."""
    folder = str(tmp_path_factory.mktemp("terminal"))
    store = Store.open(new_sqlite(Path(folder, "arena.db")))
    bots.register_house(store, {"lost_cities": ENTRANTS})
    run("tournament", "create", "lost_cities", "--bots", ",".join(ENTRANTS), "--data", folder)
    play(store, 1)
    store.close()
    return folder


def on_a_terminal(columns: int, *arguments: str) -> list[str]:
    """Return the lines that a command prints on a terminal, without colours."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    with subprocess.Popen(
        [ARENA, *arguments], stdin=its, stdout=its, stderr=its, env={**environment, "TERM": "xterm"}
    ) as process:
        os.close(its)
        printed = b""
        while True:
            try:
                read = os.read(ours, 65536)
            except OSError:  # its other side is closed
                break
            printed += read
        assert process.wait(patient(30)) == 0, printed
    os.close(ours)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed.decode())
    return [line.rstrip() for line in plain.replace("\r", "\n").splitlines() if line.strip()]


@pytest.mark.parametrize("command", ["show", "watch"])
@pytest.mark.parametrize("columns", [60, 80, 200])
def test_standings_have_whole_names_with_their_elo(data: str, command: str, columns: int) -> None:
    lines = on_a_terminal(columns, "tournament", command, "1", "--data", data)
    for entrant in ENTRANTS:
        assert any(re.search(rf"\d  {entrant}@1 +\d+ ± +\d+", line) for line in lines), lines


@pytest.mark.parametrize("columns", [80, 200])
def test_the_crosstable_is_a_table_of_its_own(data: str, columns: int) -> None:
    lines = on_a_terminal(columns, "tournament", "show", "1", "--data", data)
    assert "Crosstable" in lines
    assert any(re.search(rf"{WIDE}( +\d+/\d+)+ +·", line) for line in lines)


def test_a_crosstable_without_room_says_what_it_needs(data: str) -> None:
    lines = on_a_terminal(60, "tournament", "show", "1", "--data", data)
    assert any(re.match(r"The crosstable needs \d+ columns", line) for line in lines)
    assert "Crosstable" not in lines


def test_no_line_of_a_list_is_wider_than_the_terminal(data: str) -> None:
    for arguments in (("tournament", "list"), ("bot", "list")):
        assert max(map(len, on_a_terminal(60, *arguments, "--data", data))) <= 60


def test_a_pipe_has_every_column_and_no_colour(data: str) -> None:
    out = run("tournament", "show", "1", "--data", data).out
    assert "\x1b" not in out
    assert "No room" not in out
    assert "Crosstable" in out
