"""The chances of the actions that a seat could have chosen: repeatable, of each action, honest about their error, from what the seat knew alone."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.checks import Checks
from arena.games.kernel import Choice
from arena.games.twins import Twin
from arena.match.choice_chances import ChoiceEstimate, estimate_choices, estimate_seen, see_choice
from arena.match.record import Record, from_json
from arena.match.replay import replay
from arena.match.score_series import shown_states
from tests.games.playing import search_plan

LITTLE = 3000


def checks_of(game: str) -> Checks:
    checks = registry.package(game).checks
    assert checks is not None
    return checks


HIDING = [game for game in registry.GAMES if checks_of(game).twins is not None]
"""The games in which a seat does not see everything."""


def example(game: str) -> Record:
    return from_json((registry.package(game).docs / "match.json").read_text(encoding="utf-8"))


@cache
def first_choice(game: str, after: float) -> tuple[int, int]:
    """The first choice among three actions after a share of a match: its point and its seat."""
    rules, states = registry.find(game), list(shown_states(example(game)))
    return next(
        (point, decision.seat)
        for point in range(int(after * len(states)), len(states))
        for decision in rules.to_act(states[point])
        if isinstance(decision, Choice) and len(rules.legal(states[point], decision.seat)) > 2
    )


@cache
def estimated(game: str, after: float = 0.4, work: int = LITTLE) -> tuple[ChoiceEstimate, ...]:
    plan = search_plan(game)
    return estimate_choices(example(game), *first_choice(game, after), plan, work)


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_legal_action_has_a_chance(game: str) -> None:
    point, seat = first_choice(game, 0.4)
    state = list(shown_states(example(game)))[point]
    found = estimated(game)
    assert tuple(each.action for each in found) == tuple(registry.find(game).legal(state, seat))
    for each in found:
        assert 0 <= each.share <= 1
        assert 0 < each.error <= 1


@pytest.mark.parametrize("game", registry.GAMES)
def test_chance_is_that_of_the_action(game: str) -> None:
    assert len({each.share for each in estimated(game)}) > 1


@pytest.mark.parametrize("game", registry.GAMES)
def test_same_choice_has_the_same_chances(game: str) -> None:
    first = estimated(game)
    estimated.cache_clear()
    assert estimated(game) == first


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.GAMES)
def test_longer_run_lies_within_the_error_bars_of_a_short_one(game: str) -> None:
    short, longer = estimated(game), estimated(game, work=8 * LITTLE)
    within = [abs(one.share - other.share) <= one.error for one, other in zip(short, longer, strict=True)]
    assert sum(within) >= 0.7 * len(within)
    assert max(each.error for each in longer) < max(each.error for each in short)


@cache
def twins_of(game: str) -> tuple[Twin, Twin, int]:
    """Two matches in which a seat has to choose, and that differ only in what others see."""
    rules, make = registry.find(game), checks_of(game).twins
    assert make is not None
    for number in range(1000):
        chooser, seat = Random(number), number % 2
        true, twin = make(chooser, seat, chooser.uniform(0.3, 0.7))
        if (
            true.seats in rules.variants["standard"]
            and any(
                rules.view(true.state, other) != rules.view(twin.state, other)
                for other in range(true.seats)
                if other != seat
            )
            and len(see_choice(rules, true.state, true.steps, seat).legal) > 2
        ):
            return true, twin, seat
    raise AssertionError("no twins in which the seat has to choose")


@pytest.mark.parametrize("game", HIDING)
def test_what_the_seat_could_not_see_does_not_count(game: str) -> None:
    *twins, seat = twins_of(game)
    rules, plan = registry.find(game), search_plan(game)
    setup = rules.setup(twins[0].seats, variant="standard")
    chances = [
        estimate_seen(
            see_choice(rules, each.state, each.steps, seat), setup, Random("one id"), plan, work=300
        )
        for each in twins
    ]
    assert chances[0] == chances[1]


@pytest.mark.parametrize("game", registry.GAMES)
def test_what_came_later_does_not_count(game: str) -> None:
    record, (point, seat) = example(game), first_choice(game, 0.4)
    plan, shown, steps = search_plan(game), -1, 0
    for number, each in enumerate(replay(record)):
        shown += bool(each.steps or not number)
        steps += len(each.steps)
        if shown == point:
            break
    cut = replace(record, steps=record.steps[:steps])
    assert estimate_choices(cut, point, seat, plan, LITTLE) == estimated(game)


def test_seat_that_does_not_choose_has_no_chances() -> None:
    point, seat = first_choice("lost_cities", 0.4)
    plan = search_plan("lost_cities")
    with pytest.raises(UsageError, match="nothing to choose"):
        estimate_choices(example("lost_cities"), point, 1 - seat, plan, LITTLE)
    with pytest.raises(UsageError, match="must be from 0 to"):
        estimate_choices(example("lost_cities"), 10**6, seat, plan, LITTLE)
