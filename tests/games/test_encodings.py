"""Encodings: every action has a number, and the rows are of fixed length, in range, and made of the view alone."""

from random import Random
from typing import Any

import pytest

from arena.games import registry
from arena.games.kernel import Choice

TABLES = [
    (game, variant, seats)
    for game, rules in registry.GAMES.items()
    for variant, counts in rules.variants.items()
    for seats in counts
]


@pytest.mark.parametrize(("game", "variant", "seats"), TABLES)
def test_all_that_happens_in_a_match_can_be_put_into_numbers(game: str, variant: str, seats: int) -> None:
    rules, encoding = registry.find(game), registry.package(game).encoding
    assert encoding is not None
    actions, length = frozenset(encoding.ACTIONS), sum(encoding.PARTS.values())
    setup, chance = rules.setup(seats, variant=variant), Random(1)
    state, _ = rules.new(setup, bytes(32))
    point = 0
    while decisions := rules.to_act(state):
        point += 1
        answers = []
        for decision in decisions:
            assert isinstance(decision, Choice)
            legal = rules.legal(state, decision.seat)
            assert actions.issuperset(legal)
            answers.append(chance.choice(legal))
        if point % 7 == 1:
            for seat in range(seats):
                row = encoding.encode(rules.view(state, seat), seat, seats)
                assert len(row) == length
                assert -1 <= min(row) <= max(row) <= 1
        state, _ = rules.apply(state, answers)
    for seat in range(seats):
        assert len(encoding.encode(rules.view(state, seat), seat, seats)) == length


@pytest.mark.parametrize("game", registry.GAMES)
def test_no_action_has_two_numbers(game: str) -> None:
    encoding = registry.package(game).encoding
    assert encoding is not None
    assert len(set(encoding.ACTIONS)) == len(encoding.ACTIONS)


@pytest.mark.parametrize("game", registry.GAMES)
def test_nearly_every_new_view_gives_another_row(game: str) -> None:
    rules, encoding = registry.find(game), registry.package(game).encoding
    assert encoding is not None
    seats = next(iter(rules.variants.values()))[0]
    state = None
    chance, views, rows = Random(2), set[Any](), set[Any]()
    while len(views) < 30:
        if state is None or not rules.to_act(state):  # a short match has fewer views
            state, _ = rules.new(rules.setup(seats), chance.randbytes(32))
        view = rules.view(state, 0)
        views.add(view)
        rows.add(bytes(encoding.encode(view, 0, seats)))
        answers = [chance.choice(rules.legal(state, decision.seat)) for decision in rules.to_act(state)]
        state, _ = rules.apply(state, answers)
    assert len(rows) >= 0.9 * len(views)


def test_a_card_in_hand_stands_at_its_place() -> None:
    rules, encoding = registry.find("land_unter"), registry.package("land_unter").encoding
    assert encoding is not None
    state, _ = rules.new(rules.setup(3), bytes(32))
    hand = rules.view(state, 1).hand
    row = encoding.encode(rules.view(state, 1), 1, 3)
    assert [card for card in range(1, 61) if row[card - 1]] == list(hand)
