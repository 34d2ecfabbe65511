"""The chance to win of each action that a seat could have chosen: by rollouts from positions that the seat may have been in.

    what the seat saw ──▶ a position that agrees with it ──▶ each action, then played on by the game's policy ──▶ its share, over and over

All actions are tried from the same positions with the same luck, so their chances can be compared.  A chance is a share of pairs as
in `arena.match.chances`.  Nothing that the seat could not know counts: another deal that looks the same to it gives the same chances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.kernel import Action, Choice, Step
from arena.match.chances import STANDARD_WORK, Policy, ShareSums, play_on
from arena.match.record import Record
from arena.match.replay import replay

_LEAST_POSITIONS = 8
_MOST_POSITIONS = 1500


@dataclass(frozen=True, slots=True)
class ChoiceEstimate:
    """The chance of a seat after an action: 0 to 1, and the half width of its 95 % interval."""

    action: Action
    share: float
    error: float


def estimate_choices(
    record: Record,
    point: int,
    seat: int,
    policy: Policy,
    work: int = STANDARD_WORK,
    tick: Callable[[], None] = lambda: None,
) -> tuple[ChoiceEstimate, ...]:
    """Estimate the chances of a seat after each action that it could choose after a point of a match, in legal order.

    `work` is how many decisions the rollouts may take together.  `tick` is called before each position; what it raises ends the
    work.  Raises ArenaError where the record cannot be replayed, UsageError where the seat has nothing to choose.
    """
    package = registry.package(record.game)
    game, seats = package.game, len(record.seats)
    state, history = _position(record, point, seat)
    legal = game.legal(state, seat) if Choice(seat) in game.to_act(state) else ()
    if len(legal) < 2:
        raise UsageError(f"point {point}: seat {seat} has nothing to choose there")
    view = game.view(state, seat)
    # Who talks is not told to the seats.
    setup = game.setup(seats, variant=record.variant, options=record.options)
    # The match's id and not its seed, which other deals that look the same do not have.
    random = Random(f"{record.match}/{point}/{seat}")
    sums = [ShareSums(seats) for _ in legal]
    used = positions = 0
    while positions < _LEAST_POSITIONS or (used < work and positions < _MOST_POSITIONS):
        tick()
        drawn = package.sampler.sample(setup, view, history, seat, random)
        luck = random.random()
        for action, of_action in zip(legal, sums, strict=True):
            shares, decisions = play_on(game, policy, drawn, Random(luck), seats, {seat: action})
            of_action.add(shares)
            used += decisions
        positions += 1
    return tuple(
        ChoiceEstimate(action, of_action.means()[seat], of_action.errors()[seat])
        for action, of_action in zip(legal, sums, strict=True)
    )


def _position(record: Record, point: int, seat: int) -> tuple[Any, Sequence[Step]]:
    """Return the state after a point as the stepper numbers them, and what a seat had seen by then."""
    game = registry.find(record.game)
    shown = -1
    history: list[Step] = []
    for number, each in enumerate(replay(record)):
        if each.steps or not number:
            shown += 1
        seen = (game.seen(recorded.step, seat) for recorded in each.steps)
        history += [step for step in seen if step is not None]
        if shown == point:
            return each.state, history
    raise UsageError(f"point {point}: must be from 0 to {shown}")
