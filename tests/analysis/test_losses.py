"""What decisions cost: every choice is judged, from the same seed alike, and two seeds agree on the worst one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from arena.analysis import Loss, PastDecision, costliest, find_losses, list_decisions, sum_up
from arena.analysis.loss_search import Found
from arena.analysis.summary import BY
from arena.core.errors import UsageError
from arena.games import registry
from arena.games.kernel import Played
from arena.match.record import Record, from_json
from arena.match.replay import replay
from tests.games.playing import search_plan

LITTLE = 20_000
MOST = {"teotlatolli": 20}
"""How many decisions are judged of a game whose decisions take long, however small the budget."""
SEAT = 0


def example(game: str) -> Record:
    return from_json((registry.package(game).docs / "match.json").read_text(encoding="utf-8"))


@cache
def decisions(game: str) -> tuple[PastDecision, ...]:
    return list_decisions(example(game), {SEAT})


def within(work: int) -> Callable[[int], float]:
    return lambda done: done / work


@cache
def found(game: str, seed: str = "one", work: int = LITTLE) -> Found:
    judged = decisions(game)[: MOST.get(game)]
    return find_losses(judged, search_plan(game), seed, within(work))


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_choice_that_a_seat_was_asked_for_is_listed(game: str) -> None:
    asked = [
        answer.index
        for point in replay(example(game))
        for answer in point.answers
        if answer.to.seat == SEAT and answer.to.asked and answer.to.actions
    ]
    assert [each.step for each in decisions(game)] == asked


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_chosen_action_is_the_recorded_one(game: str) -> None:
    steps = example(game).steps
    for each in decisions(game):
        step = steps[each.step].step
        assert isinstance(step, Played)
        assert step.action == each.chosen
        assert each.chosen in each.seen.legal


def test_a_seat_that_the_match_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="seat 5: must be 0 to 1"):
        list_decisions(example("lost_cities"), {5})


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_decision_is_judged_however_small_the_budget(game: str) -> None:
    few = find_losses(decisions(game)[:3], search_plan(game), "one", lambda _: 1.0)
    assert [each.decision for each in few.losses] == list(decisions(game)[:3])
    for each in few.losses:
        assert 0 <= each.loss <= 1
        assert 0 < each.error < 1
        assert each.positions > 0


def test_same_seed_finds_the_same_losses() -> None:
    again = find_losses(decisions("land_unter"), search_plan("land_unter"), "one", within(LITTLE))
    assert again == found("land_unter")


def test_two_seeds_agree_on_the_worst_decision() -> None:
    worst = [found("land_unter", seed, 200_000).worst for seed in ("one", "other")]
    assert worst[0] is not None
    assert worst[1] is not None
    assert worst[0].decision.number == worst[1].decision.number


def test_the_costliest_decision_gets_more_positions_than_the_others() -> None:
    losses = found("land_unter", "one", 200_000).losses
    worst = max(losses, key=lambda each: each.loss)
    assert worst.positions > min(each.positions for each in losses)


def rough(*costs: tuple[float, float], certain: bool = False) -> Found:
    """A match whose decisions cost so much, with such standard errors."""
    losses = zip(found("land_unter").losses, costs, strict=False)
    return Found(tuple(replace(each, loss=loss, error=error) for each, (loss, error) in losses), certain, 0)


def test_decisions_within_the_errors_of_the_costliest_are_its_ties() -> None:
    match = rough((0.15, 0.03), (0.2, 0.03), (0.1, 0.01), (0.0, 0.12))
    assert match.worst is match.losses[1]
    assert match.ties == (match.losses[0], match.losses[3])


def test_certain_costliest_decision_has_no_ties() -> None:
    assert rough((0.2, 0.03), (0.19, 0.03), certain=True).ties == ()


def test_actions_of_a_small_turn_are_told_apart() -> None:
    """The search of Teotlatolli looks at a position at once, without playing on: here the turn is played to its end."""
    gains = {reply.gain for loss in found("teotlatolli").losses for reply in loss.replies}
    assert len(gains) > 1


def test_a_match_without_decisions_has_no_worst_one() -> None:
    nothing = find_losses((), search_plan("land_unter"), "one", within(LITTLE))
    assert nothing.worst is None
    assert nothing.certain


@pytest.mark.parametrize("by", BY)
def test_groups_add_up_to_all_losses(by: str) -> None:
    losses = found("land_unter").losses
    groups = sum_up(losses, by)
    assert sum(group.decisions for group in groups) == len(losses)
    assert sum(group.lost for group in groups) == pytest.approx(sum(each.loss for each in losses))


def test_costliest_decisions_come_first_and_cost_something() -> None:
    listed: tuple[Loss, ...] = costliest(found("land_unter").losses, most=3)
    costs = [each.loss for each in listed]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) > 0
    assert len(costs) <= 3
