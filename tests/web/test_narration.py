"""What came of a step, in words: what is told is right, and gives nothing away."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from arena.core.translatable import Wording
from arena.games import registry
from arena.games.kernel import Claim, Line, Played, Said
from arena.games.narrating import Happening, list_scores, nothing_came_of_it
from arena.games.registry import GAMES
from arena.web.boards import is_open_game
from tests.games.playing import TABLES, Configuration, play

TABLES_HERE = [table for table in TABLES if table.game.id in GAMES]
CLOSED = [table for table in TABLES_HERE if not is_open_game(table.game.id)]


def tell(table: Configuration, only: int | None = None) -> list[list[str]]:
    """Narrate a random match, from all views or from one seat's alone."""
    playout, package = play(table, bytes(32), random.Random(4)), registry.package(table.game.id)
    assert package.drawing is not None
    states = playout.states()
    seats = range(table.seats)
    views = [
        package.drawing.mask(
            [table.game.view(state, seat) if only in {None, seat} else None for seat in seats]
        ).view
        for state in states
    ]
    told = []
    for before, after in pairwise(views):
        happening = Happening(
            before=before, after=after, steps=(), said=(), names=tuple(f"bot-{seat}" for seat in seats)
        )
        told.append(list(package.narrate(happening)))
    return told


@pytest.mark.parametrize("table", CLOSED, ids=str)
def test_narration_needs_no_more_than_what_any_seat_sees(table: Configuration) -> None:
    told = tell(table)
    assert all(tell(table, seat) == told for seat in range(table.seats))


@pytest.mark.parametrize("table", TABLES_HERE, ids=str)
def test_every_match_has_something_to_tell(table: Configuration) -> None:
    told = [sentence for each in tell(table) for sentence in each]
    assert all(isinstance(sentence, Wording) for sentence in told)
    assert told


def test_a_game_without_narration_tells_nothing() -> None:
    happening = Happening(before=None, after=None, steps=(), said=(), names=())
    assert nothing_came_of_it(happening) == ()


def test_scores_are_written_with_a_minus_and_without_nameless_sides() -> None:
    assert list_scores(("a", "b"), (-3, 4, 9)) == "a −3, b 4"


@pytest.mark.parametrize(("voted", "words"), [("W", "✓ liar keeps"), ("K", "✗ liar breaks")])
def test_a_promise_is_held_to_the_vote(voted: str, words: str) -> None:
    table = next(each for each in TABLES_HERE if each.game.id == "lifeboats")
    state = play(table, bytes(32), random.Random(4)).states()[0]
    view = table.game.view(state, 0)._replace(vote="leak")
    happening = Happening(
        before=view,
        after=view,
        steps=(Played(0, f"vote {voted}"),),
        said=(Said(0, Line("", (Claim("promise", 0, "W", "this"),)), 0),),
        names=("liar", *(f"bot-{seat}" for seat in range(1, table.seats))),
    )
    (told,) = registry.package("lifeboats").narrate(happening)
    assert told.startswith(words)
