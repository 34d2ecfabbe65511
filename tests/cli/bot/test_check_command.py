"""`arena bot check`: good bots pass, and each bad one is told in words what is wrong with it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.match.test_match_command import FIRST, arena
from tests.cli.running import run
from tests.sdk.test_author_docs import programs

ONE = ("--game", "lost_cities", "--matches", "1")

BOT = """
import os, random, time
from arena.sdk import Bot, Line, run

class Mine(Bot):
    {body}

    def choose(self, decision):
        {choose}

run(Mine())
"""


def checked(home: Path, *arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Run the check: its exit code, and its findings by what was looked at."""
    done = arena("bot", "check", *arguments, "--json", cwd=home)
    assert done.out, done.error
    document = json.loads(done.out)
    assert document["ok"] is (done.code == 0)
    return done.code, {finding["what"]: finding for finding in document["findings"]}


def written(home: Path, body: str = "pass", choose: str = "return decision.legal[0]") -> str:
    (home / "mine.py").write_text(BOT.format(body=body, choose=choose))
    return "mine.py"


def test_a_new_project_is_ready_to_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("bot", "new", "my-bot", "--game", "land_unter")
    done = arena("bot", "check", "my-bot", "--matches", "1", "--records", "out", cwd=tmp_path)
    assert done.code == 0
    *lines, last = done.out.splitlines()
    assert last == "my-bot is ready to play"
    assert {line.split()[0] for line in lines} == {"ok"}
    looked_at = [re.sub(r"^ok +([^:]+):.*", r"\1", line) for line in lines]
    tables = [f"land_unter (standard), {seats} seats" for seats in (3, 4, 5)]
    assert looked_at == ["upload", "sandbox", "handshake", *tables, "speed", "memory"]
    assert run("verify", "out", within=tmp_path).code == 0


