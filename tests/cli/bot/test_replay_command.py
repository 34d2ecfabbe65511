"""`arena bot replay`: a bot before the decisions of a match again, as a real process or as one that listens."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.match.test_match_command import ARENA, NOTING, SEED, arena, played
from tests.cli.running import run
from tests.patience import patient

MINE = """
import os
from arena.sdk import Bot, run

class Mine(Bot):
    name = "mine"

    def choose(self, decision):
        if os.environ.get("MINE") == "crash" and len(decision.history) > 20:
            raise RuntimeError("out of ideas")
        if os.environ.get("MINE") == "better" and len(decision.history) > 20:
            return decision.legal[0]
        return decision.random.choice(decision.legal)

if __name__ == "__main__":
    run(Mine())
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot, and the record of a match of it in `records`, in which it sat in seat 1."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "mine.py").write_text(MINE)
    arguments = ("lost_cities", "mine.py", "greedy", "--option", "hands=1", "--seed", SEED)
    document = played(*arguments, "--records", "records", cwd=folder)
    (match,) = [match["match"] for match in document["matches"] if match["seats"] == [1, 0]]
    (folder / "records" / f"{match}.json").rename(folder / "match.json")
    played(*arguments, "--records", "crashed", cwd=folder, MINE="crash")
    return folder


def replayed(home: Path, *arguments: str, **environment: str) -> dict[str, Any]:
    done = arena("bot", "replay", *arguments, "--json", cwd=home, **environment)
    assert done.code == 0, done.error
    document: dict[str, Any] = json.loads(done.out)
    return document


@pytest.fixture(scope="module")
def different(home: Path) -> dict[str, Any]:
    """The first decision that a better bot takes differently."""
    found: dict[str, Any] = replayed(home, "match.json", "mine.py", MINE="better")["different"][0]
    return found


def reference(home: Path, document: dict[str, Any]) -> str:
    """The MATCH:STEP of a decision."""
    match = json.loads((home / "match.json").read_text())["match"]
    return f"{match}:{document['step']}"


def test_the_same_bot_answers_as_it_did(home: Path) -> None:
    document = replayed(home, "match.json", "mine.py")
    assert document["seats"] == [1]
    assert document["decisions"] > 20
    assert document["different"] == []


def test_a_changed_bot_is_told_where_it_chooses_differently(home: Path) -> None:
    done = arena("bot", "replay", "match.json", "mine.py", cwd=home, MINE="better")
    assert done.code == 0
    head, *lines = done.out.splitlines()
    assert head.startswith("seat 1 (mine): ")
    assert f" {len(lines)} answered differently now" in head
    steps = json.loads((home / "match.json").read_text())["steps"]
    for line in lines:
        found = re.fullmatch(r"  [a-z0-9]{16}:(\d+) \(Hand 1\): (.*), now .*", line)
        assert found is not None, line
        assert steps[int(found[1])]["action"] == found[2]
        assert int(found[1]) >= 18


def test_one_decision_comes_again_as_it_was(home: Path, different: dict[str, Any]) -> None:
    at = reference(home, different)
    again = replayed(home, "match.json", "--seat", "1", "--at", at, "mine.py")
    assert again["now"] == again["then"] == different["then"]
    assert {**again, "now": different["now"], "ms": 0} == {**different, "ms": 0}
    directly = replayed(home, "match.json", "--at", at, "--directly", "mine.py", MINE="better")
    assert directly["now"] == different["now"]


def test_one_decision_is_shown_with_all_there_is_to_it(home: Path, different: dict[str, Any]) -> None:
    at = reference(home, different)
    done = arena("bot", "replay", "match.json", "--at", at, "mine.py", cwd=home)
    head, _, *rows = done.out.splitlines()
    assert head.startswith(f"{at} (lost_cities, Hand 1): seat 1, its decision {different['decision']}")
    names = [line.split()[0] for line in rows]
    assert names[0] == "hand_number"
    assert names[-4:] == ["clock", "legal", "then", "now"]
    assert done.out.rstrip().endswith("as then")


