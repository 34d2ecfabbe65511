"""Bots of one name at home: each command tells them apart."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import httpx
import pytest

from arena.cli.match.contenders import as_submitted, read_contenders
from arena.devtools.record_files import find_records
from arena.match.record import from_json
from tests.bundle_format.uploads import BOT
from tests.cli.running import run
from tests.parts.arena_process import ARENA, clean_environment

PYTHON = BOT.replace("run(Mine())", "if __name__ == '__main__':\n    run(Mine())")
BROKEN = PYTHON.replace("decision.legal[0]", "'nothing'")
GAME = "lost_cities"


def write(file: Path, text: str = PYTHON) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A folder with v1/bot.py, which plays, and v2/bot.py, which answers what is no action."""
    write(tmp_path / "v1/bot.py")
    write(tmp_path / "v2/bot.py", BROKEN)
    return tmp_path


def labels(*texts: Path | str) -> list[str]:
    return [each.label for each in read_contenders(GAME, [str(text) for text in texts])]


def test_the_folders_that_differ_are_shown(bots: Path) -> None:
    assert labels(bots / "v1/bot.py", bots / "v2/bot.py", "greedy") == ["bot (v1)", "bot (v2)", "greedy"]


def test_equal_files_in_two_folders_are_two_bots(bots: Path) -> None:
    write(bots / "v2/bot.py")
    assert labels(bots / "v1/bot.py", bots / "v2/bot.py") == ["bot (v1)", "bot (v2)"]


def test_as_much_of_the_path_is_shown_as_tells_them_apart(tmp_path: Path) -> None:
    files = [write(tmp_path / place / "bot.py") for place in ("1/a", "1/b", "2/a")]
    assert labels(*files) == ["bot (1/a)", "bot (1/b)", "bot (2/a)"]


def test_copies_are_numbered(bots: Path) -> None:
    one, other = bots / "v1/bot.py", bots / "v2/bot.py"
    assert labels(one, one) == ["bot", "bot (2)"]
    assert labels(one, other, one) == ["bot (v1)", "bot (v2)", "bot (v1) (2)"]


def test_a_file_of_a_house_bots_name_is_told_from_it(tmp_path: Path) -> None:
    file = write(tmp_path / "mine/greedy.py")
    assert labels("greedy", file, "greedy") == [
        "greedy (house bot)",
        "greedy (mine/greedy.py)",
        "greedy (house bot) (2)",
    ]


def test_projects_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        write(tmp_path / folder / "main.py")
        write(tmp_path / folder / "bot.toml", f'name = "mine"\ngames = ["{GAME}"]\nentry = "main.py"\n')
    assert labels(tmp_path / "old", tmp_path / "new") == ["mine (old)", "mine (new)"]


