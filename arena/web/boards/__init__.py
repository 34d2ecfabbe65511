"""One drawing of a position for all that show it: the replay, a live match, a person's game.

    open_scene     all cards open             from a state      ┐
    seat_scene     what one seat may know     from its view     ├──▶ Scene ──draw──▶ HTML of the board
    public_scene   what all may know          from a state      ┘

`draw` returns a fragment of HTML; the page around it carries once `pieces(game)`, the drawings that all fragments of the game
refer to, `sign_key(game, language)`, what its signs mean, and the style sheets tokens-boards.css and boards.css.
"""

from arena.games.drawing import Clock, Scene
from arena.web.boards.board_renderer import draw, draw_bar, draw_board, pieces, scores, sign_key
from arena.web.boards.scene import (
    is_open_game,
    open_scene,
    public_scene,
    seat_scene,
    seat_scene_of,
)

__all__ = [
    "Clock",
    "Scene",
    "draw",
    "draw_bar",
    "draw_board",
    "is_open_game",
    "open_scene",
    "pieces",
    "public_scene",
    "scores",
    "seat_scene",
    "seat_scene_of",
    "sign_key",
]
