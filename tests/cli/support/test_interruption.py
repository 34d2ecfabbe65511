"""Long commands that a signal breaks off: real processes, real signals, and what is done so far in what they print."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from pathlib import Path

import pytest

from arena.core import child_process
from tests.bundle_format.uploads import BOT, TOML
from tests.cli.running import run
from tests.parts.arena_process import children, descendants, lives
from tests.patience import wait_until

ARENA = str(Path(sys.executable).parent / "arena")
MANY = "5000"
OWN_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(1, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Runs a command whose terminal is its stdout, so that Ctrl-C there is for it."""


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command that writes into the files .out and .error; it ends with the block, and with the test's process."""
    with (folder / ".out").open("wb") as out, (folder / ".error").open("wb") as error, chdir(folder):
        process = child_process.start([ARENA, *arguments], environment={}, stdout=out, stderr=error)
    try:
        yield process
    finally:
        child_process.stop(process, grace_s=0)


def interrupted(
    folder: Path, *arguments: str, begun: Callable[[], bool], number: signal.Signals = signal.SIGINT
) -> tuple[int, str, str]:
    """Run a command, send it a signal once it has begun, and return its exit code and what it has printed."""
    with running(folder, *arguments) as process:
        wait_until(lambda: begun() or process.poll() is not None, "it has begun", within_s=120)
        assert process.poll() is None, (folder / ".error").read_text()
        # A terminal sends Ctrl-C to all processes of the group, SIGTERM is for one.
        (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
        code = process.wait(60)
    return code, (folder / ".out").read_text(), (folder / ".error").read_text()


def last_line(error: str) -> re.Match[str]:
    """Return the last line of a command that was broken off: how much is done, and the command to repeat it."""
    assert "Traceback" not in error
    assert "Aborted" not in error
    found = re.search(
        r"^arena: interrupted: (.*); again, from the start: (arena .*)\n\Z", error, re.MULTILINE
    )
    assert found is not None, error
    return found


def has_records(folder: Path) -> Callable[[], bool]:
    return lambda: len(list(folder.glob("*.json"))) >= 3


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_match_shows_what_is_played_and_how_to_play_it_again(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    command = ("match", "lost_cities", "greedy", "random", "--sets", MANY, "--records", "out")
    done = interrupted(tmp_path, *command, begun=has_records(tmp_path / "out"), number=number)
    assert done[0] == code, done[2]
    shown = re.search(r"lost_cities · \d+ sets · (\d+) matches", done[1])
    assert shown is not None
    assert int(shown[1]) == len(list((tmp_path / "out").glob("*.json")))
    words = last_line(done[2])
    assert words[1] == f"{shown[1]} of 10000 matches are played"
    again = shlex.split(words[2])
    assert again[:-2] == ["arena", *command]
    assert f"seed {again[-1]}" in done[1]


def test_json_of_a_match_says_that_it_was_interrupted(tmp_path: Path) -> None:
    command = ("match", "lost_cities", "greedy", "random", "--sets", MANY, "--records", "out", "--json")
    code, out, _ = interrupted(tmp_path, *command, begun=has_records(tmp_path / "out"))
    document = json.loads(out)
    assert (code, document["interrupted"]) == (130, True)
    assert len(document["matches"]) == len(list((tmp_path / "out").glob("*.json")))


def test_a_race_shows_its_table_and_seed(tmp_path: Path) -> None:
    command = ("race", "lost_cities", "greedy", "greedy", "random", "--rounds", "500", "--records", "out")
    code, out, error = interrupted(tmp_path, *command, begun=has_records(tmp_path / "out"))
    assert code == 130, error
    assert "lost_cities · race ·" in out
    assert shlex.split(last_line(error)[2])[-1] in out


def test_ci_is_not_worse_but_interrupted(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(TOML)
    (tmp_path / "mine.py").write_text(BOT)

    def begun() -> bool:
        return "mine against greedy" in (tmp_path / ".error").read_text()

    command = ("bot", "ci", "--against", "greedy", "--sets", MANY, "--sprt=-1,1")
    code, out, error = interrupted(tmp_path, *command, begun=begun)
    assert code == 130, error
    assert "Interrupted" in out
    last_line(error)


def test_json_of_ci_has_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(TOML)
    (tmp_path / "mine.py").write_text(BOT)
    command = ("bot", "ci", "--against", "greedy", "--sets", MANY, "--sprt=-1,1", "--json")
    with running(tmp_path, *command) as process:
        wait_until(lambda: len(descendants(process.pid)) >= 2, "its bots run", within_s=120)
        process.terminate()
        code = process.wait(60)
    assert code == 143, (tmp_path / ".error").read_text()
    document = json.loads((tmp_path / ".out").read_text())
    assert (document["exit_code"], document["interrupted"]) == (143, True)


def test_selfplay_keeps_the_matches_that_are_written(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    command = ("selfplay", "lost_cities", "--bots", "greedy,random", "--matches", "100000", "--jobs", "2")
    draft = tmp_path / ".out.parquet.draft"
    begun = lambda: draft.exists() and draft.stat().st_size > 10_000  # noqa: E731
    code, out, error = interrupted(tmp_path, *command, "--out", "out.parquet", begun=begun)
    assert code == 130, error
    words = last_line(error)
    written = words[1].partition(" ")[0]
    assert f"of {written} matches;" in out
    assert f"--matches {written} " in (tmp_path / "out.parquet.md").read_text()
    assert not draft.exists()


def test_a_rating_is_of_the_sets_that_are_played(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        BOT.replace("return", "import pathlib; pathlib.Path('begun').touch(); return").replace(
            "run(Mine())", "if __name__ == '__main__':\n    run(Mine())"
        )
    )

    def begun() -> bool:
        if not (tmp_path / "begun").exists():
            return False
        time.sleep(3)
        return True

    command = ("rate", "mine.py", "--game", "lost_cities", "--sets", "100000")
    code, _, error = interrupted(tmp_path, *command, begun=begun)
    assert code == 130, error
    last_line(error)


def test_an_analysis_shows_the_matches_that_are_analysed(tmp_path: Path) -> None:
    played = ("match", "lost_cities", "greedy", "random", "--sets", "2", "--records", "out")
    assert run(*played, within=tmp_path).code == 0
    begun = lambda: "at most" in (tmp_path / ".error").read_text()  # noqa: E731
    command = ("bot", "analyse", "out", "--bot", "greedy", "--seconds", "300")
    code, _, error = interrupted(tmp_path, *command, begun=begun)
    assert code == 130, error
    assert re.fullmatch(r"\d of 4 matches are analysed", last_line(error)[1])


def test_a_second_ctrl_c_ends_at_once(tmp_path: Path) -> None:
    command = ("match", "lost_cities", "greedy", "random", "--sets", MANY, "--records", "out")
    with running(tmp_path, *command) as process:
        wait_until(has_records(tmp_path / "out"), "it plays", within_s=120)
        (referee,) = children(process.pid)
        os.kill(referee, signal.SIGSTOP)  # so that stopping it takes its whole grace time
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(2) == 130
        wait_until(lambda: not lives(referee), "its referee has ended")
    assert (tmp_path / ".error").read_text().endswith("arena: interrupted\n")


def test_the_processes_of_selfplay_end_with_the_command(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    command = ("selfplay", "lost_cities", "--bots", "search,search", "--matches", MANY, "--jobs", "2")
    with running(tmp_path, *command, "--out", "out.parquet") as process:
        wait_until(lambda: len(children(process.pid)) >= 3, "it plays", within_s=120)
        players = children(process.pid)
        process.kill()
        process.wait()
        wait_until(lambda: not any(map(lives, players)), "they have ended")


def test_ctrl_c_in_a_terminal_does_the_same(tmp_path: Path) -> None:
    main, side = pty.openpty()
    command = ("match", "lost_cities", "greedy", "random", "--sets", MANY, "--records", "out")
    with chdir(tmp_path), open(side, "wb", closefd=False) as terminal:
        process = child_process.start(
            [sys.executable, "-c", OWN_TERMINAL, ARENA, *command],
            environment={},
            stdout=terminal,
            stderr=terminal,
        )
    os.close(side)
    shown = b""
    os.set_blocking(main, False)

    def read() -> bool:
        nonlocal shown
        with suppress(OSError):
            shown += os.read(main, 65_536)
        return process.poll() is not None

    try:
        wait_until(lambda: not read() and has_records(tmp_path / "out")(), "it plays", within_s=120)
        os.write(main, b"\x03")
        wait_until(read, "it ends", within_s=60)
    finally:
        child_process.stop(process, grace_s=0)
        os.close(main)
    assert process.returncode == 130
    assert b"matches are played; again, from the start: arena match" in shown.replace(b"\r\n", b"")