def test_equal_projects_share_no_process_as_submissions(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        write(tmp_path / folder / "main.py")
        write(tmp_path / folder / "bot.toml", f'name = "mine"\ngames = ["{GAME}"]\nentry = "main.py"\n')
    found, _ = as_submitted(read_contenders(GAME, [str(tmp_path / "old"), str(tmp_path / "new")]))
    assert found[0].program == found[1].program
    assert found[0].order(0, 2) != found[1].order(0, 2)
    assert found[0].label != found[1].label


def test_no_two_labels_are_equal(tmp_path: Path) -> None:
    files = [write(tmp_path / name / "bot.py") for name in ("v1", "v2")]
    odd = write(tmp_path / "bot (v1).py")
    found = labels(*files, odd, odd)
    assert len(set(found)) == len(found)


def test_a_match_has_rows_elo_and_faults_of_each(bots: Path) -> None:
    done = run("match", GAME, "v1/bot.py", "v2/bot.py", "--sets", "2", within=bots)
    assert done.code == 0, done.error
    assert "Elo of bot (v1) over bot (v2)" in done.out
    assert ": bot (v2): crash:" in done.out
    assert ": bot (v1): " not in done.out
    rows = [line.split()[:2] for line in done.out.splitlines() if "bot (v" in line and "fault" not in line]
    assert rows[:2] == [["bot", "(v1)"], ["bot", "(v2)"]]


def test_json_of_a_match_has_labels_and_faults_of_each(bots: Path) -> None:
    document = json.loads(run("match", GAME, "v1/bot.py", "v2/bot.py", "--json", within=bots).out)
    assert [(each["bot"], each["label"], each["faults"]) for each in document["bots"]] == [
        ("bot", "bot (v1)", 0),
        ("bot", "bot (v2)", 2),
    ]


def test_a_race_names_each(bots: Path) -> None:
    race = ("race", GAME, "v1/bot.py", "v2/bot.py", "greedy", "--rounds", "10")
    document = json.loads(run(*race, "--json", within=bots).out)
    assert [each["label"] for each in document["bots"]] == ["bot (v1)", "bot (v2)", "greedy"]
    assert document["bots"][0]["faults"] == 0 < document["bots"][1]["faults"]
    done = run(*race, within=bots)
    assert {"bot (v1)", "bot (v2)"} <= {name for name in ("bot (v1)", "bot (v2)") if name in done.out}


def test_a_profile_says_whose_decision_it_is(bots: Path) -> None:
    write(bots / "v2/bot.py", PYTHON.replace("return", "_ = [0] * 1000\n        return"))
    done = run("match", GAME, "v1/bot.py", "v2/bot.py", "--profile", "profile.html", within=bots)
    assert done.code == 0, done.error
    slow = done.out.partition("Slowest decisions")[2]
    assert "bot (v1)" in slow
    assert "bot (v2)" in slow
    page = (bots / "profile.html").read_text()
    assert "<h2>bot (v1)</h2>" in page
    assert "<h2>bot (v2)</h2>" in page
    assert "<td>bot (v1)</td>" in page


@pytest.fixture
def records(bots: Path) -> Path:
    """A folder with the records of a set of v1 and v2, which both play."""
    write(bots / "v2/bot.py", PYTHON.replace("legal[0]", "legal[-1]"))
    assert run("match", GAME, "v1/bot.py", "v2/bot.py", "--records", "out", within=bots).code == 0
    return bots


def versions(folder: Path) -> dict[str, str]:
    """Return the version of each bot, by its folder."""
    found = read_contenders(GAME, [str(folder / "v1/bot.py"), str(folder / "v2/bot.py")])
    return dict(zip(("v1", "v2"), [each.version for each in found], strict=True))


def test_an_analysis_asks_which_of_two_versions_is_meant(records: Path) -> None:
    done = run("bot", "analyse", "out", within=records)
    assert done.code == 2
    for version in versions(records).values():
        assert f"bot@{version}" in done.error


def test_an_analysis_is_of_one_version_against_the_other(records: Path) -> None:
    known = versions(records)
    done = run(
        "bot", "analyse", "out", "--bot", f"bot@{known['v1']}", "--seconds", "0.2", "--json", within=records
    )
    assert done.code == 0, done.error
    document = json.loads(done.out)
    assert [group["name"] for group in document["by_opponents"]] == [f"bot@{known['v2']}"]
    assert {each["bot"] for each in document["costliest"]} == {f"bot@{known['v1']}"}


def test_pages_of_records_name_versions(records: Path) -> None:
    shown = [f"bot@{version}" for version in versions(records).values()]
    file = next(iter(find_records([records / "out"])))
    done = run("view", str(file), "--out", "page.html", within=records)
    assert done.code == 0, done.error
    page = (records / "page.html").read_text()
    assert all(name in page for name in shown)


def test_the_list_of_records_tells_versions_of_different_matches_apart(records: Path) -> None:
    for version in ("v1", "v2"):
        played = run("match", GAME, f"{version}/bot.py", "greedy", "--records", "mixed", within=records)
        assert played.code == 0
    command = [ARENA, "view", str(records / "mixed"), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=clean_environment(), text=True) as process:
        try:
            assert process.stdout is not None
            page = httpx.get(process.stdout.readline().split()[0]).text
        finally:
            process.terminate()
    for version in versions(records).values():
        assert page.count(f">bot@{version}<") == 2
    assert ">greedy<" in page


def test_a_replay_asks_for_the_seat_of_its_version(records: Path) -> None:
    known = versions(records)
    file = next(iter(find_records([records / "out"])))
    record = from_json(file.read_text())
    seat = [each.version for each in record.seats].index(known["v2"])
    done = run("bot", "replay", str(file), "v2/bot.py", within=records)
    assert done.code == 0, done.error
    assert done.out.startswith(f"seat {seat} (bot@{known['v2']}): ")
    assert "0 answered differently now" in done.out
    assert done.out.count("seat ") == 1


def test_a_fork_seats_each_version_where_it_sat(records: Path) -> None:
    known = versions(records)
    match = from_json(next(iter(find_records([records / "out"]))).read_text()).match
    fork = ("bot", "analyse", "out", "--fork", f"{match}:40")
    done = run(*fork, "--with", "v2/bot.py", "--with", "v1/bot.py", within=records)
    assert done.code == 0, done.error
    assert f"(bot@{known['v1']}): " in done.out
    assert f"(bot@{known['v2']}): " in done.out


def test_a_fork_does_not_guess_between_two_of_a_name(records: Path) -> None:
    match = from_json(next(iter(find_records([records / "out"]))).read_text()).match
    for version in ("v1", "v2"):
        write(records / version / "bot.py", PYTHON + f"# changed {version}\n")
    fork = ("bot", "analyse", "out", "--fork", f"{match}:40")
    done = run(*fork, "--with", "v2/bot.py", "--with", "v1/bot.py", within=records)
    assert done.code == 2
    assert "bot (v1)" in done.error
    assert "bot (v2)" in done.error


def test_a_rated_bot_is_told_from_the_pools_bot_of_its_name(tmp_path: Path) -> None:
    write(tmp_path / "greedy/main.py")
    write(tmp_path / "greedy/bot.toml", f'name = "greedy"\ngames = ["{GAME}"]\nentry = "main.py"\n')
    done = run("rate", "greedy", "--sets", "1", within=tmp_path)
    assert done.code == 0, done.error
    assert done.out.startswith("greedy (yours): ")
