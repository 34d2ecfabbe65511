"""Score sheets: what ended is scored right, has a stop of its own in a replay, and old links stay what they were."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from fastapi import HTTPException

from arena.games import registry
from arena.games.narrating import Happening, ScoreSheet, nothing_ended
from arena.match import record
from arena.match.clock import STANDARD
from arena.web.boards.story import Story
from arena.web.matches import stepper
from arena.web.matches.stepper import ALL, Course, Stop
from arena.web.ui.templating import fragment
from tests.games.playing import TABLES, Configuration, play
from tests.web.boards.test_action_words import RECORDS

TABLES_HERE = [table for table in TABLES if table.game.id in registry.GAMES]


def sheets(table: Configuration) -> list[ScoreSheet]:
    playout = play(table, bytes(32), random.Random(4))
    story = Story(table.game.id, [f"bot-{seat}" for seat in range(table.seats)])
    found = []
    steps = [(), *(point.steps for point in playout.points)]
    for state, made in zip(playout.states(), steps, strict=True):
        story.tell(state, made)
        if story.sheet is not None:
            found.append(story.sheet)
    return found


def course(game: str) -> Course:
    return stepper.course(record.from_json(RECORDS[f"{game}.json"].read_text()), STANDARD, "/match")


@pytest.mark.parametrize("table", TABLES_HERE, ids=str)
def test_the_last_sheet_ends_with_the_result(table: Configuration) -> None:
    result = table.game.result(play(table, bytes(32), random.Random(4)).last)
    assert result is not None
    assert [row.cells[-1] for row in sheets(table)[-1].rows if row.seat is not None] == list(result.scores)


@pytest.mark.parametrize("table", TABLES_HERE, ids=str)
def test_each_row_has_a_cell_for_each_head(table: Configuration) -> None:
    for sheet in sheets(table):
        assert {len(row.cells) for row in sheet.rows} == {len(sheet.heads)}
        assert [row.seat for row in sheet.rows if row.seat is not None] == list(range(table.seats))


def test_expeditions_add_up_to_the_points_of_their_seat() -> None:
    table = next(each for each in TABLES_HERE if each.game.id == "lost_cities")
    for sheet in sheets(table):
        sums: list[tuple[object, int]] = []
        for row in sheet.rows:
            points = row.cells[2]
            if row.seat is not None:
                sums.append((points, 0))
            else:
                assert isinstance(points, int)
                sums[-1] = (sums[-1][0], sums[-1][1] + points)
        assert all(points == total for points, total in sums)


def test_only_the_damned_player_has_the_devils_trick() -> None:
    table = next(each for each in TABLES_HERE if each.game.id == "bottle_imp")
    for sheet in sheets(table):
        damned = [row.cells for row in sheet.rows if row.cells[2] != ""]
        assert len(damned) == 1
        assert isinstance(damned[0][3], int)
        assert damned[0][3] < 0
        assert all(row.cells[1] == row.cells[3] for row in sheet.rows if row.cells[2] == "")


def test_a_game_without_sheets_has_none() -> None:
    assert nothing_ended(Happening(before=None, after=None, steps=(), said=(), names=())) is None


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_point_keeps_its_address_beside_the_sheets(game: str) -> None:
    played = course(game)
    assert [stop.point for stop in played.route if not stop.sheet] == list(range(len(played.replay.points)))
    assert all(first.point <= second.point for first, second in pairwise(played.route))


def test_a_sheet_stands_between_a_hand_and_the_next_deal() -> None:
    played = course("lost_cities")
    scored = [stop for stop in played.route if stop.sheet]
    assert scored
    last = played.replay.final
    assert played.route[-2:] == (Stop(last), Stop(last, sheet=True))
    for stop in scored[:-1]:
        assert played.stops[stop.point] == (stop, Stop(stop.point))
        shown = stepper.position(played, "en", number=stop.point, view=ALL, sheet=True)
        assert (shown["board"], shown["forward"]) == (None, Stop(stop.point))
        assert shown["told"]
        after = stepper.position(played, "en", number=stop.point, view=ALL)
        assert (after["back"], after["told"]) == (stop, ())


def test_a_sheet_is_drawn_in_the_language_of_the_page() -> None:
    played = course("bottle_imp")
    at = next(stop for stop in played.route if stop.sheet)
    page = fragment(
        "board.html", "es", **stepper.position(played, "es", number=at.point, view=ALL, sheet=True)
    )
    assert "Puntuación de la mano 1" in page
    assert "la baza del diablo" in page


def test_a_point_without_a_sheet_names_those_that_have_one() -> None:
    with pytest.raises(HTTPException, match="sheet of point 1: nothing is scored there"):
        stepper.position(course("lost_cities"), "en", number=1, view=ALL, sheet=True)


@pytest.mark.parametrize("view", ["all", "public", "0", "1"])
def test_a_sheet_is_the_same_to_all_eyes(view: str) -> None:
    played = course("lost_cities")
    at = next(stop for stop in played.route if stop.sheet)
    shown = stepper.position(played, "en", number=at.point, view=view, sheet=True)
    assert shown["sheet"] == played.sheets[at.point]


@pytest.mark.parametrize("game", ["bottle_imp", "lost_cities", "land_unter"])
def test_deal_of_a_hand_is_listed_under_the_heading_of_that_hand(game: str) -> None:
    played = course(game)
    steps = str(stepper.page(played, "en", number=0, view=ALL)["steps"])
    for section, before in zip(steps.split('class="later"')[2:], played.sections[:-1], strict=True):
        deal = before.parts[-1].points[-1]
        assert f'data-point="{deal}" data-step' in section
        assert f'data-point="{deal}s"' not in section
