"""A match played on from one of its decisions, by the bots that sat in it, started again.

    recorded steps ──ask──▶ each bot answers as it did ──▶ the decision ──▶ another action ──▶ the bots play on to the end

Each bot is asked all that it was asked then, so that what it remembers and what it has drawn by lot is as it was.  That
needs bots that always answer alike.  A changed bot may take the place of one: until the decision the match goes on as the
record has it, even if the changed bot answers differently, and from there on its answers count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from arena.core.errors import ArenaError, UsageError
from arena.devtools.bot_driver import BotFailed, Partner
from arena.devtools.bot_replay import TABLE, ask_message, outcome_message, read_answer, start_message
from arena.devtools.decision_trace import Moment
from arena.games.kernel import SILENCE, Action, Answer, Choice, IllegalAction, Line, Played, Said, Step
from arena.match.clock import TimeControl
from arena.match.decision_rules import request_decision
from arena.match.record import Ending, Record, RecordedStep
from arena.match.replay import MatchReplay, OpenDecision, RecordedAnswer
from arena.match.step_reference import StepReference
from arena.v1.bot_pb2 import ArenaMessage, End


class Diverged(ArenaError):  # noqa: N818 - it says what happened
    """Raised when a bot answers otherwise than the record has it, before the fork."""


class ForkFailed(ArenaError):  # noqa: N818 - it says what happened
    """Raised when a bot gives no answer, or a wrong one; names the seat and the step."""


async def play_on(
    record: Record,
    step: int,
    partners: Sequence[Partner],
    time: TimeControl,
    action: Action | None = None,
    *,
    changed: int | None = None,
) -> Record:
    """Play a match on from a step, and return its record.

    `partners` are the bots by seat, freshly started.  The seat whose step it is chooses `action` there, or what its bot
    chooses if there is none.  In the seat `changed` a bot need not answer as the record has it.  The record must be a right one.  Raises UsageError where the step is no choice that a seat
    was asked for, or `action` is not legal, before any bot is asked; Diverged and ForkFailed.
    """
    _check_step(record, step, action)
    fork = _Fork(record, step, partners, time, action, changed)
    return await fork.run()


def _check_step(record: Record, step: int, action: Action | None) -> None:
    match = MatchReplay.of(record)
    choices = []
    while match.open_decisions() and match.step_count < len(record.steps):
        for each in match.resolve(record.steps, match.step_count).answers:
            if not each.to.asked or not isinstance(each.to.decision, Choice):
                continue
            if each.index == step:
                if action is not None and action not in each.to.actions:
                    raise UsageError(
                        f"action {action!r}: seat {each.to.seat} could choose {', '.join(each.to.actions)}"
                    )
                return
            choices.append(each.index)
    near = sorted(sorted(choices, key=lambda index: abs(index - step))[:4])
    raise UsageError(
        f"{StepReference(record.match, step)}: no seat had a choice there; the nearest such steps are {', '.join(map(str, near))}"
    )


class _Fork:
    """One match that is brought to a decision and played on.  Mutable, for one pass."""

    def __init__(
        self,
        record: Record,
        step: int,
        partners: Sequence[Partner],
        time: TimeControl,
        action: Action | None,
        changed: int | None,
    ) -> None:
        self._record = record
        self._step = step
        self._partners = partners
        self._time = time
        self._action = action
        self._changed = changed
        self._match = MatchReplay.of(record, time)
        self._steps: list[RecordedStep] = list(self._match.deal.steps)
        self._told = [0] * len(partners)

    async def run(self) -> Record:
        for seat, partner in enumerate(self._partners):
            await partner.tell(start_message(self._record, seat, (), self._time))
        match, forked = self._match, False
        while decisions := match.open_decisions():
            at = match.step_count
            recorded = () if forked else match.read_answers(self._record.steps, at)
            forked = forked or any(each.index == self._step for each in recorded)
            answers = [
                await self._answer(each, recorded[place] if recorded else None)
                for place, each in enumerate(decisions)
            ]
            self._steps += match.resolve([each for each in answers if each is not None]).steps
        result = match.game.result(match.state)
        assert result is not None  # noqa: S101 - nobody is to act
        ending = Ending.by_rules(result)
        for partner in self._partners:
            await partner.tell(ArenaMessage(end=End(table=TABLE, outcome=outcome_message(ending))))
        return replace(self._record, steps=tuple(self._steps), result=ending)

    async def _answer(self, to: OpenDecision, recorded: RecordedAnswer | None) -> RecordedStep | None:
        """Ask a seat, and return its step; None for silence.  Raises Diverged, ForkFailed."""
        if not to.asked:
            return None if not to.actions else RecordedStep(Played(to.seat, to.actions[0]), 0)
        answer, took_ms = await self._ask(to)
        if recorded is not None and recorded.index == self._step and isinstance(to.decision, Choice):
            answer = self._action or answer
        elif recorded is not None:
            if answer != recorded.answer and to.seat != self._changed:
                raise Diverged(self._tell_difference(recorded, answer))
            answer = recorded.answer
            took_ms = recorded.thinking_ms or 0.0
        if not isinstance(answer, Line):
            return RecordedStep(Played(to.seat, answer), round(took_ms, 1))
        if answer == SILENCE or isinstance(to.decision, Choice):
            return None
        return RecordedStep(Said(to.seat, answer, to.decision.round))

    async def _ask(self, to: OpenDecision) -> tuple[Answer, float]:
        match, seat = self._match, to.seat
        asked = request_decision(to.decision, to.number, to.actions, self._unseen(seat), match.clock)
        moment = Moment(asked, match.game.view(match.state, seat), None, match.step_count)
        began = perf_counter()
        try:
            await self._partners[seat].tell(ask_message(self._record.game, moment, asked.seen))
            answer = read_answer(await self._partners[seat].hear(), moment, len(self._partners))
        except (BotFailed, IllegalAction) as error:
            bot = self._record.seats[seat].bot
            raise ForkFailed(
                f"seat {seat} ({bot}), {StepReference(self._record.match, match.step_count)}: {error}"
            ) from error
        return answer, (perf_counter() - began) * 1000

    def _unseen(self, seat: int) -> tuple[Step, ...]:
        steps, self._told[seat] = self._steps[self._told[seat] :], len(self._steps)
        return tuple(seen for each in steps if (seen := self._match.game.seen(each.step, seat)) is not None)

    def _tell_difference(self, recorded: RecordedAnswer, answer: Answer) -> str:
        seat = recorded.to.seat
        return (
            f"seat {seat} ({self._record.seats[seat].bot}), {StepReference(self._record.match, recorded.index)}: recorded is {_write(recorded.answer)}, "
            f"answered now {_write(answer)}; only bots that always answer alike can be brought to a later step; a changed one is given with --changed"
        )


def _write(answer: Answer) -> str:
    if not isinstance(answer, Line):
        return repr(answer)
    return "silence" if answer == SILENCE else f"the line {answer.text!r} with {len(answer.claims)} claims"
