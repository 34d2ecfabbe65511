"""The choices of a finished match: what the seat knew at each, what it could have chosen, and what it chose."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from arena.core.errors import UsageError
from arena.games import registry
from arena.games.kernel import Action, Choice, Setup, Step
from arena.match.choice_chances import SeenChoice, see_choice
from arena.match.record import Record
from arena.match.replay import MatchReplay
from arena.match.step_reference import StepReference

PHASES = ("opening", "middle", "end")
"""The thirds of a seat's choices in a match."""


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A choice among two or more actions.  `number` is the decision's as tracebacks name it, `step` the record's, from 0."""

    match: str
    number: int
    step: int
    seen: SeenChoice
    """Knowledge of the seat: nothing else is used to judge the decision."""
    setup: Setup
    """Setup of the match, without the talkers, which seats do not learn."""
    chosen: Action
    bots: tuple[str, ...]
    """The labels of all seats."""
    part: str
    """The hand, round or other large part of the match that it belongs to."""
    phase: str
    """One of PHASES."""

    @property
    def reference(self) -> str:
        """Return its MATCH:STEP."""
        return str(StepReference(self.match, self.step))

    @property
    def seat(self) -> int:
        """Return whose choice it was."""
        return self.seen.seat

    @property
    def bot(self) -> str:
        """Return the label of the bot that chose."""
        return self.bots[self.seat]

    @property
    def opponents(self) -> str:
        """Return the labels of the others, each once, by the alphabet."""
        others = {bot for seat, bot in enumerate(self.bots) if seat != self.seat}
        return ", ".join(sorted(others))

    @property
    def kind(self) -> str:
        """Return what was to be chosen: the verbs of its legal actions, such as `discard, play`."""
        return ", ".join(sorted({action.split()[0] for action in self.seen.legal}))


def list_decisions(
    record: Record, seats: Collection[int], labels: tuple[str, ...] | None = None
) -> tuple[PastDecision, ...]:
    """List the choices of some seats of a record, in order; talk and single legal actions are none.

    `labels` are what the bots of all seats are called; their names if not given.  The record must be a right one (`arena.match.verification`).  Raises UsageError for a seat that it does not have.
    """
    wrong = [seat for seat in seats if not 0 <= seat < len(record.seats)]
    if wrong:
        raise UsageError(f"seat {wrong[0]}: must be 0 to {len(record.seats) - 1}")
    match = MatchReplay.of(record)
    setup = match.game.setup(len(record.seats), variant=record.variant, options=record.options)
    steps: list[Step] = [each.step for each in match.deal.steps]
    found: list[tuple[int, int, SeenChoice, Action]] = []
    while (decisions := match.open_decisions()) and match.step_count < len(record.steps):
        seen = {
            each.number: see_choice(match.game, match.state, steps, each.seat)
            for each in decisions
            if each.seat in seats and isinstance(each.decision, Choice) and len(each.actions) > 1
        }
        point = match.resolve(record.steps, match.step_count)
        steps += [each.step for each in point.steps]
        found += [
            (each.to.number, each.index, seen[each.to.number], each.answer)
            for each in point.answers
            if each.to.number in seen and isinstance(each.answer, str)
        ]
    bots = labels or tuple(seat.bot for seat in record.seats)
    counts = {seat: sum(each[2].seat == seat for each in found) for seat in seats}
    so_far = dict.fromkeys(seats, 0)
    listed = []
    for number, step, choice, chosen in found:
        phase = PHASES[len(PHASES) * so_far[choice.seat] // counts[choice.seat]]
        so_far[choice.seat] += 1
        part = part_of(choice.game.id, choice.view)
        listed.append(PastDecision(record.match, number, step, choice, setup, chosen, bots, part, phase))
    return tuple(listed)


def part_of(game: str, view: Any) -> str:  # noqa: ANN401 - each game's own view
    """Return the title of the hand, round or other large part of a match that a view belongs to."""
    drawing = registry.package(game).drawing
    return "Match" if drawing is None else drawing.titles(view)[0]
