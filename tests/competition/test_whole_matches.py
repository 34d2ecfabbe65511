"""Whole matches, played by the rules, from the plan to the store and back."""

from __future__ import annotations

import random

import pytest

from arena.competition.matches.blocks import Block, BlockMatch
from arena.games import chance, registry
from arena.games.kernel import Played, Step, advance
from arena.match.record import Ending, Participant, Record, RecordedStep, from_json, to_json
from arena.match.verification import verify
from arena.reports import match_views, tournaments
from arena.storage import Store
from tests.decided_matches import NAMES, claim, new_tournament, store_result


@pytest.mark.parametrize("game", sorted(registry.GAMES))
def test_a_match_that_is_played_as_planned_is_stored_and_verified(store: Store, game: str) -> None:
    seats = min(next(iter(registry.find(game).variants.values())))
    new_tournament(store, game, NAMES[:seats])
    block = claim(store)
    for match in block.matches:
        assert store_result(store, 1, match.set, match.match, match.attempt, played(block, match))
    assert tournaments.row(store, 1).state == "finished"
    for number in range(seats):
        text = match_views.page(store, 1, 0, number).record
        assert text is not None
        assert verify(from_json(text)) is None


def played(block: Block, match: BlockMatch) -> str:
    """Play a match at random."""
    game = registry.find(block.game)
    setup = game.setup(len(match.seats), variant=block.variant, options=block.options)
    state, first = game.new(setup, match.seed)
    choose = random.Random(match.id).choice
    steps, together = list(map(timed, first)), 0
    while decisions := game.to_act(state):
        answers = [choose(game.legal(state, decision.seat)) for decision in decisions]
        state, following, together = advance(game, state, answers, together)
        steps += map(timed, following)
    result = game.result(state)
    assert result is not None
    return to_json(
        Record(
            match=match.id,
            game=block.game,
            variant=block.variant,
            options=dict(block.options),
            seed=match.seed,
            commitment=chance.commitment(match.id, match.seed),
            seats=tuple(Participant(seat.bot, seat.version) for seat in match.seats),
            steps=tuple(steps),
            result=Ending(result.places, result.end, result.scores, result.detail),
        )
    )


def timed(step: Step) -> RecordedStep:
    return RecordedStep(step, 0.0 if isinstance(step, Played) else None)
