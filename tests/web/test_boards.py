"""The board of every game, variant and seat count is drawn, from the first deal to the end of the match."""

from __future__ import annotations

import random

import pytest
from fastapi import Request

from arena.games.registry import GAMES
from arena.web.environment import render
from arena.web.replay import Replay, replay
from tests.games.playing import TABLES, Table, play, record

SHOWN = 25


def draw(played: Replay, number: int) -> str:
    request = Request({"type": "http", "path": "/", "headers": [], "method": "GET"})
    point = played.points[number]
    answer = render(
        request,
        f"{played.game.id}/board.html",
        views=played.views(number),
        seats=[{"seat": seat, "bot": f"bot-{seat}"} for seat in range(played.seats)],
        acting=played.acting(number),
        last={line.seat: line.text for line in point.lines if line.seat is not None},
    )
    return bytes(answer.body).decode()


@pytest.mark.parametrize("table", [table for table in TABLES if table.game.id in GAMES], ids=str)
def test_board_is_drawn_all_through_a_match(table: Table) -> None:
    chooser = random.Random(5)
    played = replay(record(play(table, bytes(32), chooser)))
    last = len(played.points) - 1
    for number in {0, 1, last, *chooser.sample(range(last), min(SHOWN, last))}:
        board = draw(played, number)
        assert all(f"bot-{seat}" in board for seat in range(played.seats))


def test_board_of_teotlatolli_shows_who_has_what_at_a_god() -> None:
    table = next(table for table in TABLES if table.game.id == "teotlatolli")
    played = replay(record(play(table, bytes(32), random.Random(5))))
    number, view = next(
        (point.number, played.views(point.number)[0])
        for point in played.points
        if any(played.views(point.number)[0].sides[1])
    )
    name = next(side[0] for side in view.sides[1] if side)
    assert f'aria-label="bot-1 has {name}"' in draw(played, number)


@pytest.mark.parametrize("variant", ["standard", "lopaka", "bright_house"])
def test_board_of_the_bottle_imp_shows_who_won_a_trick_and_with_which_card(variant: str) -> None:
    table = next(each for each in TABLES if (each.game.id, each.variant) == ("bottle_imp", variant))
    played = replay(record(play(table, bytes(32), random.Random(5))))
    points = [point.number for point in played.points if played.views(point.number)[0].tricks]
    for number in points[:: max(1, len(points) // SHOWN)]:
        view = played.views(number)[0]
        board = draw(played, number)
        assert board.count(" winning") == len(view.tricks)
        assert board.count('<span class="small strong">won</span>') == len(view.tricks)
        for trick in view.tricks:
            lowered = [card for card in trick.cards if f'trump winning">{card}<' in board]
            assert lowered or f' winning">{max(trick.cards)}<' in board


def test_plays_of_the_dummy_begin_no_new_part_of_a_match() -> None:
    table = next(each for each in TABLES if each.variant == "lopaka")
    played = replay(record(play(table, bytes(32), random.Random(5))))
    assert {point.begins for point in played.points} == {None, "deal"}
    assert any(line.by == "dummy" for point in played.points for line in point.lines)
