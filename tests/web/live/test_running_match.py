"""A running match as the web follows it, for each game: from the seed and what was chosen, in frames of any size."""

from __future__ import annotations

import random

import pytest

from arena.games import registry
from arena.games.kernel import Played, Said, Step, advance
from arena.match.clock import parse_time_control
from arena.match.record import RecordedStep
from arena.messaging.live_steps import EndedMatch, Frame
from arena.reports.live_matches import LiveMatch
from arena.web.boards import draw
from arena.web.boards.story import Story
from arena.web.live.running_match import Running
from tests.games.playing import choose

SEED = bytes(range(32))
GAMES = {game.id: min(next(iter(game.variants.values()))) for game in registry.GAMES.values()}


def _match(game: str) -> LiveMatch:
    seats = GAMES[game]
    return LiveMatch(
        id="m",
        game=game,
        variant=next(iter(registry.find(game).variants)),
        options={},
        names=tuple("abcdef"[:seats]),
        time=parse_time_control("30+0.1"),
        seed=SEED,
        live=True,
        over=False,
    )


def _play(match: LiveMatch, talks: bool) -> tuple[list[list[Step]], EndedMatch]:  # noqa: FBT001
    """Play a match; the steps of each point at which any were made, the deal first, and how it ended."""
    game = registry.find(match.game)
    state, dealt = game.new(match.setup((talks,) * len(match.names)), match.seed)
    points, together, chance = [list(dealt)], 0, random.Random(1)
    while decisions := game.to_act(state):
        answers = [choose(game, state, decision, chance) for decision in decisions]
        state, steps, together = advance(game, state, answers, together)
        if steps:
            points.append(list(steps))
    result = game.result(state)
    assert result is not None
    return points, EndedMatch(result.places, result.scores, result.end)


def _frames(points: list[list[Step]], sizes: random.Random) -> list[Frame]:
    """Cut what was chosen into frames of whole points, as a worker sends them."""
    frames, rest = [], points[1:]
    while rest:
        size = sizes.randint(1, 4)
        chosen = [step for point in rest[:size] for step in point if isinstance(step, Played | Said)]
        frames.append(Frame(tuple(RecordedStep(step, 20.0) for step in chosen)))
        rest = rest[size:]
    return frames


@pytest.mark.parametrize("game", GAMES)
def test_points_are_those_that_everybody_saw(game: str) -> None:
    match = _match(game)
    points, ended = _play(match, registry.find(game).has_talk)
    running = Running(match)
    assert not running.begun
    running.take(Frame(talks=(registry.find(game).has_talk,) * GAMES[game]))
    for number, frame in enumerate(_frames(points, random.Random(2))):
        running.take(frame)
        if number % 20 == 0:
            assert draw(running.scene())
    running.take(Frame(ended=ended))
    seen = registry.find(game).seen
    public = [[shown for step in point if (shown := seen(step, None)) is not None] for point in points]
    assert [[each.step for each in point] for point in running.points] == public
    assert running.acting == ()
    assert draw(running.scene())


def test_a_match_that_begins_anew_forgets_what_was() -> None:
    match = _match("lost_cities")
    points, _ = _play(match, talks=False)
    running = Running(match)
    running.take(Frame(talks=(False, False)))
    for frame in _frames(points, random.Random(3)):
        running.take(frame)
    running.take(Frame(talks=(False, False)))
    assert (running.run, len(running.points)) == (2, 1)


def test_clocks_count_what_was_thought() -> None:
    match = _match("lost_cities")
    running = Running(match)
    running.take(Frame(talks=(False, False)))
    play, draw_one = _play(match, talks=False)[0][1:3]
    seat = running.acting[0]
    running.take(Frame((RecordedStep(play[0], 1000.0), RecordedStep(draw_one[0], 0.0))))
    clock = running.scene().clocks[seat]
    assert clock is not None
    assert clock.left_ms == 30_000 - 1000 + 100


def test_a_live_table_says_the_sentences_of_the_replay() -> None:
    match = _match("bottle_imp")
    points, ended = _play(match, talks=False)
    running = Running(match)
    running.take(Frame(talks=(False,) * GAMES["bottle_imp"]))
    for frame in _frames(points, random.Random(2)):
        running.take(frame)
    running.take(Frame(ended=ended))
    game, story = registry.find("bottle_imp"), Story("bottle_imp", match.names)
    state, dealt = game.new(match.setup((False,) * len(match.names)), match.seed)
    told = [story.tell(state, dealt)]
    for steps in points[1:]:
        state, _ = game.apply(state, [step.action for step in steps if isinstance(step, Played)])
        told.append(story.tell(state, steps))
    assert running.told == told
    assert any(told)
