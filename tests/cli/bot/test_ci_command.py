"""`arena bot ci`, in git repositories, against bots at home and against an arena."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from arena.accounts import tokens
from arena.bot_registry import bots
from arena.storage import Store
from tests import decided_matches
from tests.cli.bot.test_author_commands import playing
from tests.cli.running import Done, run
from tests.parts.redis_server import running_redis
from tests.parts.web_process import serving
from tests.stores import new_sqlite

if TYPE_CHECKING:
    from arena.accounts.actors import Actor

TOML = 'name = "mine"\ngames = ["lost_cities"]\nentry = "mine.py"\n'
BOT = """
from arena.sdk import Bot, run

class Mine(Bot):
    name = "mine"
    games = ("lost_cities",)

    def choose(self, decision):
        {choose}

run(Mine())
"""
FIRST = "return decision.legal[0]"
CRASH = "raise ValueError('no | idea')"
QUICK = ("--sets", "24", "--sprt=-600,-100")
"""Bounds between which a few sets decide."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit of a bot."""
    for name in ("CI", "GITHUB_BASE_REF", "GITHUB_REF_TYPE", "GITHUB_STEP_SUMMARY", "CI_COMMIT_TAG"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(TOML)
    write(folder, FIRST)
    (folder / ".github").mkdir()
    (folder / ".github/odd name?").write_text("no part of the bot")
    git(folder, "init", "--quiet", "--initial-branch", "main")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "-m", "one")
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(("git", *arguments), cwd=folder, check=True)


def write(folder: Path, choose: str) -> None:
    (folder / "mine.py").write_text(BOT.format(choose=choose))


def test_few_sets_against_the_version_in_git_decide_nothing(project: Path, tmp_path: Path) -> None:
    comment = tmp_path / "comment.md"
    sets = ("--sets", "16", "--sprt=-5,0")
    done = run("bot", "ci", str(project), "--against", "git:HEAD", "--comment", str(comment), *sets)
    assert done.code == 0, done.error
    assert "lost_cities: mine against mine-before at HEAD, at most 16 sets (32 matches)" in done.error
    assert "| lost_cities | mine-before at HEAD | undecided | " in done.out
    assert comment.read_text() == done.out


def test_a_test_that_could_never_decide_is_refused(project: Path) -> None:
    done = run("bot", "ci", str(project), "--against", "git:HEAD", "--sets", "12")
    assert done.code == 2
    assert "sets 12: a test (SPRT) decides after 16 sets or more; allow at least 16" in done.error


@pytest.mark.long
def test_version_as_good_as_the_one_in_git_is_not_worse(project: Path) -> None:
    done = run("bot", "ci", str(project), "--against", "git:HEAD", *QUICK)
    assert (done.code, "| ✅ not worse |" in done.out) == (0, True), done.error


@pytest.mark.long
def test_bot_that_loses_to_the_one_that_is_named_is_worse(project: Path) -> None:
    done = run("bot", "ci", str(project), "--against", "greedy", "--sprt=-100,0", "--sets", "40", "--json")
    document = json.loads(done.out)
    assert (done.code, document["exit_code"], document["tests"][0]["verdict"]) == (1, 1, "worse")


def test_bot_that_fails_its_check_is_broken_and_not_tested(project: Path, tmp_path: Path) -> None:
    write(project, CRASH)
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    done = run("bot", "ci", str(project), GITHUB_STEP_SUMMARY=str(summary))
    assert done.code == 2
    assert "ValueError: no \\| idea" in done.out
    assert "| game |" not in done.out
    assert summary.read_text() == f"before\n{done.out}"


def test_revision_that_git_does_not_know_is_no_verdict_on_the_bot(project: Path) -> None:
    done = run("bot", "ci", str(project), "--against", "git:nowhere")
    assert (done.code, done.out) == (2, "")
    assert done.error.splitlines()[-1].startswith("arena: git:nowhere: ")


def test_program_of_a_revision_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("bot", "new", "mine", "--game", "lost_cities", "--language", "c")
    git(tmp_path / "mine", "init", "-q")
    (tmp_path / "mine" / ".gitignore").write_text("bot\n")
    git(tmp_path / "mine", "add", "-A")
    git(
        tmp_path / "mine",
        "-c",
        "user.name=ada",
        "-c",
        "user.email=ada@example.org",
        "commit",
        "-q",
        "-m",
        "first",
    )
    subprocess.run(("make", "-C", "mine"), check=True, capture_output=True)
    done = run("bot", "ci", "mine", "--against", "git:HEAD", *QUICK)
    assert done.code == 0, done.error
    assert "mine-before at HEAD" in done.out


def test_tag_without_an_arena_says_what_is_missing(project: Path) -> None:
    done = run("bot", "ci", str(project), GITHUB_REF_TYPE="tag")
    assert done.code == 2
    assert done.error == (
        "arena: submit: name the arena with --arena or ARENA_URL, and put a token into ARENA_API_TOKEN\n"
    )


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Store, str, Actor]]:
    """An arena with house bots, its address, and an author."""
    data = tmp_path / "data"
    data.mkdir()
    url = new_sqlite(data / "arena.db")
    with running_redis() as redis, serving(data, redis.url) as address:
        store = Store.open(url)
        bots.register_house(store, {"lost_cities": decided_matches.NAMES})
        yield store, address, decided_matches.person(store, "ada")
        store.close()


@pytest.mark.long
def test_tag_submits_a_bot_and_the_next_push_is_tested_against_it(
    project: Path, served: tuple[Store, str, Actor]
) -> None:
    store, address, ada = served
    token = tokens.create(store, ada, "ci").token

    def ci(*arguments: str, **environment: str) -> Done:
        known: dict[str, Any] = {"ARENA_URL": address, "ARENA_API_TOKEN": token, "CI": "true", **environment}
        return run("bot", "ci", str(project), *QUICK, *arguments, **known)

    with playing(store):
        first = ci(GITHUB_REF_TYPE="tag")
        assert (first.code, "| greedy |" in first.out) == (0, True), first.error
        assert "Submitted mine@1 of lost_cities: active" in first.out
        second = ci()
    assert (second.code, "| mine@1 | ✅ not worse |" in second.out) == (0, True), second.error
    assert "Submitted" not in second.out


def test_workflow_of_a_new_project_runs_commands_that_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("bot", "new", "mine", "--game", "lost_cities")
    workflow = yaml.safe_load(Path("mine/.github/workflows/arena.yml").read_text())
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    ours = [step["run"].split() for step in steps if step.get("run", "").startswith("arena ")]
    assert [words[:3] for words in ours] == [["arena", "bot", "ci"]]
    said = run("bot", "ci", "--help").out
    assert [word for words in ours for word in words if word.startswith("--") and word not in said] == []


def test_token_of_the_platform_is_given_to_the_comment_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("bot", "new", "mine", "--game", "lost_cities")
    workflow = yaml.safe_load(Path("mine/.github/workflows/arena.yml").read_text())
    assert workflow["permissions"] == {"contents": "read"}
    steps = workflow["jobs"]["bot"]["steps"]
    assert [step["name"] for step in steps if "github.token" in str(step)] == ["Comment on the pull request"]
    assert steps[0]["with"]["persist-credentials"] is False
