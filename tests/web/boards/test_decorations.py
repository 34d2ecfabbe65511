"""A game whose words or drawing fail takes no page down: the page goes without, and the log says what to mend."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from arena.games import registry
from arena.match import record
from arena.match.clock import STANDARD
from arena.web.boards import decorations
from arena.web.matches import stepper
from tests.web.boards.test_action_words import RECORDS

GAME = "land_unter"


def fail(*_: Any) -> Any:
    raise KeyError("n")


@pytest.fixture(autouse=True)
def _fresh_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decorations, "_logged", set())


def shown(number: int | None = None) -> dict[str, Any]:
    course = stepper.course(record.from_json(RECORDS[f"{GAME}.json"].read_text()), STANDARD, "/match")
    return stepper.page(course, "en", number=number, view=stepper.ALL)


@pytest.mark.parametrize("part", ["narrate", "draw_up"])
def test_a_replay_goes_on_without_a_failing_narration(
    part: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert shown(4)["told"]
    monkeypatch.setitem(registry.package(GAME).__dict__, part, fail)
    with caplog.at_level(logging.ERROR):
        assert 'class="board board-land_unter"' in shown(4)["board"]
    what = "a narration" if part == "narrate" else "a score sheet"
    assert [each.getMessage() for each in caplog.records] == [
        f"land_unter: {what} failed, so pages go without; `arena game check land_unter` finds it"
    ]


@pytest.mark.parametrize(
    ("part", "has"),
    [
        ("scores", 'class="board board-land_unter"'),
        ("titles", "board-land_unter"),
        ("details", "cannot be drawn"),
    ],
)
def test_a_replay_goes_on_without_a_failing_drawing(
    part: str, has: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = registry.package(GAME).drawing
    assert drawing is not None
    monkeypatch.setitem(registry.package(GAME).__dict__, "drawing", replace(drawing, **{part: fail}))
    page = shown(4)
    assert has in page["board"]
    assert page["bar"]
