"""The chance to win of each action that a seat could have chosen: by rollouts from positions that the seat may have been in.

    what the seat saw ──▶ a position that agrees with it ──▶ each action, then played on by the game's policy ──▶ its share, over and over

All actions are tried from the same positions with the same luck, so their chances can be compared.  A chance is a share of pairs as
in `arena.match.chances`.  Nothing that the seat could not know counts: another deal that looks the same to it gives the same chances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.kernel import Action, AnyGame, Choice, Setup, Step
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


@dataclass(frozen=True, slots=True)
class SeenChoice:
    """All that a seat knows of a choice: its view, the steps that it has seen, its legal actions."""

    game: AnyGame
    seat: int
    view: Any
    history: tuple[Step, ...]
    legal: tuple[Action, ...]


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
    game = registry.find(record.game)
    state, steps = _position(record, point)
    seen = see_choice(game, state, steps, seat)
    if len(seen.legal) < 2:
        raise UsageError(f"point {point}: seat {seat} has nothing to choose there")
    # Seats do not learn which others talk.
    setup = game.setup(len(record.seats), variant=record.variant, options=record.options)
    # The match's id and not its seed, which other deals that look the same do not have.
    return estimate_seen(seen, setup, Random(f"{record.match}/{point}/{seat}"), policy, work, tick)


def see_choice(
    game: AnyGame,
    state: Any,  # noqa: ANN401 - each game has its own state
    steps: Iterable[Step],
    seat: int,
) -> SeenChoice:
    """Return what a seat knows of a choice, from the whole state and all steps up to it."""
    legal = game.legal(state, seat) if Choice(seat) in game.to_act(state) else ()
    seen = (game.seen(step, seat) for step in steps)
    history = tuple(step for step in seen if step is not None)
    return SeenChoice(game, seat, game.view(state, seat), history, tuple(legal))


def estimate_seen(
    seen: SeenChoice,
    setup: Setup,
    random: Random,
    policy: Policy,
    work: int = STANDARD_WORK,
    tick: Callable[[], None] = lambda: None,
) -> tuple[ChoiceEstimate, ...]:
    """Estimate the chances of a seat after each of its legal actions, in their order, from nothing but what it knows."""
    game, seat, legal, seats = seen.game, seen.seat, seen.legal, setup.seats
    sampler = registry.package(game.id).sampler
    sums = [ShareSums(seats) for _ in legal]
    used = positions = 0
    while positions < _LEAST_POSITIONS or (used < work and positions < _MOST_POSITIONS):
        tick()
        drawn = sampler.sample(setup, seen.view, seen.history, seat, random)
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


def _position(record: Record, point: int) -> tuple[Any, Sequence[Step]]:
    """Return the state after a point as the stepper numbers them, and the steps up to it."""
    shown = -1
    steps: list[Step] = []
    for number, each in enumerate(replay(record)):
        if each.steps or not number:
            shown += 1
        steps += [recorded.step for recorded in each.steps]
        if shown == point:
            return each.state, steps
    raise UsageError(f"point {point}: must be from 0 to {shown}")
