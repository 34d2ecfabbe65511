"""Every match ends: 100,000 random matches over all games, variants and seat counts, and the longest of each game."""

from __future__ import annotations

import os
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from arena.games import registry
from arena.games.kernel import SILENCE, Action, Line, Talk
from arena.games.registry import AnyGame
from bench.figures import Figure

MATCHES = 100_000
AT_A_TIME = 100
EXTREME = 0.05
"""The share of matches whose options have their least or greatest values: the greatest make the longest matches."""
LONGEST = 50_000
"""Decisions after which a match is taken to be without end."""


@dataclass(frozen=True, slots=True)
class Played:
    """Summary of some matches of a game."""

    game: str
    ended: int
    longest: int


def measure() -> list[Figure]:
    """Play them all, on all cores."""
    games = tuple(registry.GAMES)
    chunks = [(games[number % len(games)], number) for number in range(MATCHES // AT_A_TIME)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        played = list(pool.map(partial(_play_chunk), *zip(*chunks, strict=True)))
    ended = sum(each.ended for each in played)
    longest = [
        Figure(
            f"{game}: the longest match",
            max(each.longest for each in played if each.game == game),
            "decisions",
        )
        for game in games
    ]
    return [Figure("random matches that end", ended, "matches", MATCHES), *longest]


def _play_chunk(game_id: str, number: int) -> Played:
    game = registry.find(game_id)
    draw = random.Random(number)
    lengths = [_play(game, draw) for _ in range(AT_A_TIME)]
    return Played(game_id, sum(length < LONGEST for length in lengths), max(lengths))


def _play(game: AnyGame, draw: random.Random) -> int:
    """Play a match of any variant, seat count and options; give its number of decisions."""
    variant, seats = draw.choice(
        [(each, count) for each, counts in game.variants.items() for count in counts]
    )
    extreme = draw.random() < EXTREME
    options = {
        option.name: draw.choice((option.low, option.high)) if extreme else option.standard
        for option in game.options(variant, seats)
    }
    talks = [game.has_talk and draw.random() < 0.2 for _ in range(seats)]
    state, _ = game.new(game.setup(seats, variant=variant, options=options, talks=talks), draw.randbytes(32))
    length = 0
    while (decisions := game.to_act(state)) and length < LONGEST:
        answers: list[Action | Line] = [
            draw.choice((SILENCE, Line("hm")))
            if isinstance(decision, Talk)
            else draw.choice(game.legal(state, decision.seat))
            for decision in decisions
        ]
        state, _ = game.apply(state, answers)
        length += len(decisions)
    return length
