"""Positions with as much on the table as a match of each game can bring, in matches that were really played, as pages draw them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from arena.games.kernel import Talk, advance
from arena.games.registry import GAMES
from arena.match.clock import parse_time_control
from arena.web.matches import stepper
from arena.web.matches.stepper import Course
from tests.games.playing import Configuration, Playout, Point, choose, record
from tests.web.boards import board_pages

PREFIX = "the-longest-name-that-a-bot-may-have-"
_FULLEST_SEATS = {"lost_cities": 2, "land_unter": 5, "bottle_imp": 4, "lifeboats": 6, "teotlatolli": 2}

Chooser = Callable[[Any, int, tuple[str, ...], random.Random], str]
"""Picks an action from the view of a seat and what is legal."""


def _collect(view: Any, seat: int, legal: tuple[str, ...], chooser: random.Random) -> str:
    """Lost Cities: each seat gathers one colour, lowest card first, and leaves the other's colour to the other."""
    own, other = ("R", "G")[seat], ("G", "R")[seat]
    draws = [action for action in legal if action.startswith("draw")]
    if draws:
        return f"draw {own}" if f"draw {own}" in draws else "draw deck"
    plays = [action for action in legal if action.startswith(f"play {own}")]
    discards = [action for action in legal if action.startswith("discard") and action[8] != own]
    waiting = sum(card[0] == own for card in view.hand)
    if plays and (waiting > 5 or not discards or view.draw_pile < 2 * waiting):
        return min(plays, key=lambda action: (action[-1] != "x", int(action[6:].replace("x", "0"))))
    return next((each for each in discards if each[8] == other), chooser.choice(discards or legal))


def _any(_view: Any, _seat: int, legal: tuple[str, ...], chooser: random.Random) -> str:
    return chooser.choice(legal)


def _play(configuration: Configuration, seed: bytes, pick: Chooser) -> Playout:
    game, setup, chooser = configuration.game, configuration.setup(), random.Random(5)
    state, opening = game.new(setup, seed)
    points, together = [], 0
    while decisions := game.to_act(state):
        answers = tuple(
            choose(game, state, each, chooser)
            if isinstance(each, Talk)
            else pick(game.view(state, each.seat), each.seat, game.legal(state, each.seat), chooser)
            for each in decisions
        )
        after, steps, together = advance(game, state, answers, together)
        points.append(Point(state, decisions, answers, steps))
        state = after
    return Playout(configuration, setup, seed, opening, tuple(points), state)


@cache
def course(game: str) -> Course:
    """Play a match with all seats, whose names are as long as they may be."""
    configuration = Configuration(GAMES[game], next(iter(GAMES[game].variants)), _FULLEST_SEATS[game])
    found = record(_play(configuration, _SEEDS.get(game, bytes(32)), _PICKS.get(game, _any)))
    seats = tuple(replace(each, bot=f"{PREFIX}{at:03}") for at, each in enumerate(found.seats))
    return stepper.course(replace(found, seats=seats), parse_time_control("30+0.1"), "/match")


_PICKS: dict[str, Chooser] = {"lost_cities": _collect}
_SEEDS: dict[str, bytes] = {"lost_cities": bytes([19]) * 32}
_EVERY = 3
"""Which share of the points of a match is looked at for the fullest one."""


@cache
def fullest(game: str) -> int:
    """Return the point of the match at which the most seats are named, and among those the longest board."""
    played = course(game)
    if game == "lost_cities":
        views = [played.replay.game.view(point.state, 0) for point in played.replay.points]
        lengths = [min(max(map(len, seat)) for seat in view.expeditions) for view in views]
        return lengths.index(max(lengths))
    boards = {
        number: board_pages.position(played, number) for number in range(0, played.replay.final, _EVERY)
    }
    return max(boards, key=lambda number: (boards[number].count('class="seat '), len(boards[number])))
