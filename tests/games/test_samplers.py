"""What a sampler draws is a position that its seat may be in."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.bottle_imp.state import SUIT
from arena.games.kernel import ENDS, Choice, Step
from arena.games.land_unter.state import count_lifebelts
from arena.games.registry import GAMES
from arena.games.sampling import deal_out, sampler
from tests.examples import scaled
from tests.games.playing import TABLES, Configuration, Playout, play

SAMPLED = [table for table in TABLES if table.game.id in GAMES]


def some_choice(playout: Playout, chooser: random.Random) -> tuple[int, int]:
    """Pick a point of a match in which some seat has a choice, and that seat."""
    points = [
        (at, decision.seat)
        for at, point in enumerate(playout.points)
        for decision in point.decisions
        if isinstance(decision, Choice)
    ]
    return chooser.choice(points)


def history(playout: Playout, until: int, seat: int) -> tuple[Step, ...]:
    steps = [*playout.opening, *(step for point in playout.points[:until] for step in point.steps)]
    seen = [playout.configuration.game.seen(step, seat) for step in steps]
    return tuple(step for step in seen if step is not None)


def draw(table: Configuration, seed: int) -> tuple[Playout, Any, int, Any]:
    """Play a match and draw a position for a seat of it: the match, the true state, the seat, the drawn state."""
    chooser = random.Random(seed)
    playout = play(table, chooser.randbytes(32), chooser)
    at, seat = some_choice(playout, chooser)
    state = playout.points[at].state
    # Who talks is not told to the seats.
    setup = table.game.setup(table.seats, variant=table.variant, options=playout.setup.options)
    arguments = (setup, table.game.view(state, seat), history(playout, at, seat), seat)
    drawn = sampler(table.game.id).sample(*arguments, random.Random(seed))
    assert drawn == sampler(table.game.id).sample(*arguments, random.Random(seed))
    return playout, state, seat, drawn


def play_out(table: Configuration, state: Any, chooser: random.Random) -> Any:
    game = table.game
    while decisions := game.to_act(state):
        assert all(isinstance(decision, Choice) for decision in decisions)
        answers = [chooser.choice(game.legal(state, decision.seat)) for decision in decisions]
        state, _ = game.apply(state, answers)
    return game.result(state)


@pytest.mark.parametrize("table", SAMPLED, ids=str)
@settings(max_examples=scaled(40))
@given(seed=st.integers(0, 1 << 32))
def test_drawn_position_is_what_the_seat_knows(table: Configuration, seed: int) -> None:
    game = table.game
    _, state, seat, drawn = draw(table, seed)
    assert game.view(drawn, seat) == game.view(state, seat)
    assert game.to_act(drawn) == game.to_act(state)
    assert game.legal(drawn, seat) == game.legal(state, seat)


@pytest.mark.parametrize("table", SAMPLED, ids=str)
@settings(max_examples=scaled(15))
@given(seed=st.integers(0, 1 << 32))
def test_drawn_position_can_be_looked_at_and_played_to_the_end(table: Configuration, seed: int) -> None:
    _, _, _, drawn = draw(table, seed)
    assert all(table.game.view(drawn, seat) is not None for seat in range(table.seats))
    assert play_out(table, drawn, random.Random(seed)).end in ENDS


DECKS = {
    game: package.checks
    for game, package in registry.PACKAGES.items()
    if package.checks is not None and package.checks.cards is not None
}


@pytest.mark.parametrize("table", [table for table in SAMPLED if table.game.id in DECKS], ids=str)
@settings(max_examples=scaled(30))
@given(seed=st.integers(0, 1 << 32))
def test_every_card_lies_somewhere_once(table: Configuration, seed: int) -> None:
    checks = DECKS[table.game.id]
    assert checks.cards is not None
    _, state, _, drawn = draw(table, seed)
    assert checks.cards(state) == sorted(checks.deck)
    assert checks.cards(drawn) == sorted(checks.deck)


@pytest.mark.parametrize("table", SAMPLED, ids=str)
def test_drawn_positions_differ_where_something_is_hidden(table: Configuration) -> None:
    _, state, _, drawn = draw(table, 1)
    assert drawn != state


@settings(max_examples=scaled(40))
@given(seed=st.integers(0, 1 << 32))
def test_lost_cities_keeps_what_was_taken_openly(seed: int) -> None:
    _, state, seat, drawn = draw(Configuration(GAMES["lost_cities"], "standard", 2), seed)
    assert drawn.known == state.known
    assert drawn.replace(deal=state.deal, hands=state.hands, drawn=state.drawn) == state
    assert drawn.hands[seat] == state.hands[seat]


@pytest.mark.parametrize("seats", [3, 4, 5])
@settings(max_examples=scaled(30))
@given(seed=st.integers(0, 1 << 32))
def test_land_unter_keeps_lifebelts_and_what_was_played(seats: int, seed: int) -> None:
    _, state, _, drawn = draw(Configuration(GAMES["land_unter"], "standard", seats), seed)
    assert [*map(count_lifebelts, drawn.dealt)] == [*map(count_lifebelts, state.dealt)]
    for trick in state.last_round:
        for at, card in enumerate(trick.cards):
            assert not card or card in drawn.dealt[(at - len(state.scores) + 1) % seats]


@pytest.mark.parametrize("table", [table for table in SAMPLED if table.game.id == "bottle_imp"], ids=str)
@settings(max_examples=scaled(40))
@given(seed=st.integers(0, 1 << 32))
def test_bottle_imp_keeps_what_was_passed_and_what_could_not_be_followed(
    table: Configuration, seed: int
) -> None:
    _, state, seat, drawn = draw(table, seed)
    form = state.deal.form
    for trick in state.tricks:
        suit = SUIT[trick.cards[0]]
        for place, card in zip(form.orders[state.deal.dealer][trick.leader], trick.cards, strict=True):
            assert card in suit or suit.isdisjoint(drawn.hands[place])
    for verb, mine, true in zip(form.verbs, drawn.given, state.given, strict=False):
        assert mine[seat] == true[seat]
        if verb == "open":
            assert mine == true


@given(st.integers(0, 1 << 32))
def test_dealing_out_finds_the_only_way(seed: int) -> None:
    allowed = [(0,), (0, 1), (1, 2), (2, 3), (3,)]
    assert deal_out(range(5), (2, 1, 1, 1), allowed, random.Random(seed)) == [[0, 1], [2], [3], [4]]


def test_dealing_out_refuses_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="no place"):
        deal_out((0, 1), (1, 1), [(0,), (0,)], random.Random(1))


def test_dealing_out_leaves_all_ways_open() -> None:
    allowed = [(0, 1), (0, 1), (1,)]
    chooser = random.Random(1)
    deals = {tuple(map(tuple, deal_out(range(3), (1, 2), allowed, chooser))) for _ in range(100)}
    assert {deal[0] for deal in deals} == {(0,), (1,)}


def test_sampler_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(UsageError, match="chess"):
        sampler("chess")
