"""`arena match` and `arena verify`: a real referee and real bots; the signals go to a command in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.scheduling.seeds import series_seed
from tests.certificates import issue
from tests.cli.running import Done, run
from tests.patience import wait_until

ARENA = str(Path(sys.executable).parent / "arena")
SEED = "0123456789abcdef" * 4

FIRST = """
from arena.sdk import Bot, run

class First(Bot):
    def choose(self, decision):
        return decision.legal[0]

if __name__ == "__main__":
    run(First())
"""

CRASHING = """
from arena.sdk import Bot, run

class Crashing(Bot):
    def choose(self, decision):
        raise RuntimeError("out of ideas")

run(Crashing())
"""


def arena(*arguments: str, cwd: Path, **environment: str) -> Done:
    """Run `arena` in a folder, in this process; the referee and the bots have processes of their own."""
    return run(*arguments, within=cwd, **environment)


def played(*arguments: str, cwd: Path, **environment: str) -> dict[str, Any]:
    done = arena("match", *arguments, "--json", cwd=cwd, **environment)
    assert done.code == 0, done.error
    document: dict[str, Any] = json.loads(done.out)
    return document


NOTING = """
from arena.sdk import Bot, run

class Noting(Bot):
    def choose(self, decision):
        decision.note({action: 1.0 for action in decision.legal}, text=decision.legal[0], win=0.5)
        return decision.legal[0]

run(Noting())
"""


def records(folder: Path) -> dict[str, dict[str, Any]]:
    return {file.name: json.loads(file.read_text()) for file in folder.iterdir()}


def without_ms(record: dict[str, Any]) -> dict[str, Any]:
    steps = [{key: value for key, value in step.items() if key != "ms"} for step in record["steps"]]
    return {**record, "steps": steps}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder with the records of two sets, and what was printed."""
    folder = tmp_path_factory.mktemp("played")
    arguments = ("lost_cities", "greedy", "random", "--sets", "2", "--option", "hands=1")
    return folder / "out", played(*arguments, "--seed", SEED, "--records", "out", cwd=folder)


def test_every_match_has_its_record(out: tuple[Path, dict[str, Any]]) -> None:
    folder, document = out
    assert sorted(records(folder)) == sorted(f"{match['match']}.json" for match in document["matches"])
    assert len(document["matches"]) == 4


def test_notes_of_a_bot_lie_beside_the_record_of_the_match(tmp_path: Path) -> None:
    (tmp_path / "noting.py").write_text(NOTING)
    arguments = ("lost_cities", "noting.py", "random", "--option", "hands=1", "--records", "out")
    document = played(*arguments, cwd=tmp_path)
    for match in document["matches"]:
        record = json.loads((tmp_path / "out" / f"{match['match']}.json").read_text())
        (line,) = (tmp_path / "out" / f"{match['match']}.notes.jsonl").read_text().splitlines()
        noted = json.loads(line)
        assert noted["dropped"] == 0
        assert record["seats"][noted["seat"]]["bot"] == "noting"
        for each in noted["steps"]:
            assert record["steps"][each["step"]]["action"] == each["text"]


