"""Nothing that a seat may not see reaches it: two matches that differ only in that look the same to the seat.

Each game makes such pairs (`make_twins` in its `checks`).  What is not in the states, the choices of others at the same point,
is in tests/match/test_unrevealed.py.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.devtools.leak_check import told
from arena.games import registry
from arena.games.kernel import Chance
from arena.games.sampling import sampler
from arena.games.twins import Twin, TwinMaker, follow, shuffle_places
from tests.examples import scaled
from tests.games.playing import GAMES, Configuration, codec, play
from tests.games.tiny import TINY, TinyState


def tiny_twins(chooser: Random, seat: int, length: float) -> tuple[Twin, Twin]:
    """The pile of the first round, but for its first card, which the dummy turns up."""
    playout = play(Configuration(TINY, "standard", 3), chooser.randbytes(32), chooser, rounds=1)
    points = slice(0, int((len(playout.points) - 1) * length))
    start: TinyState = playout.points[0].state
    pile = shuffle_places(start.pile, range(1, len(start.pile)), chooser)
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    twin_deal = Chance("deal", (*deal.outcome[:-1], " ".join(map(str, pile))))
    twin = follow(playout, start._replace(pile=tuple(pile)), (twin_deal,), points)
    return follow(playout, start, playout.opening, points), twin


TWINS: dict[str, TwinMaker] = {TINY.id: tiny_twins} | {
    game: package.checks.twins
    for game, package in registry.PACKAGES.items()
    if package.checks is not None and package.checks.twins is not None
}
OPEN = [game for game, package in registry.PACKAGES.items() if package.checks and not package.checks.twins]
"""The games whose states hide nothing, so that there are no twins: their samplers find the one state."""


def most_seats(game: str) -> int:
    return max(seats for counts in GAMES[game].variants.values() for seats in counts)


def shown(game: str, seat: int, match: Twin) -> object:
    return told(GAMES[game], codec(game).encode, seat, match)


@pytest.mark.parametrize("name", TWINS)
@settings(max_examples=scaled(150))
@given(seed=st.integers(0, 1 << 32), place=st.integers(0, 59), length=st.floats(0, 1))
def test_what_is_hidden_does_not_show(name: str, seed: int, place: int, length: float) -> None:
    seat = place % most_seats(name)
    true, twin = TWINS[name](Random(seed), seat, length)
    assert shown(name, seat, true) == shown(name, seat, twin)


@pytest.mark.parametrize("name", TWINS)
def test_twins_do_differ(name: str) -> None:
    true, twin = TWINS[name](Random(1), 0, 0.3)
    assert true.state != twin.state
    assert true.steps != twin.steps
    assert len(true.steps) == len(twin.steps)


@pytest.mark.parametrize("name", [name for name in TWINS if name in registry.GAMES])
def test_another_seat_sees_the_difference(name: str) -> None:
    true, twin = TWINS[name](Random(1), 0, 0.3)
    assert shown(name, 1, true) != shown(name, 1, twin)


@pytest.mark.parametrize("name", OPEN)
@settings(max_examples=scaled(50))
@given(seed=st.integers(0, 1 << 32), form=st.integers(0, 59), option=st.integers(0, 59))
def test_open_game_has_nothing_to_hide(name: str, seed: int, form: int, option: int) -> None:
    game, sample = GAMES[name], sampler(name).sample
    tables = [
        Configuration(game, variant, seats) for variant, counts in game.variants.items() for seats in counts
    ]
    table, chooser = tables[form % len(tables)], Random(seed)
    options = table.extremes()[option % len(table.extremes())]
    playout = play(table, chooser.randbytes(32), chooser, **options)
    for step in playout.steps():
        assert {game.seen(step, seat) for seat in (None, *range(table.seats))} == {step}
    for state in playout.states():
        for seat in range(table.seats):
            assert sample(playout.setup, game.view(state, seat), (), seat, chooser) == state


def test_every_game_of_the_arena_is_tested_for_leaks() -> None:
    assert set(registry.GAMES) <= {*TWINS, *OPEN}
