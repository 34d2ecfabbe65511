"""The search finds what there is to find, keeps to its time, and is the same again if it counts iterations."""

from __future__ import annotations

from functools import partial
from random import Random
from time import monotonic
from types import MappingProxyType
from typing import Any

import pytest

from arena.core.errors import UsageError
from arena.games.kernel import Result
from arena.games.lost_cities.rules import LOST_CITIES
from arena.games.lost_cities.state import CARDS, DECK, KINDS, LostCitiesState
from arena.sdk import Decision, practise
from arena.sdk.bot import Clock, Match
from bots.catalogue import house_bot
from bots.search import ITERATIONS, Plan, SearchBot, share_out

NO_HURRY = Clock(bank_ms=30_000, limit_ms=10_000)


class Blind(SearchBot):
    """Knows no game: plays on at random to the end of the match."""

    name = "blind"


def last_turn() -> LostCitiesState:
    """A position with one card to draw, in which seat 0 wins if it plays R10, and else is 7 points behind."""
    state, _ = LOST_CITIES.new(LOST_CITIES.setup(2, options={"hands": 1}), bytes(32))
    red = tuple(CARDS[f"R{number}"] for number in range(3, 10))
    white = tuple(CARDS[f"W{number}"] for number in range(4, 11))
    rest = [card for card in DECK if card not in (*red, *white, CARDS["R10"])]
    high = [card for card in rest if card % KINDS > 3]
    mine, theirs, pile = (CARDS["R10"], *high[:7]), high[7:15], high[15:16]
    thrown = [card for card in rest if card not in (*mine, *theirs, *pile)]
    return state.replace(
        deal=state.deal.replace(pile=tuple(pile)),
        turn=42,
        hands=(tuple(sorted(mine)), tuple(sorted(theirs))),
        expeditions=((red, *((),) * 4), ((), (), white, (), ())),
        discards=tuple(tuple(card for card in thrown if card // KINDS == colour) for colour in range(5)),
    )


def ask(state: LostCitiesState, clock: Clock = NO_HURRY) -> Decision[Any]:
    match = Match("m", "lost_cities", "standard", MappingProxyType({"hands": 1}), 0, 2, Random(1))
    return Decision(
        match,
        legal=LOST_CITIES.legal(state, 0),
        clock=clock,
        view=partial(LOST_CITIES.view, state, 0),
        history=lambda: (),
    )


@pytest.mark.parametrize(
    "bot", [Blind(iterations=300), house_bot("lost_cities", "search")], ids=["blind", "house"]
)
def test_search_plays_the_card_that_is_worth_most(bot: SearchBot) -> None:
    bot.iterations = 300
    assert bot.choose(ask(last_turn())) == "play R10"


def test_search_takes_the_time_it_is_given() -> None:
    bot = Blind(seconds=0.05)
    started = monotonic()
    bot.choose(ask(last_turn()))
    assert monotonic() - started >= 0.05


def test_search_hurries_when_its_clock_is_short() -> None:
    asked: list[float] = []

    def clock() -> float:
        asked.append(len(asked) / 100)
        return asked[-1]

    Blind(seconds=60, clock=clock).choose(ask(last_turn(), Clock(bank_ms=2_000, limit_ms=10_000)))
    assert asked[-1] <= 0.15


def test_search_by_iterations_plays_the_same_match_again() -> None:
    bots = [Blind(iterations=20), house_bot("land_unter", "greedy"), house_bot("land_unter", "random")]
    first, second = (practise("land_unter", bots, options={"rounds": 1}) for _ in range(2))
    assert first == second


def test_iterations_are_set_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ITERATIONS, "7")
    assert Blind().iterations == 7


def test_iterations_that_are_no_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ITERATIONS, "many")
    with pytest.raises(UsageError, match=r"ARENA_SEARCH_ITERATIONS 'many'.*number"):
        Blind()


def test_shares_count_pairs_and_half_for_a_shared_place() -> None:
    assert share_out(Result((9, 5, 5, 1), (1, 2, 2, 4), "completed", {})) == [1.0, 0.5, 0.5, 0.0]


def test_plan_without_an_estimate_plays_to_the_end() -> None:
    assert Plan().evaluate is None
