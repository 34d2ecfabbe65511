"""No board gives away what its onlooker may not see.

The pairs of matches are those of the games' leak tests: they differ only in what one seat may not see, so neither that
seat's board nor the public's may differ.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.drawing import Scene
from arena.games.registry import GAMES, AnyGame
from arena.games.twins import Twin
from arena.web.boards import draw_board, is_open_game, open_scene, public_scene, seat_scene, seat_scene_of
from tests.examples import scaled
from tests.games.playing import TABLES, Configuration, play
from tests.games.test_leaks import TWINS, most_seats

CLOSED = [game for game in TWINS if game in GAMES]
TABLES_HERE = [table for table in TABLES if table.game.id in GAMES]


def names(seats: int) -> list[str]:
    return [f"bot-{seat}" for seat in range(seats)]


def boards(game: AnyGame, seat: int, match: Twin, last: int) -> tuple[str, str]:
    """Draw the public's board and the seat's, with the last steps of the match beside them."""
    who = names(match.seats)
    after = match.steps[-last:]
    public = draw_board(public_scene(game.id, match.state, who, after=after))
    return public, draw_board(seat_scene_of(game.id, match.state, seat, who, after=after))


@pytest.mark.parametrize("name", CLOSED)
@settings(max_examples=scaled(40))
@given(
    seed=st.integers(0, 1 << 32),
    place=st.integers(0, 59),
    length=st.floats(0, 1),
    last=st.integers(1, 4),
)
def test_what_is_hidden_is_not_drawn(name: str, seed: int, place: int, length: float, last: int) -> None:
    game, seat = GAMES[name], place % most_seats(name)
    true, twin = TWINS[name](random.Random(seed), seat, length)
    assert boards(game, seat, true, last) == boards(game, seat, twin, last)


@pytest.mark.parametrize("name", CLOSED)
def test_with_all_cards_open_the_difference_is_drawn(name: str) -> None:
    true, twin = TWINS[name](random.Random(1), 0, 0.3)
    who = names(true.seats)
    assert draw_board(open_scene(name, true.state, who)) != draw_board(open_scene(name, twin.state, who))


def open_part(scene: Scene) -> tuple[Any, ...]:
    return (scene.table.view, scene.table.held)


@pytest.mark.parametrize("table", TABLES_HERE, ids=str)
def test_a_mask_gives_the_same_from_whichever_view_it_is_made(table: Configuration) -> None:
    playout = play(table, bytes(32), random.Random(2))
    who, game = names(table.seats), table.game
    for state in playout.states()[:: max(1, len(playout.states()) // 60)]:
        public = public_scene(game.id, state, who)
        for seat in range(table.seats):
            own = seat_scene(game.id, game.view(state, seat), seat, who)
            assert open_part(own) == open_part(public)
            assert [view is None for view in own.views] == [other != seat for other in range(table.seats)]
        if not is_open_game(game.id):
            assert public.views == (None,) * table.seats
            assert not public.legal


@pytest.mark.parametrize("table", [each for each in TABLES_HERE if not is_open_game(each.game.id)], ids=str)
def test_hidden_cards_are_counted_right(table: Configuration) -> None:
    playout = play(table, bytes(32), random.Random(3))
    game, checks = table.game, registry.package(table.game.id).checks
    assert checks is not None
    for state in playout.states()[:: max(1, len(playout.states()) // 60)]:
        held = public_scene(game.id, state, names(table.seats)).table.held
        assert held == tuple(checks.held(game.view(state, seat)) for seat in range(table.seats))


def test_every_game_has_a_mask() -> None:
    assert [game for game, package in registry.PACKAGES.items() if package.drawing is None] == []


def test_a_game_without_a_mask_is_not_drawn_for_the_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(registry.package("lost_cities")), "drawing", None)
    state = play(TABLES_HERE[0], bytes(32), random.Random(2)).last
    with pytest.raises(UsageError, match="game 'lost_cities': its board has no mask"):
        public_scene("lost_cities", state, names(2))
    assert open_scene("lost_cities", state, names(2)).views