def test_the_decision_at_which_a_bot_crashed_can_be_tried_again(
    home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (record, *_) = (home / "crashed").iterdir()
    crash = arena("bot", "replay", str(record), "mine.py", cwd=home, MINE="crash")
    assert crash.code == 1
    assert "RuntimeError: out of ideas" in capfd.readouterr().err  # what the bot itself writes
    assert crash.error.splitlines()[-1].endswith("its process ended with exit code 1")
    (different,) = replayed(home, str(record), "mine.py")["different"]
    assert different["then"] is None
    told = arena("bot", "replay", str(record), "mine.py", cwd=home).out.splitlines()[1]
    assert "crash: RuntimeError: out of ideas, now " in told


def test_the_number_of_a_decision_is_refused_with_its_reference(
    home: Path, different: dict[str, Any]
) -> None:
    at, number = reference(home, different), different["decision"]
    done = arena("bot", "replay", "match.json", "--at", str(number), "mine.py", cwd=home)
    assert done.code == 2
    assert (
        done.error == f"arena: at '{number}': must be MATCH:STEP; decision {number} of seat 1 is --at {at}\n"
    )


def test_one_reference_names_the_same_moment_to_replay_fork_and_view(
    home: Path, tmp_path: Path, different: dict[str, Any]
) -> None:
    at, then = reference(home, different), different["then"]
    replayed_at = arena("bot", "replay", ".", "--at", at, "mine.py", cwd=home)
    assert re.search(rf"^  then +{then}$", replayed_at.out, re.MULTILINE)
    other = next(action for action in different["legal"] if action != then)
    forked = arena(
        "bot", "analyse", "match.json", "--fork", at, "--action", other, "--with", "mine.py", cwd=home
    )
    assert f"{at}: {other} instead of {then}" in forked.out
    viewed = arena("view", "match.json", "--at", at, "--out", str(tmp_path / "m.html"), cwd=home)
    assert viewed.code == 0, viewed.error
    told = (tmp_path / "m.html").read_text().partition('<p class="told">')[2].partition("</p>")[0]
    assert at in told
    assert f">{then} · " in told


def test_what_the_bot_noted_then_is_shown(tmp_path: Path) -> None:
    (tmp_path / "noting.py").write_text(NOTING)
    document = played(
        "lost_cities", "noting.py", "random", "--option", "hands=1", "--records", "r", cwd=tmp_path
    )
    match = document["matches"][0]["match"]
    steps = json.loads((tmp_path / "r" / f"{match}.json").read_text())["steps"]
    seat = document["matches"][0]["seats"].index(0)
    at = next(number for number, step in enumerate(steps) if step.get("seat") == seat)
    shown = arena("bot", "replay", "r", "--at", f"{match}:{at}", "noting.py", cwd=tmp_path).out
    assert "noted then: win 0.5" in shown


def test_a_bot_that_listens_is_asked_too(home: Path) -> None:
    arguments = [sys.executable, "mine.py", "--listen", "127.0.0.1:0", "--secret", "sesame"]
    with subprocess.Popen(arguments, cwd=home, stdout=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stdout is not None
            address = bot.stdout.readline().split()[-1]
            document = replayed(home, "match.json", "--seat", "1", address, ARENA_BOT_SECRET="sesame")
            refused = arena("bot", "replay", "match.json", "--seat", "1", address, cwd=home)
        finally:
            bot.kill()
    assert document["different"] == []
    assert refused.code == 1
    assert "authorization: must be `Bearer <the bot's secret>`" in refused.error


def test_the_debugger_stops_where_the_bot_begins_to_think(home: Path, different: dict[str, Any]) -> None:
    ours, its = pty.openpty()
    arguments = [ARENA, "bot", "replay", "match.json", "--at", reference(home, different), "--pdb", "mine.py"]
    with subprocess.Popen(
        arguments, cwd=home, stdin=its, stdout=its, stderr=its, start_new_session=True
    ) as process:
        os.close(its)
        shown = _read_until(ours, b"(Pdb) ")
        os.write(ours, b"p 'history', len(decision.history)\n")
        shown += _read_until(ours, b"(Pdb) ")
        os.write(ours, b"c\n")
        shown += _read_until(ours, b"as then")
        assert process.wait(patient(20)) == 0
    os.close(ours)
    assert b"mine.py(" in shown
    assert b"choose()" in shown
    assert b"('history', " in shown


def _read_until(terminal: int, mark: bytes) -> bytes:
    read = b""
    deadline = time.monotonic() + patient(30)
    while mark not in read:
        assert time.monotonic() < deadline, read
        read += os.read(terminal, 4096)
    return read


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("nothing.json mine.py", 2, "record 'nothing.json': cannot be read: No such file or directory"),
        ("mine.py mine.py", 1, "mine.py: record: must be JSON"),
        ("wrong.json mine.py", 1, "wrong.json: step 1: "),
        (
            "match.json random",
            2,
            "bot 'random': sat in no seat of this match; give --seat, of 0 greedy, 1 mine",
        ),
        ("match.json --seat 2 random", 2, "seat 2: must be 0 to 1"),
        (
            "match.json --at MATCH:0 mine.py",
            2,
            "at MATCH:0: that step is no answer of a seat; seat 1 was asked at 3, ",
        ),
        (
            "match.json --at MATCH:2 mine.py",
            2,
            "at MATCH:2: that step is of seat 0 (greedy), whose decisions --seat 0 takes",
        ),
        ("match.json --at MATCH:9999 mine.py", 2, "at MATCH:9999: the match has the steps 0 to "),
        ("match.json --at abc:9 mine.py", 2, "at 'abc:9': none of the records is that of match abc"),
        ("match.json --at abc mine.py", 2, "at 'abc': must be MATCH:STEP, such as "),
        (". mine.py", 2, ".: is a folder; name one of its files, or a decision with --at MATCH:STEP"),
        ("match.json --pdb mine.py", 2, "pdb: goes with --at MATCH:STEP"),
        ("match.json --seat 1 127.0.0.1:9", 1, "bot '127.0.0.1:9': nobody answers at 127.0.0.1:9"),
        (
            "match.json --seat 1 nobot.py",
            1,
            "bot 'nobot.py': it never connected to ARENA_REFEREE: its process ended",
        ),
    ],
)
def test_what_cannot_be_replayed_is_told_in_one_line(
    arguments: str, code: int, message: str, home: Path
) -> None:
    document = json.loads((home / "match.json").read_text())
    document["steps"][1]["action"] = "play nothing"
    (home / "wrong.json").write_text(json.dumps(document))
    (home / "nobot.py").write_text("")
    arguments, message = (
        text.replace("MATCH", document["match"]) if "MATCH:STEP" not in text else text
        for text in (arguments, message)
    )
    done = run("bot", "replay", *arguments.split(), within=home)
    assert done.code == code, done.error
    assert done.error.startswith(f"arena: {message}")
    assert done.error.count("\n") == 1
