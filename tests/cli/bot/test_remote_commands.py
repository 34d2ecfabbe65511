"""`arena bot analyse GAME/NAME`, against a whole arena that has played the bot's matches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.reports import tournaments
from tests.cli.running import Done, run
from tests.parts.arena_process import RunningArena
from tests.patience import wait_until

MATCHES = 1


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    """An arena that has played a set of random against greedy, with worker, referee and web of its own."""
    with RunningArena(tmp_path_factory.mktemp("arena") / "data", workers=1) as running:
        made = run(
            *("tournament", "create", "land_unter", "--bots", "random,greedy,hoarder", "--cycles", "1"),
            *("--option", "rounds=1", "--data", str(running.data), "--json"),
        )
        assert made.code == 0, made.error
        number = json.loads(made.out)["id"]
        with closing(running.open_store()) as store:
            wait_until(
                lambda: tournaments.page(store, number).state == "finished", "all is played", within_s=60
            )
        yield running


def analyse(arena: RunningArena, *arguments: str) -> Done:
    return run("bot", "analyse", *arguments, "--arena", f"http://127.0.0.1:{arena.port}")


def test_newest_matches_of_a_bot_are_downloaded_and_judged(arena: RunningArena, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = analyse(
        arena,
        "land_unter/random",
        "--matches",
        str(MATCHES),
        "--seconds",
        "0.3",
        "--json",
        "--out",
        str(page),
    )
    assert done.code == 0, done.error
    document: dict[str, Any] = json.loads(done.out)
    assert len(document["matches"]) == MATCHES
    assert {each["bot"] for each in document["costliest"]} == {"random"}
    assert document["matches"][0]["match"] in page.read_text()


def test_bot_that_the_arena_does_not_know_is_refused(arena: RunningArena) -> None:
    done = analyse(arena, "land_unter/nobody")
    assert done.code == 2
    assert "bot 'nobody'" in done.error


def test_bot_without_a_match_is_told_so(arena: RunningArena) -> None:
    done = analyse(arena, "lost_cities/greedy")
    assert done.code == 2
    assert "there is no open match of this bot whose record is still stored" in done.error