@pytest.mark.parametrize(
    ("line", "verdict", "text"),
    [
        ('requires = ["numpy"]', "warning", "it needs numpy"),
        ("matches_at_once = 0", "failed", "matches_at_once"),
    ],
)
def test_what_would_be_submitted_is_read_as_the_arena_reads_it(
    line: str, verdict: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("bot", "new", "my-bot", "--game", "teotlatolli")
    with (tmp_path / "my-bot" / "bot.toml").open("a") as file:
        file.write(f"{line}\n")
    code, findings = checked(tmp_path, "my-bot", "--matches", "1")
    assert findings["upload"]["verdict"] == verdict
    assert text in findings["upload"]["text"]
    assert code == (verdict == "failed")


@pytest.mark.parametrize(
    ("body", "choose", "what", "verdict", "text"),
    [
        ("pass", "raise RuntimeError('boom')", "table", "failed", "crash in match .*boom"),
        ("pass", "return 'play nothing'", "table", "failed", "illegal answer 'play nothing'"),
        ("pass", "time.sleep(60)", "table", "failed", "timeout in match .*: no answer within 10000 ms"),
        ("pass", "return random.choice(decision.legal)", "table", "warning", "went another way from step"),
        (
            "games = ('land_unter',)",
            "pass",
            "handshake",
            "failed",
            "it is to play lost_cities, but its Hello offers land_unter",
        ),
        ("games = ('chess',)", "pass", "handshake", "failed", "Hello.games names 'chess'"),
        ("name = 'x' * 65", "pass", "handshake", "failed", "Hello.name has 65 bytes"),
        ("version = '1 beta'", "pass", "handshake", "failed", "Hello.version '1 beta': must be printable"),
        ("os._exit(3)", "pass", "handshake", "failed", "never connected .* exit code 3"),
        ("talks = True", "return decision.legal[0]", "talk", "warning", "there is no talk in what it plays"),
    ],
)
def test_what_is_wrong_is_told(
    body: str, choose: str, what: str, verdict: str, text: str, tmp_path: Path
) -> None:
    code, findings = checked(tmp_path, written(tmp_path, body, choose), *ONE)
    finding = findings["lost_cities (standard), 2 seats" if what == "table" else what]
    assert finding["verdict"] == verdict
    assert re.search(text, finding["text"], re.DOTALL)
    assert finding["remedy"]
    assert code == (verdict == "failed")


@pytest.mark.parametrize(
    ("choose", "remedy"),
    [
        ("import socket; socket.create_connection(('127.0.0.1', 80))", "there is no network in the sandbox"),
        ("import socket; socket.getaddrinfo('example.org', 80)", "there is no network in the sandbox"),
        (
            "import threading; [threading.Thread(target=time.sleep, args=(9,)).start() for _ in range(40)]",
            "a sandbox has at most 32 processes and threads",
        ),
        ("[os.fork() or time.sleep(9) for _ in range(40)]", "a sandbox has at most 32 processes and threads"),
        ("kept = bytearray(600 << 20)", "a sandbox has at most 512 MiB of memory"),
        ("kept = [open(__file__) for _ in range(200_000)]", "may have at most .* files open"),
        ("open(os.path.join(os.path.dirname(__file__), 'x'), 'w')", "can be written in /tmp only"),
        ("open('/tmp/x', 'w').write('x' * (17 << 20))", "has room for 16 MiB"),
        ("[open(f'/tmp/{n}', 'w') .close() for n in range(1500)]", "in 1024 files"),
        ("import subprocess; subprocess.run(['/bin/ls'])", "no other files or programs"),
        ("import rich", "packages that bot.toml names"),
        ("os.nice(1); os.mkfifo('/tmp/x'); os.sched_setaffinity(0, [0])", "refuses this system call"),
        ("input()", "there is nothing to read"),
    ],
)
def test_a_bot_meets_the_limits_of_the_sandbox_and_is_told_which(
    choose: str, remedy: str, tmp_path: Path
) -> None:
    code, findings = checked(tmp_path, written(tmp_path, choose=f"{choose}; return decision.legal[0]"), *ONE)
    assert findings["sandbox"]["verdict"] == "ok", findings["sandbox"]
    finding = findings["lost_cities (standard), 2 seats"]
    assert code == 1
    assert "its last words: " in finding["text"]
    assert "Traceback" in finding["text"]  # after what Python 3.12 and later say of fork() among threads
    assert re.search(remedy, finding["remedy"])


def test_without_a_sandbox_it_says_so_and_what_that_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_referee: None
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # where no bubblewrap is
    code, findings = checked(tmp_path, written(tmp_path), *ONE)
    assert findings["sandbox"]["verdict"] == "warning"
    assert "bubblewrap is missing" in findings["sandbox"]["text"]
    assert "an arena may still refuse what works here" in findings["sandbox"]["remedy"]
    assert code == 0


def test_what_cannot_be_uploaded_plays_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("bot", "new", "my-bot", "--game", "lost_cities")
    manifest = tmp_path / "my-bot" / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"my-bot"', '"Zoë"'))
    code, findings = checked(tmp_path, "my-bot")
    assert code == 1
    assert {what: each["verdict"] for what, each in findings.items()} == {
        "upload": "failed",
        "handshake": "ok",
    }


def test_a_line_that_breaks_its_limits_is_told(tmp_path: Path) -> None:
    body = "talks = True\n\n    def say(self, decision):\n        return Line('x' * 10_000)"
    code, findings = checked(tmp_path, written(tmp_path, body), "--game", "lifeboats", "--matches", "1")
    finding = findings["lifeboats (standard), 3 seats"]
    assert code == 1
    assert re.match(r"protocol in match .*text of 10000 bytes", finding["text"])


def test_a_bot_that_talks_is_heard(tmp_path: Path) -> None:
    body = "talks = True\n\n    def say(self, decision):\n        return Line('ahoy')"
    code, findings = checked(tmp_path, written(tmp_path, body), "--game", "lifeboats", "--matches", "1")
    assert code == 0
    assert re.match(r"it said \d+ lines", findings["talk"]["text"])


def test_an_illegal_answer_of_a_bot_without_the_sdk_is_told(tmp_path: Path) -> None:
    (program,) = programs("protocol.md")
    (tmp_path / "bare.py").write_text(program.replace("action=0", "action=999"))
    code, findings = checked(tmp_path, "bare.py", *ONE)
    finding = findings["lost_cities (standard), 2 seats"]
    assert code == 1
    assert re.match(r"illegal action in match .*action 999: must be 0 to", finding["text"])


def test_a_bot_that_listens_is_checked_too(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    arguments = [sys.executable, "first.py", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(arguments, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as bot:
        try:
            assert bot.stdout is not None
            code, findings = checked(tmp_path, bot.stdout.readline().split()[-1], *ONE)
        finally:
            bot.kill()
    assert code == 0
    assert [finding["verdict"] for finding in findings.values()] == [
        "ok"
    ] * 3  # its memory is not here to be seen


def test_what_is_no_bot_is_told_in_one_line(tmp_path: Path) -> None:
    done = run("bot", "check", "nothing", within=tmp_path)
    assert done.code == 2
    assert done.error.startswith("arena: bot 'nothing': must be a project's folder, a file such as my_bot.py")
    code, findings = checked(tmp_path, "127.0.0.1:9", *ONE)
    assert code == 1
    assert findings["handshake"]["text"].startswith("nobody answers at 127.0.0.1:9")


def test_somebody_has_to_say_what_the_bot_plays(tmp_path: Path) -> None:
    done = run("bot", "check", written(tmp_path), within=tmp_path)
    assert done.code == 2
    assert (
        done.error == "arena: bot 'mine': does not say what it plays; give --game, or name games in the bot\n"
    )


def test_the_variants_that_a_project_declares_are_checked_and_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    written(folder, 'games = ("bottle_imp",); variants = ("standard", "lopaka")')
    (folder / "bot.toml").write_text(
        'name = "mine"\ngame = "bottle_imp"\nentry = "mine.py"\nvariants = ["standard", "lopaka"]\n'
    )
    code, findings = checked(tmp_path, "mine", "--variant", "lopaka", "--matches", "1")
    assert code == 0
    assert [what for what in findings if "seats" in what] == ["bottle_imp (lopaka), 2 seats"]
    refused = arena("bot", "check", "mine", "--variant", "bright_house", cwd=tmp_path)
    assert refused.code == 2
    assert (
        "mine does not declare it; it plays bottle_imp: standard at 3–4 seats, lopaka at 2 seats"
        in refused.error
    )
    unknown = arena("bot", "check", "mine", "--variant", "x", cwd=tmp_path)
    assert "variants 'x': there is no such table" in unknown.error


def test_a_hello_that_offers_less_than_the_project_declares_fails(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    written(folder, 'games = ("bottle_imp",); variants = ("standard",)')
    (folder / "bot.toml").write_text('name = "mine"\ngame = "bottle_imp"\nentry = "mine.py"\n')
    code, findings = checked(tmp_path, "mine", "--matches", "1")
    assert code == 1
    assert findings["handshake"]["text"] == (
        "bot.toml declares lopaka at 2 seats, bright_house at 2 seats of bottle_imp, "
        "but its Hello offers standard at 3–4 seats only"
    )
    assert "the same values in bot.toml and in the bot" in findings["handshake"]["remedy"]
