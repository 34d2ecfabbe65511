"""The board of every game, variant and seat count is drawn, from the first deal to the end of the match, for everybody."""

from __future__ import annotations

import gzip
import random
import re
from functools import cache
from typing import Any

import pytest

from arena.games.checks import MAX_BOARD_BYTES, MAX_PACKED_BOARD_BYTES
from arena.games.kernel import Claim, Line, Said
from arena.games.registry import GAMES
from arena.web.boards import Clock, draw_board, open_scene, pieces, public_scene, seat_scene, seat_scene_of
from arena.web.boards.match_sections import sections
from arena.web.matches.replay_points import Replay, replay
from tests.games.playing import TABLES, Configuration, play, record

SHOWN = 12
TABLES_HERE = [table for table in TABLES if table.game.id in GAMES]


@cache
def played(game: str, variant: str | None = None) -> Replay:
    table = next(each for each in TABLES if each.game.id == game and variant in {None, each.variant})
    return replay(record(play(table, bytes(32), random.Random(5))))


def names(seats: int) -> list[str]:
    return [f"bot-{seat}" for seat in range(seats)]


def drawn(match: Replay, number: int) -> str:
    point = match.points[number]
    return draw_board(
        open_scene(
            match.game.id,
            point.state,
            names(len(match.names)),
            after=point.steps,
            said=match.talk(number),
            chosen=match.chosen(number),
        )
    )


@pytest.mark.parametrize("table", TABLES_HERE, ids=str)
def test_board_is_drawn_all_through_a_match_from_every_point_of_view(table: Configuration) -> None:
    chooser = random.Random(5)
    match = replay(record(play(table, bytes(32), chooser)))
    sprite = set(re.findall(r'id="([\w-]+)"', pieces(table.game.id)))
    who = names(table.seats)
    for number in {0, 1, match.final, *chooser.sample(range(match.final), min(SHOWN, match.final))}:
        point = match.points[number]
        shown: dict[str, Any] = {
            "after": point.steps,
            "said": match.talk(number),
            "clocks": [Clock(ms) for ms in point.clocks_ms],
        }
        chosen = match.chosen(number)
        scenes = [open_scene(table.game.id, point.state, who, chosen=chosen, **shown)]
        scenes.append(public_scene(table.game.id, point.state, who, **shown))
        scenes += [
            seat_scene_of(table.game.id, point.state, seat, who, chosen=chosen.get(seat), **shown)
            for seat in range(table.seats)
        ]
        for scene in scenes:
            board = draw_board(scene, "es" if scene.eye == 0 else "en")
            assert all(name in board for name in who)
            assert set(re.findall(r'href="#([\w-]+)"', board)) <= sprite
            assert "style=" not in board
            assert len(board.encode()) <= MAX_BOARD_BYTES
            assert len(gzip.compress(board.encode())) <= MAX_PACKED_BOARD_BYTES


@pytest.mark.parametrize("game", GAMES)
def test_the_choice_that_follows_is_marked_among_the_legal_ones(game: str) -> None:
    match = played(game)
    number = next(number for number in range(3, match.final) if match.chosen(number))
    board = drawn(match, number)
    assert board.count('class="option chosen"') == len(match.chosen(number))
    assert re.search(r'class="option"|picked', drawn(match, number - 1) + board)


@pytest.mark.parametrize("game", GAMES)
def test_a_person_to_move_has_a_button_for_each_legal_action(game: str) -> None:
    match = played(game)
    state = next(point.state for point in match.points if match.chosen(point.number))
    decision = match.game.to_act(state)[0]
    legal = match.game.legal(state, decision.seat)
    view = match.game.view(state, decision.seat)
    scene = seat_scene(game, view, decision.seat, names(len(match.names)), legal=legal, answerable=True)
    assert re.findall(r'class="option" name="action" value="([^"]+)"', draw_board(scene)) == list(legal)


@pytest.mark.parametrize("game", ["lost_cities", "land_unter", "bottle_imp", "teotlatolli"])
def test_each_card_of_a_persons_hand_is_a_button_or_a_link_beside_the_choices(game: str) -> None:
    match = played(game)
    state = next(point.state for point in match.points if match.chosen(point.number))
    decision = match.game.to_act(state)[0]
    legal = match.game.legal(state, decision.seat)
    view = match.game.view(state, decision.seat)
    scene = seat_scene(game, view, decision.seat, names(len(match.names)), legal=legal, answerable=True)
    dock = draw_board(scene).partition('class="choices dock"')[2]
    hand = view.cards[0] if game == "bottle_imp" else view.hand
    for card in map(str, hand):
        ways = [action for action in legal if card in action.split()[1:2]]
        if not ways:
            continue
        button = f'class="piece" name="action" value="{ways[0]}"'
        link = f'class="piece" href="#choices" data-piece="{card}"'
        assert (button if len(ways) == 1 else link) in dock, card


