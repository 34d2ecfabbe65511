"""A step of a replay is small, since it is fetched for every move that a reader looks at."""

from __future__ import annotations

import gzip
import random

import pytest

from arena.games import registry
from arena.match.clock import STANDARD
from arena.match.record import from_json
from arena.web.boards import sign_key
from arena.web.matches import stepper
from arena.web.matches.stepper import ALL
from arena.web.ui.languages import LANGUAGES
from arena.web.ui.templating import fragment
from tests.games.playing import TABLES, Configuration, play, record
from tests.web.boards.test_action_words import RECORDS

MOST_BYTES = 2000
_LARGEST = [
    max([table for table in TABLES if table.game.id == game], key=lambda table: table.seats)
    for game in registry.GAMES
]
_EVERY = 4
"""Of the points of a match, some hundred are enough."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", _LARGEST, ids=str)
def test_a_step_weighs_at_most_two_kilobytes(table: Configuration, language: str) -> None:
    course = stepper.course(record(play(table, bytes(32), random.Random(5))), STANDARD, "/match")
    drawn = [
        fragment(
            "board.html",
            language,
            **stepper.position(course, language, number=stop.point, view=ALL, sheet=stop.sheet),
        )
        for stop in course.route[::_EVERY]
    ]
    assert max(len(gzip.compress(board.encode(), 9)) for board in drawn) <= MOST_BYTES


@pytest.mark.parametrize("game", ["bottle_imp", "teotlatolli"])
def test_what_the_signs_mean_is_beside_the_board_and_not_in_each_step(game: str) -> None:
    assert "Qué significan los signos" in sign_key(game, "es")
    course = stepper.course(from_json(RECORDS[f"{game}.json"].read_text()), STANDARD, "/match")
    assert "significan" in str(stepper.page(course, "es", number=0, view=ALL)["sign_key"])
    assert "significan" not in stepper.position(course, "es", number=0, view=ALL)["board"]
