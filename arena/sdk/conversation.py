"""One stream's conversation, without the stream: messages of the arena in, frames of the bot out.

Half of the arena's hot path runs through `replies`: it decodes nothing that the bot does not look at, and answers
all asks that have arrived with one frame unless the bot takes its time over them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from random import Random
from time import monotonic
from traceback import format_exception
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from arena.games.codec import codec, limits_from_proto, line_to_proto, step_from_proto
from arena.games.kernel import Line, Step
from arena.sdk.bot import Bot, Clock, Decision, Match, Outcome
from arena.sdk.game_offers import game_offers
from arena.sdk.notepad import Notepad
from arena.sdk.overtime_watch import OvertimeWatch
from arena.v1 import bot_pb2, match_pb2

if TYPE_CHECKING:
    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

PROTOCOL = 1
SDK = "arena-python 0.1"
CALLED_OFF = "called off"
"""The `end` of a match that the arena broke off without result."""

_FLUSH_S = 0.03
"""Answers wait no longer than this for the bot's next ones."""
_MAX_IN_FRAME = 64
_MAX_NOTED = 32
"""Answers with notes in a frame: they may have 1 KB each, and a frame 64."""
_LOST_TABLES_LIVE_S = 120.0
"""Longer than a lost connection has to come back."""


class BotCrash(Exception):  # noqa: N818 - the field's own word for it
    """Raised when a method of the bot raised, or answered what is not legal; the text is meant for its author."""


class _LiveMatch:
    """A match that goes on.  Mutable and private to this module: history grows, undecoded until it is asked for."""

    __slots__ = ("answered", "count", "has_bad_notes", "match", "pending", "steps")

    def __init__(self, start: bot_pb2.Start) -> None:
        self.match = Match(
            id=start.match,
            game=start.game,
            variant=start.variant,
            options=MappingProxyType(dict(start.options)),
            seat=start.seat,
            seats=start.seats,
            random=Random(start.bot_seed),
        )
        self.take(start.history)
        self.answered: tuple[int, int, bot_pb2.Notes | None] | None = None
        self.has_bad_notes = False

    def take(self, history: RepeatedCompositeFieldContainer[match_pb2.Step]) -> None:
        """Replace all that was seen so far."""
        self.steps: list[Step] = []
        self.pending = [history] if history else []
        self.count = len(history)

    def see(self, seen: RepeatedCompositeFieldContainer[match_pb2.Step]) -> None:
        if seen:
            self.pending.append(seen)
            self.count += len(seen)

    def history(self, count: int) -> tuple[Step, ...]:
        """Return the first `count` steps that were seen."""
        for seen in self.pending:
            self.steps.extend(map(step_from_proto, seen))
        self.pending.clear()
        return tuple(self.steps[:count])

    def view(self, ask: bot_pb2.Ask) -> Any:  # noqa: ANN401 - the view's type is the game's
        return codec(self.match.game).decode(ask.view)

    def decision(self, ask: bot_pb2.Ask) -> Decision[Any]:
        return Decision(
            self.match,
            legal=tuple(ask.actions),
            clock=Clock(ask.bank_ms, ask.limit_ms),
            view=partial(self.view, ask),
            history=partial(self.history, self.count),
            limits=limits_from_proto(ask.talk) if ask.HasField("talk") else None,
        )


class Player:
    """A bot with its matches, over all its streams: those of a stream that broke wait here to go on."""

    def __init__(self, bot: Bot[Any]) -> None:
        """Check what the bot offers to play.  Raises UsageError for variants or seat counts that its games do not have."""
        self.bot = bot
        self._offers = game_offers(bot)
        self.overtime = OvertimeWatch()
        self._lost: dict[tuple[str, int], tuple[_LiveMatch, float]] = {}

    def hello(self) -> bot_pb2.ConnectRequest:
        """Build the first frame of a stream."""
        bot = self.bot
        hello = bot_pb2.Hello(
            protocol=PROTOCOL,
            name=bot.name or type(bot).__name__,
            version=bot.version,
            games=self._offers,
            matches_at_once=bot.matches_at_once,
            talks=bot.talks,
            sdk=SDK,
        )
        return bot_pb2.ConnectRequest(messages=[bot_pb2.BotMessage(hello=hello)])

    def lose(self, tables: Iterable[_LiveMatch]) -> None:
        """Keep the matches of a stream that broke until they go on, or are old."""
        now = monotonic()
        self._lost = {key: kept for key, kept in self._lost.items() if now - kept[1] < _LOST_TABLES_LIVE_S}
        self._lost.update(((table.match.id, table.match.seat), (table, now)) for table in tables)

    def seat(self, start: bot_pb2.Start) -> _LiveMatch:
        """Sit down at a new match, or again at one that goes on."""
        table, _ = self._lost.pop((start.match, start.seat), (None, 0.0))
        # A match that is played again under its old id has a shorter history than the one that was lost.
        if table is not None and len(start.history) >= table.count:
            table.take(start.history)
            return table
        table = _LiveMatch(start)
        _guard(self.bot.on_start, table.match)
        return table