def test_board_of_lost_cities_says_what_each_expedition_is_worth() -> None:
    match = played("lost_cities")
    number = next(point.number for point in match.points if "play Rx" in point.actions.values())
    seat = next(iter(match.points[number].actions))
    board = drawn(match, number)
    assert f"red expedition of bot-{seat}: red wager" in board.replace("\n", "")
    assert re.search(r'class="worth debt"><span class="hidden">worth </span>−40<', board)


def test_board_of_teotlatolli_shows_who_has_what_at_a_god() -> None:
    match = played("teotlatolli")
    views = [match.game.view(point.state, 0) for point in match.points]
    number, view = next((number, view) for number, view in enumerate(views) if any(view.sides[1]))
    name = next(side[0] for side in view.sides[1] if side)
    assert f"bot-1: {name}" in drawn(match, number)


@pytest.mark.parametrize("variant", ["standard", "lopaka", "bright_house"])
def test_board_of_the_bottle_imp_shows_who_won_a_trick_and_with_which_card(variant: str) -> None:
    match = played("bottle_imp", variant)
    for point in match.points[:: max(1, match.final // SHOWN)]:
        view = match.game.view(point.state, 0)
        board = drawn(match, point.number)
        rows = re.findall(r'<th scope="row" class="number">.*?</tr>', board, re.DOTALL)
        assert len(rows) == len(view.tricks)
        for row, trick in zip(rows, view.tricks, strict=True):
            (winning,) = re.findall(r'class="nowrap strong".*?</span>(\d+)</span>', row, re.DOTALL)
            assert int(winning) in trick.cards
            assert f'data-seat="{trick.winner + 1 if trick.winner < len(match.names) else "L"}"' in row


def test_board_of_lifeboats_says_where_each_boat_is_and_who_is_in_it() -> None:
    match = played("lifeboats")
    board = drawn(match, match.final // 2)
    said = re.findall(r"<li>\s*Boat (\w) \(\w+\): ([^<]+)</li>", board)
    view = match.game.view(match.points[match.final // 2].state, 0)
    assert [letter for letter, _ in said] == [boat.letter for boat in view.boats]
    for (_, text), boat in zip(said, view.boats, strict=True):
        assert (f"column {boat.column}, row {boat.row}" in text) == (boat.at_sea and boat.column > 0)


def test_talk_stands_in_bubbles_beside_its_speakers_and_is_escaped() -> None:
    match = played("lifeboats")
    said = (Said(1, Line("<b>trust</b> me", (Claim("promise", 1, "W", "this"),)), 0),)
    state = match.points[-2].state
    board = draw_board(open_scene("lifeboats", state, names(len(match.names)), said=said))
    assert "“&lt;b&gt;trust&lt;/b&gt; me”" in board
    assert board.count('class="bubble"') == 1
    assert "promises" in board


def test_clocks_count_what_was_thought_against_the_bank_and_the_increments() -> None:
    match = played("land_unter")
    assert match.points[0].clocks_ms == (30_000.0,) * len(match.names)
    # Each has taken 1.5 ms for each of its three choices.
    assert match.points[3].clocks_ms == (30_000.0 + 3 * (100 - 1.5),) * len(match.names)


@pytest.mark.parametrize("game", GAMES)
def test_parts_of_a_match_hold_every_point_once_and_in_order(game: str) -> None:
    match = played(game)
    found = sections(game, [point.state for point in match.points])
    points = [number for section in found for part in section.parts for number in part.points]
    assert points == list(range(1, match.final + 1))
    assert len(found) > 1


def test_tricks_votes_and_turns_are_parts() -> None:
    titles = {
        game: {
            getattr(part.title, "message", part.title)
            for section in sections(game, [point.state for point in played(game).points])
            for part in section.parts
            if part.title
        }
        for game in ("bottle_imp", "lifeboats", "lost_cities")
    }
    assert titles["bottle_imp"] == {"Passing", "Trick {n}"}
    assert {"Vote: a leak", "Vote: a move", "Changing boats"} <= titles["lifeboats"]
    assert titles["lost_cities"] == {"Turn {n}"}
