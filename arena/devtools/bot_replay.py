"""A bot put before the decisions of a match again; what it answers changes nothing: the record goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from arena.core.errors import ArenaError
from arena.devtools.bot_driver import BotFailed, Partner
from arena.devtools.decision_trace import Moment
from arena.games.chance import bot_seed
from arena.games.codec import codec, limits_to_proto, line_from_proto, step_to_proto
from arena.games.kernel import Answer, IllegalAction, Step, Talk, check_line
from arena.match.clock import TimeControl
from arena.match.record import Ending, Record
from arena.match.step_reference import StepReference
from arena.referee_client.control_codec import outcome_to_proto, time_to_proto
from arena.referee_client.reports import Outcome
from arena.v1 import match_pb2
from arena.v1.bot_pb2 import ArenaMessage, Ask, BotMessage, End, Start

TABLE = 1


@dataclass(frozen=True, slots=True)
class Answered:
    """Answer of a bot at a moment, and the time it took."""

    moment: Moment
    now: Answer
    ms: float

    @property
    def same(self) -> bool:
        """Whether it is the recorded answer; False where none is recorded, since a fault ended the match there."""
        return self.now == self.moment.answer


class AnswerFailed(ArenaError):  # noqa: N818 - it says what happened
    """Raised when the bot gives no answer, or a wrong one; names the decision."""


async def ask_all(
    partner: Partner, record: Record, moments: Sequence[Moment], time: TimeControl, *, first: int = 0
) -> AsyncIterator[Answered]:
    """Ask a bot at a seat's moments from number `first` on.  Raises AnswerFailed.

    `moments` are all from the match's beginning: what the seat saw before `first` is its history, as after a
    reconnection.
    """
    seen = [step for moment in moments[: first + 1] for step in moment.ask.seen] if first else []
    try:
        await partner.tell(start_message(record, moments[0].ask.seat, seen, time))
        for number, moment in enumerate(moments[first:], first):
            began = perf_counter()
            try:
                await partner.tell(
                    ask_message(record.game, moment, () if seen and number == first else moment.ask.seen)
                )
                now = read_answer(await partner.hear(), moment, len(record.seats))
            except (BotFailed, IllegalAction) as error:
                raise AnswerFailed(
                    f"{StepReference(record.match, moment.step)} (decision {moment.ask.decision}): {error}"
                ) from error
            yield Answered(moment, now, (perf_counter() - began) * 1000)
        await partner.tell(ArenaMessage(end=End(table=TABLE, outcome=outcome_message(record.result))))
    except BotFailed as error:
        raise AnswerFailed(str(error)) from error


def start_message(record: Record, seat: int, seen: Sequence[Step], time: TimeControl) -> ArenaMessage:
    """Return the message with which a match begins for a seat; `seen` are the steps that it saw before it connected."""
    start = Start(
        table=TABLE,
        match=record.match,
        game=record.game,
        variant=record.variant,
        options=dict(record.options),
        seat=seat,
        seats=len(record.seats),
        time=time_to_proto(time),
        commitment=record.commitment,
        bot_seed=bot_seed(record.seed, seat),
        view_type=codec(record.game).VIEW_TYPE,
        history=[step_to_proto(step) for step in seen],
    )
    return ArenaMessage(start=start)


def outcome_message(ending: Ending) -> match_pb2.Outcome:
    """Return the message about the end of a match that a seat gets."""
    return outcome_to_proto(Outcome(ending.scores or (), ending.places, ending.end, ending.fault))


def ask_message(game: str, moment: Moment, seen: Sequence[Step]) -> ArenaMessage:
    """Return the question that the referee asks at a moment, with the steps that the bot does not know yet."""
    asked = moment.ask
    ask = Ask(
        table=TABLE,
        decision=asked.decision,
        actions=asked.actions,
        talk=None if asked.talk is None else limits_to_proto(asked.talk),
        seen=[step_to_proto(step) for step in seen],
        bank_ms=int(asked.bank_ms),
        limit_ms=int(asked.limit_ms),
        view=codec(game).encode(moment.view),
    )
    return ArenaMessage(ask=ask)


def read_answer(message: BotMessage, moment: Moment, seats: int) -> Answer:
    """Read an answer.  Raises BotFailed and IllegalAction where the referee would call it a fault."""
    asked = moment.ask
    kind = message.WhichOneof("message")
    due = "answer" if asked.talk is None else "say"
    if kind != due:
        raise BotFailed(f"it sent {kind or 'nothing'}; must be {due}")
    said = message.answer if asked.talk is None else message.say
    if (said.table, said.decision) != (TABLE, asked.decision):
        raise BotFailed(
            f"it answered table {said.table}, decision {said.decision}; asked was table {TABLE}, decision {asked.decision}"
        )
    if asked.talk is None:
        if message.answer.action >= len(asked.actions):
            raise BotFailed(f"action {message.answer.action}: must be 0 to {len(asked.actions) - 1}")
        return asked.actions[message.answer.action]
    line = line_from_proto(message.say.line)
    check_line(Talk(asked.seat, 0, asked.talk), line, seats)
    return line