class Conversation:
    """The conversation on one stream."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._bot = player.bot
        self._overtime = player.overtime
        self._arrived = 0.0
        """When the frames at hand came, by the monotonic clock: the time of their asks runs from then on."""
        self._tables: dict[int, _LiveMatch] = {}
        self._noted = 0
        """The number of answers with notes in the frame at hand."""
        self.welcome: bot_pb2.Welcome | None = None
        """The last one."""
        self.goodbye: bot_pb2.Goodbye | None = None

    @property
    def idle(self) -> bool:
        """Whether no match goes on."""
        return not self._tables

    def replies(self, frames: Iterable[bot_pb2.ConnectResponse]) -> Iterator[bot_pb2.ConnectRequest]:
        """Take in frames; give the frames that answer them, each as soon as it is due.  Raises BotCrash."""
        reply = bot_pb2.ConnectRequest()
        self._arrived = monotonic()
        due = self._arrived + _FLUSH_S
        self._noted = 0
        for message in chain.from_iterable([frame.messages for frame in frames]):
            kind = message.WhichOneof("message")
            if kind == "ask":
                self._answer(message.ask, reply.messages.add())
                if monotonic() >= due or len(reply.messages) >= _MAX_IN_FRAME or self._noted >= _MAX_NOTED:
                    yield reply
                    reply = bot_pb2.ConnectRequest()
                    due = monotonic() + _FLUSH_S
                    self._noted = 0
            elif kind == "start":
                self._tables[message.start.table] = self._player.seat(message.start)
            else:
                self._hear(kind, message)
        if reply.messages:
            yield reply

    def hear_out(self, frames: Iterable[bot_pb2.ConnectResponse]) -> None:
        """Take in the last frames of a stream that can no longer be answered."""
        for message in chain.from_iterable([frame.messages for frame in frames]):
            self._hear(message.WhichOneof("message"), message)

    def close(self) -> None:
        """Leave the stream: what was going on may go on over the next one."""
        self._player.lose(self._tables.values())
        self._tables = {}

    def _hear(self, kind: str | None, message: bot_pb2.ArenaMessage) -> None:
        if kind == "end":
            self._end(message.end)
        elif kind == "fault":
            self._report(message.fault)
        elif kind == "welcome":
            self.welcome = message.welcome
        elif kind == "goodbye":
            self.goodbye = message.goodbye

    def _answer(self, ask: bot_pb2.Ask, message: bot_pb2.BotMessage) -> None:
        table = self._tables[ask.table]
        table.see(ask.seen)
        if ask.HasField("talk"):
            say = message.say
            say.table, say.decision = ask.table, ask.decision
            say.line.CopyFrom(line_to_proto(self._say(table, ask)))
            return
        if table.answered is None or table.answered[0] != ask.decision:
            # An answer may have been lost with its stream: asked again, the bot is not made to draw lots again.
            table.answered = self._choose(table, ask)
        answer = message.answer
        answer.table, answer.decision, answer.action = ask.table, ask.decision, table.answered[1]
        if table.answered[2] is not None:
            answer.notes.CopyFrom(table.answered[2])
            self._noted += 1

    def _choose(self, table: _LiveMatch, ask: bot_pb2.Ask) -> tuple[int, int, bot_pb2.Notes | None]:
        """Return the number of the decision, the index of the action, and what the bot notes."""
        decision = table.decision(ask)
        self._overtime.open(table.match.id, ask.decision, self._arrived, ask.limit_ms)
        action = _guard(self._bot.choose, decision)
        self._overtime.close()
        try:
            index = decision.legal.index(action)
        except ValueError:
            legal = ", ".join(decision.legal)
            raise BotCrash(
                f"illegal answer {action!r} in match {table.match.id}, decision {ask.decision}: legal are {legal}"
            ) from None
        pad = decision.notepad
        return ask.decision, index, None if pad is None else self._notes(table, ask, pad, index)

    def _notes(self, table: _LiveMatch, ask: bot_pb2.Ask, pad: Notepad, index: int) -> bot_pb2.Notes | None:
        """Return what the bot has noted; None, and its output says so once a match, if that breaks a limit."""
        notes, problem = pad.message(ask.actions[index], ask.actions)
        if problem is None:
            return notes if notes.ByteSize() else None
        if not table.has_bad_notes:
            table.has_bad_notes = True
            where = f"match {table.match.id}, decision {ask.decision}"
            print(f"notes in {where}: dropped: {problem}", file=sys.stderr, flush=True)  # noqa: T201
        return None

    def _say(self, table: _LiveMatch, ask: bot_pb2.Ask) -> Line:
        self._overtime.open(table.match.id, ask.decision, self._arrived, ask.limit_ms)
        line = _guard(self._bot.say, table.decision(ask))
        self._overtime.close()
        if not isinstance(line, Line):
            raise BotCrash(f"illegal line {line!r} in match {table.match.id}: must be a Line, or SILENCE")
        return line

    def _end(self, end: bot_pb2.End) -> None:
        table = self._tables.pop(end.table, None)
        if table is None:
            return
        outcome = end.outcome
        fault = outcome.fault.message if outcome.HasField("fault") else ""
        _guard(
            self._bot.on_end,
            table.match,
            Outcome(tuple(outcome.places), tuple(outcome.scores), outcome.end or CALLED_OFF, fault),
        )

    def _report(self, fault: bot_pb2.Fault) -> None:
        table = self._tables.get(fault.table)
        where = f"match {table.match.id}" if table else "the connection"
        kind = match_pb2.FaultKind.Name(fault.kind).removeprefix("FAULT_KIND_").lower().replace("_", " ")
        print(f"fault in {where}: {kind}: {fault.message}", file=sys.stderr, flush=True)  # noqa: T201


def _guard(method: Any, *arguments: Any) -> Any:  # noqa: ANN401 - any method of a bot
    try:
        return method(*arguments)
    except Exception as error:  # noqa: BLE001 - whatever the author's code raises
        traceback = error.__traceback__
        error.__traceback__ = traceback.tb_next if traceback else None  # begin with the author's own line
        raise BotCrash("".join(format_exception(error)).rstrip()) from None
