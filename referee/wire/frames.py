"""What the referee says to a bot, as bytes.

Each function gives a whole `ConnectResponse` of one message.  Frames are made by putting such bytes one after the
other: concatenated messages merge, and `repeated` fields append (protobuf's encoding guide, *Last One Wins*).
`ServeRequest` has the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.chance import bot_seed
from arena.games.codec import limits_to_proto, step_to_proto
from arena.games.kernel import Played, Step
from arena.match.faults import FaultKind
from arena.match.record import Ending
from arena.match.session import Session
from arena.match.session_events import DecisionRequested
from arena.referee_client.control_codec import kind_to_proto, outcome_to_proto, time_to_proto
from arena.referee_client.reports import Outcome
from arena.v1.bot_pb2 import ArenaMessage, ConnectResponse, End, Fault, Goodbye, Start, Welcome

PROTOCOL = 1


def welcome(
    max_frame_bytes: int, spare_messages_per_second: int, address: str, referees: Sequence[str]
) -> bytes:
    """Answer a Hello, or say which other referees there are now."""
    message = Welcome(
        protocol=PROTOCOL,
        address=address,
        referees=referees,
        max_frame_bytes=max_frame_bytes,
        spare_messages_per_second=spare_messages_per_second,
    )
    return ConnectResponse(messages=[ArenaMessage(welcome=message)]).SerializeToString()


def start(table: int, session: Session, seat: int, view_type: str, history: Sequence[Step]) -> bytes:
    """Begin a match, or go on with it after a reconnection."""
    message = Start(
        table=table,
        match=session.match,
        game=session.game.id,
        variant=session.setup.variant,
        options=dict(session.setup.options),
        seat=seat,
        seats=session.setup.seats,
        time=time_to_proto(session.time),
        commitment=session.commitment,
        bot_seed=bot_seed(session.seed, seat),
        view_type=view_type,
        history=[step_to_proto(step) for step in history],
    )
    return ConnectResponse(messages=[ArenaMessage(start=message)]).SerializeToString()


def ask(table: int, asked: DecisionRequested, view: bytes) -> bytes:
    """Ask for a decision."""
    # Filled in place: building Ask, ArenaMessage and ConnectResponse one inside the other copies it twice.
    response = ConnectResponse()
    message = response.messages.add().ask
    message.table = table
    message.decision = asked.decision
    message.actions.extend(asked.actions)
    if asked.talk is not None:
        message.talk.CopyFrom(limits_to_proto(asked.talk))
    seen = message.seen
    for step in asked.seen:
        if (
            type(step) is Played and step.together is None
        ):  # nearly all: quicker than to look it up and copy it
            played = seen.add().played
            played.seat = step.seat
            played.action = step.action
        else:
            seen.append(step_to_proto(step))
    message.bank_ms = max(0, int(asked.bank_ms))
    message.limit_ms = int(asked.limit_ms)
    message.view = view
    return response.SerializeToString()


def end(table: int, ending: Ending | None, seen: Sequence[Step]) -> bytes:
    """End a match; without an ending it was called off."""
    message = End(table=table, seen=[step_to_proto(step) for step in seen])
    if ending is not None:
        message.outcome.CopyFrom(outcome_to_proto(outcome(ending)))
    return ConnectResponse(messages=[ArenaMessage(end=message)]).SerializeToString()


def fault(table: int, kind: FaultKind, text: str) -> bytes:
    """Return what was wrong; table 0 is the stream as a whole."""
    message = Fault(table=table, kind=kind_to_proto(kind), message=text)
    return ConnectResponse(messages=[ArenaMessage(fault=message)]).SerializeToString()


def goodbye(reason: str, *, come_back: bool) -> bytes:
    """Announce the end of the stream."""
    message = Goodbye(reason=reason, come_back=come_back)
    return ConnectResponse(messages=[ArenaMessage(goodbye=message)]).SerializeToString()


def outcome(ending: Ending) -> Outcome:
    """Leave out of a record's ending what bots and watchers are not told."""
    return Outcome(ending.scores or (), ending.places, ending.end, ending.fault)
