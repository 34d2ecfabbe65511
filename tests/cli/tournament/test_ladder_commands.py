"""`arena ladder`: a ladder is started, listed and stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Done, run
from tests.stores import new_sqlite


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A data directory with a store."""
    new_sqlite(tmp_path / "arena.db")
    return str(tmp_path)


def ladder(data: str, *arguments: str) -> Done:
    return run("ladder", *arguments, "--data", data)


def test_a_ladder_is_started_listed_and_stopped(data: str) -> None:
    assert ladder(data, "list").out == "No ladders yet: `arena ladder start GAME`\n"
    started = ladder(data, "start", "land_unter", "--seats", "4")
    assert started.out == "Ladder 1: land_unter/standard, 4 seats, running\n"
    assert "land_unter/standard" in ladder(data, "list").out
    stopped = json.loads(ladder(data, "stop", "1", "--json").out)
    assert (stopped["state"], stopped["tournament"]) == ("stopped", None)


def test_what_cannot_be_is_one_line_that_names_the_field(data: str) -> None:
    refused = ladder(data, "start", "lost_cities", "--epoch", "1")
    assert (refused.code, refused.error) == (2, "arena: epoch 1: must be 60 to 2678400 seconds\n")
    assert ladder(data, "stop", "3").error.startswith("arena: ladder 3: there is none")
