"""The messages of the referee to a bot, as bytes.

Each function returns a whole `ConnectResponse` of one message.  Frames are made by concatenating such
bytes: concatenated messages merge, and `repeated` fields append (protobuf's encoding guide, *Last One Wins*).
`ServeRequest` has the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games import wire_format
from arena.games.chance import bot_seed
from arena.games.codec import limits_to_proto, step_to_proto
from arena.games.kept import Kept
from arena.games.kernel import Played, Step
from arena.games.wire_format import varint, with_length
from arena.match.faults import FaultKind
from arena.match.record import Ending
from arena.match.session import Session
from arena.match.session_events import DecisionRequested
from arena.referee_client.control_codec import kind_to_proto, outcome_to_proto, time_to_proto
from arena.referee_client.reports import Outcome
from arena.v1.bot_pb2 import ArenaMessage, Ask, ConnectResponse, End, Fault, Goodbye, Start, Welcome

PROTOCOL = 1

_MESSAGES = wire_format.tag(ConnectResponse, "messages")
_ASK = wire_format.tag(ArenaMessage, "ask")
_TABLE, _DECISION, _BANK_MS, _LIMIT_MS, _VIEW = [
    wire_format.tag(Ask, name) for name in ("table", "decision", "bank_ms", "limit_ms", "view")
]
_ACTIONS: Kept[str, bytes] = Kept(lambda action: Ask(actions=[action]).SerializeToString())
_PLAYED: Kept[tuple[int, str, int | None], bytes] = Kept(
    lambda played: Ask(seen=[step_to_proto(Played(*played))]).SerializeToString()
)


def welcome(
    max_frame_bytes: int,
    spare_messages_per_second: int,
    address: str,
    referees: Sequence[str],
    *,
    draining: bool,
) -> bytes:
    """Return a Welcome: the answer to a Hello, or the current addresses of the other referees and state of this one."""
    message = Welcome(
        protocol=PROTOCOL,
        address=address,
        referees=referees,
        max_frame_bytes=max_frame_bytes,
        spare_messages_per_second=spare_messages_per_second,
        draining=draining,
    )
    return ConnectResponse(messages=[ArenaMessage(welcome=message)]).SerializeToString()


def start(number: int, session: Session, seat: int, view_type: str, history: Sequence[Step]) -> bytes:
    """Return a Start, which begins a match, or continues it after a reconnection."""
    message = Start(
        table=number,
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


def ask(number: int, decision: DecisionRequested, view: bytes) -> bytes:
    """Return an Ask for a decision; `view` is the seat's view, encoded."""
    # The only message sent for each decision is assembled from cached bytes, without intermediate messages.
    pieces = [
        _TABLE,
        varint(number),
        _DECISION,
        varint(decision.decision),
        *[_ACTIONS[action] for action in decision.actions],
    ]
    if decision.talk is not None:
        pieces.append(Ask(talk=limits_to_proto(decision.talk)).SerializeToString())
    for step in decision.seen:
        if type(step) is Played:
            pieces.append(_PLAYED[step.seat, step.action, step.together])
        else:
            pieces.append(Ask(seen=[step_to_proto(step)]).SerializeToString())
    pieces += (_BANK_MS, varint(max(0, int(decision.bank_ms))), _LIMIT_MS, varint(int(decision.limit_ms)))
    pieces += (_VIEW, with_length(view))
    return _MESSAGES + with_length(_ASK + with_length(b"".join(pieces)))


def end(number: int, ending: Ending | None, seen: Sequence[Step]) -> bytes:
    """Return an End; without an ending the match was cancelled."""
    message = End(table=number, seen=[step_to_proto(step) for step in seen])
    if ending is not None:
        message.outcome.CopyFrom(outcome_to_proto(outcome(ending)))
    return ConnectResponse(messages=[ArenaMessage(end=message)]).SerializeToString()


def fault(number: int, kind: FaultKind, text: str) -> bytes:
    """Return a Fault of a match, or, with number 0, of the stream as a whole."""
    message = Fault(table=number, kind=kind_to_proto(kind), message=text)
    return ConnectResponse(messages=[ArenaMessage(fault=message)]).SerializeToString()


def goodbye(reason: str, *, come_back: bool) -> bytes:
    """Return a Goodbye, which announces the end of the stream."""
    message = Goodbye(reason=reason, come_back=come_back)
    return ConnectResponse(messages=[ArenaMessage(goodbye=message)]).SerializeToString()


def outcome(ending: Ending) -> Outcome:
    """Return the part of a record's ending that bots and spectators are sent."""
    return Outcome(ending.scores or (), ending.places, ending.end, ending.fault)