def test_records_verify(out: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = out
    done = run("verify", "out", within=folder.parent)
    assert done.code == 0
    assert done.out == "".join(f"out/{name}: ok\n" for name in sorted(records(folder)))


def test_greedy_wins_all(out: tuple[Path, dict[str, Any]]) -> None:
    greedy, random = out[1]["bots"]
    assert (greedy["bot"], greedy["version"], greedy["points"], greedy["wins"]) == ("greedy", "1", 4, 4)
    assert (random["points"], random["losses"], random["faults"]) == (0, 4, 0)
    assert out[1]["elo_difference"]["value"] > 100


def test_each_bot_sits_in_each_seat_of_a_set(out: tuple[Path, dict[str, Any]]) -> None:
    for number in (0, 1):
        seats = [match["seats"] for match in out[1]["matches"] if match["set"] == number]
        assert sorted(seats) == [[0, 1], [1, 0]]


def test_sets_have_the_seeds_that_are_documented(out: tuple[Path, dict[str, Any]]) -> None:
    folder, document = out
    for match in document["matches"]:
        record = records(folder)[f"{match['match']}.json"]
        assert record["seed"] == series_seed(bytes.fromhex(SEED), match["set"]).hex()
    assert {record["seed"] for record in records(folder).values()} > {SEED}


@pytest.mark.usefixtures("own_referee")
def test_same_seed_gives_the_same_records_except_for_times(
    out: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder, document = out
    arguments = ("lost_cities", "greedy", "random", "--sets", "2", "--option", "hands=1")
    assert played(*arguments, "--seed", SEED, "--records", "out", cwd=tmp_path) == document
    again = records(tmp_path / "out")
    assert {name: without_ms(record) for name, record in again.items()} == {
        name: without_ms(record) for name, record in records(folder).items()
    }


def test_five_seats_play_with_copies_of_one_bot(tmp_path: Path) -> None:
    arguments = ("land_unter", "greedy", "counter", "greedy", "--option", "rounds=1", "--records", "out")
    done = arena("match", *arguments, cwd=tmp_path)
    assert done.code == 0
    assert "greedy (2)" in done.out
    assert "Elo over the others" in done.out
    assert done.error.splitlines() == [f"{number} of 3 matches played" for number in (1, 2, 3)]
    assert run("verify", "out", within=tmp_path).code == 0


def test_own_file_plays_and_crash_is_told_with_its_message(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "crashing.py").write_text(CRASHING)
    arguments = ("lost_cities", "first.py", "crashing.py", "--records", "out")
    done = arena("match", *arguments, cwd=tmp_path)
    assert done.code == 0
    assert done.out.count("crashing: crash: ") == 2
    assert "RuntimeError: out of ideas" in done.out
    assert 'crashing.py", line 6, in choose' in done.out
    assert run("verify", "out", within=tmp_path).code == 0


def test_faults_of_one_kind_are_listed_a_few_times_only(tmp_path: Path) -> None:
    (tmp_path / "crashing.py").write_text(CRASHING)
    done = arena("match", "lost_cities", "crashing.py", "random", "--sets", "3", cwd=tmp_path)
    assert done.out.count("RuntimeError: out of ideas") == 3
    assert "… 3 more of crashing: crash (--json has them all)" in done.out


def test_bot_that_listens_plays_at_its_address(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    command = [sys.executable, "first.py", "--listen", "127.0.0.1:0", "--secret", "s3"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        address = bot.stdout.readline().split()[-1]
        document = played(
            "lost_cities", address, "random", "--option", "hands=1", cwd=tmp_path, ARENA_BOT_SECRET="s3"
        )
        bot.terminate()
    assert [each["bot"] for each in document["bots"]] == [address, "random"]
    assert [match["end"] for match in document["matches"]] == ["completed", "completed"]


def test_bot_that_listens_with_tls_plays_if_its_certificate_is_trusted(tmp_path: Path) -> None:
    files = issue(tmp_path)
    (tmp_path / "first.py").write_text(FIRST)
    command = [sys.executable, "first.py", "--listen", "0.0.0.0:0", "--secret", "s3", *files.options]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        address = f"https://localhost:{bot.stdout.readline().strip().rpartition(':')[2]}"
        game = ("lost_cities", address, "random", "--option", "hands=1")
        document = played(*game, cwd=tmp_path, ARENA_BOT_SECRET="s3", ARENA_CA=str(files.ca))
        doubted = arena("match", *game, cwd=tmp_path, ARENA_BOT_SECRET="s3")
        bot.terminate()
    assert [match["end"] for match in document["matches"]] == ["completed", "completed"]
    assert doubted.code == 1
    assert "its certificate is not trusted here" in doubted.error
    assert doubted.error.count("\n") == 1


def test_address_where_nobody_listens_is_named(tmp_path: Path) -> None:
    done = arena("match", "lost_cities", "127.0.0.1:9", "random", "--records", "out", cwd=tmp_path)
    assert done.code == 1
    assert done.error.startswith("arena: bot '127.0.0.1:9': ")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupted_match_leaves_no_process_and_no_half_record(
    tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    command = [ARENA, "match", "lost_cities", "first.py", "random", "--sets", "500", "--records", "out"]
    match = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: list(tmp_path.glob("out/*.json")), "a match is over", within_s=30)
        children = _descendants(match.pid)
        match.send_signal(number)
        _, stderr = match.communicate(timeout=30)
    finally:
        match.kill()
        match.wait()
    assert match.returncode != 0
    assert "Traceback" not in stderr
    assert children
    wait_until(lambda: not any(map(_alive, children)), "its processes are gone", within_s=10)
    for file in (tmp_path / "out").iterdir():
        assert json.loads(file.read_text())["format"] == "arena-match/1"


def _descendants(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return children + [each for child in children for each in _descendants(child)]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_a_file_of_the_folder_hides_no_library(tmp_path: Path) -> None:
    (tmp_path / "queue.py").write_text("raise SystemExit('the wrong queue')")
    command = [ARENA, "match", "lost_cities", "random", "random", "--option", "hands=1", "--json"]
    printed = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, check=True).stdout
    assert [match["fault"] for match in json.loads(printed)["matches"]] == [None, None]


def test_one_set_has_no_error_bar_and_says_what_gives_one(tmp_path: Path) -> None:
    done = arena(
        "match", "lost_cities", "greedy", "random", "--sets", "1", "--option", "hands=1", cwd=tmp_path
    )
    assert "(one set gives no error bar; play more: --sets)" in done.out
    assert "?" not in done.out
    assert "±" not in done.out


def test_results_do_not_depend_on_the_number_of_jobs(
    out: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    folder, document = out
    arguments = ("lost_cities", "greedy", "random", "--sets", "2", "--option", "hands=1", "--jobs", "3")
    assert played(*arguments, "--seed", SEED, "--records", "out", cwd=tmp_path) == document
    again = records(tmp_path / "out")
    assert {name: without_ms(record) for name, record in again.items()} == {
        name: without_ms(record) for name, record in records(folder).items()
    }


def test_a_saved_bot_is_played_again_with_its_new_code_until_it_is_interrupted(tmp_path: Path) -> None:
    bot = tmp_path / "first.py"
    bot.write_text(FIRST)
    command = [ARENA, "match", "lost_cities", "first.py", "random", "--option", "hands=1", "--watch"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as match:
        try:
            assert "out of ideas" not in _until_seed(match)
            bot.write_text(CRASHING)
            assert "RuntimeError: out of ideas" in _until_seed(match)
            match.send_signal(signal.SIGINT)
            assert match.wait(timeout=30) == 0
        finally:
            match.kill()


def _until_seed(match: subprocess.Popen[str]) -> str:
    """Read one result, whose last line names the seed."""
    assert match.stdout is not None
    lines = []
    while (line := match.stdout.readline()) and not line.startswith("seed "):
        lines.append(line)
    return "".join(lines)


def test_only_files_can_be_watched(tmp_path: Path) -> None:
    done = run("match", "lost_cities", "greedy", "random", "--watch", within=tmp_path)
    assert done.code == 2
    assert "watch: none of the bots is a file or a project's folder" in done.error
