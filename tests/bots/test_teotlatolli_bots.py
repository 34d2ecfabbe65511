"""The bots for Teotlatolli: what they see on the table, and the search's policy and guess."""

from __future__ import annotations

import random

import pytest

from arena.games.teotlatolli import TEOTLATOLLI
from arena.games.teotlatolli.house_bots._playout import evaluate, playout
from arena.games.teotlatolli.house_bots._table import finish, read
from arena.games.teotlatolli.house_bots.greedy import Greedy
from arena.games.teotlatolli.house_bots.raider import Raider
from arena.games.teotlatolli.house_bots.schemer import Schemer
from arena.games.teotlatolli.state import TeotlatolliState
from arena.sdk import Clock, Decision, Match
from tests.games.playing import TABLES, play
from tests.games.test_teotlatolli import EIGHT_EACH, legal, position

TABLE = next(table for table in TABLES if table.game.id == "teotlatolli")


def first(state: TeotlatolliState) -> str:
    """Return the first step of the way to a god, as seat 0 sees it."""
    return finish(read(TEOTLATOLLI.view(state, 0), 0))


def choice(bot: Greedy, state: TeotlatolliState) -> str:
    match = Match("m", "teotlatolli", "standard", {}, 0, 2, random.Random(1))
    return bot.choose(
        Decision(
            match,
            legal=legal(state),
            clock=Clock(1000, 1000),
            view=lambda: TEOTLATOLLI.view(state, 0),
            history=tuple,
        )
    )


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (position("tecpatl", own={4: "cuetzpalin coatl mazatl"}), "play tecpatl 4"),
        (position("tecpatl", own={4: "cuetzpalin coatl"}, theirs={4: "mazatl"}), "switch mazatl 4"),
        (position("tecpatl", own={4: "cuetzpalin mazatl", 5: "coatl"}), "move coatl 5 4"),
        (position("cuetzpalin coatl mazatl", depot="tecpatl"), "move tecpatl depot 4"),
        (position("tecpatl coatl calli", theirs={4: "cuetzpalin mazatl"}), "switch cuetzpalin 4"),
        (position("tecpatl coatl calli", theirs={4: "cuetzpalin mazatl"}, spent=1), ""),
        (position("tecpatl coatl mazatl calli", theirs={4: "cuetzpalin"}, spent=1), "use calli"),
        (position(own={4: "cuetzpalin coatl coatl mazatl tecpatl"}), "move coatl 4 5"),
        (position("cuetzpalin coatl mazatl", theirs={4: "tecpatl"}), ""),
        (position("cuetzpalin coatl mazatl", own={4: "tecpatl"}, spent=3), "play cuetzpalin 4"),
    ],
)
def test_way_to_a_god_is_found(state: TeotlatolliState, action: str) -> None:
    assert first(state) == action


def test_way_to_a_god_leads_there() -> None:
    state = position("coatl calli tochtli", own={4: "tecpatl"}, theirs={4: "cuetzpalin mazatl"})
    taken = []
    while state.seat == 0:
        taken.append(first(state))
        state, _ = TEOTLATOLLI.apply(state, (taken[-1],))
    assert state.completed == ((4,), ())
    assert taken == ["switch cuetzpalin 4", "use calli", "switch mazatl 4", "play coatl 4"]


def test_greedy_keeps_its_cardinal_signs_and_raider_spends_them_on_what_is_nearly_complete() -> None:
    state = position("calli", theirs={4: "cuetzpalin coatl mazatl"}, own={3: "calli"}, spent=1)
    assert choice(Greedy(), state) == "end"
    assert choice(Raider(), state) == "use calli"


def test_greedy_leaves_two_equal_signs_of_the_opponent_in_its_way() -> None:
    state = position(theirs={4: "cuetzpalin coatl coatl mazatl tecpatl"})
    assert choice(Greedy(), state) != "switch coatl 4"


def test_schemer_spends_its_switch_before_it_completes_a_god() -> None:
    state = position("tecpatl", own={4: "cuetzpalin coatl mazatl"}, theirs={5: "coatl"})
    assert choice(Greedy(), state) == "play tecpatl 4"
    assert choice(Schemer(), state) == "switch coatl 5"


def test_policy_of_the_search_gives_legal_actions() -> None:
    chooser = random.Random(3)
    for point in play(TABLE, bytes(32), chooser).points:
        actions = legal(point.state)
        assert playout(point.state, point.state.seat, actions, chooser) in actions


def test_guess_of_the_search_is_a_share_for_each_seat() -> None:
    playout_ = play(TABLE, bytes(32), random.Random(4))
    for state in playout_.states():
        shares = evaluate(state)
        assert sum(shares) == pytest.approx(1.0)
        assert min(shares) >= 0.0
    result = TEOTLATOLLI.result(playout_.last)
    assert result is not None
    assert evaluate(playout_.last)[result.places.index(1)] == 1.0


def test_guess_of_the_search_follows_the_lead() -> None:
    gods, others = EIGHT_EACH
    ahead = position(completed=(gods[:5], others[:3]))
    assert evaluate(ahead)[0] > evaluate(position())[0] > evaluate(position(completed=((), others[:1])))[0]
    assert evaluate(position("calli"))[0] > evaluate(position("coatl"))[0]
