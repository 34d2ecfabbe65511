"""Orders and reports ↔ the messages of the control port."""

from __future__ import annotations

from arena.core.errors import UsageError
from arena.match.clock import TimeControl
from arena.match.faults import FaultKind, SeatFault
from arena.referee_client.orders import DialIn, Endpoint, Hosted, HumanSource, Order, SeatOrder, Source
from arena.referee_client.reports import (
    Failed,
    Finished,
    Outcome,
    Postponed,
    Report,
    SeatNotesText,
    SeatOutput,
    Started,
)
from arena.v1 import control_pb2, match_pb2

_MAX_DROPPED = (1 << 32) - 1
"""Largest value of the wire's field."""


def order_to_proto(order: Order) -> control_pb2.MatchOrder:
    """Write an order down for the wire."""
    return control_pb2.MatchOrder(
        match=order.match,
        game=order.game,
        variant=order.variant,
        options=dict(order.options),
        seed=order.seed,
        time=time_to_proto(order.time),
        seats=[_seat_to_proto(seat) for seat in order.seats],
    )


def order_from_proto(message: control_pb2.MatchOrder) -> Order:
    """Read an order.  Raises UsageError where a seat says nowhere how its bot is reached."""
    return Order(
        match=message.match,
        game=message.game,
        variant=message.variant,
        options=dict(message.options),
        seed=message.seed,
        time=time_from_proto(message.time),
        seats=tuple(
            SeatOrder(seat.bot, seat.version, _source_from_proto(number, seat))
            for number, seat in enumerate(message.seats)
        ),
    )


def time_to_proto(time: TimeControl) -> match_pb2.TimeControl:
    """Write a time control down for the wire."""
    return match_pb2.TimeControl(
        base_ms=time.base_ms, increment_ms=time.increment_ms, cap_ms=time.cap_ms, talk_ms=time.talk_ms
    )


def time_from_proto(message: match_pb2.TimeControl) -> TimeControl:
    """Read a time control."""
    return TimeControl(message.base_ms, message.increment_ms, message.cap_ms, message.talk_ms)


def report_to_proto(report: Report) -> control_pb2.MatchReport:
    """Write a report down for the wire."""
    message = control_pb2.MatchReport(match=report.match)
    match report:
        case Started():
            message.started.commitment = report.commitment
        case Finished():
            message.finished.record = report.text.encode()
            message.finished.incident = report.incident
            for output in report.outputs:
                dropped = min(output.dropped, _MAX_DROPPED)
                message.finished.outputs.add(seat=output.seat, stderr=output.stderr, dropped=dropped)
            for noted in report.notes:
                message.finished.notes.add(seat=noted.seat, notes=noted.text.encode())
        case Postponed():
            message.postponed.seat = report.seat
            message.postponed.reason = report.reason
            message.postponed.others.extend(report.others)
        case Failed():
            message.failed.reason = report.reason
    return message


def report_from_proto(message: control_pb2.MatchReport) -> Report:
    """Read a report."""
    match message.WhichOneof("report"):
        case "started":
            return Started(message.match, message.started.commitment)
        case "finished":
            outputs = [SeatOutput(each.seat, each.stderr, each.dropped) for each in message.finished.outputs]
            finished = message.finished
            notes = tuple([SeatNotesText(each.seat, each.notes.decode()) for each in finished.notes])
            return Finished(message.match, finished.record.decode(), tuple(outputs), finished.incident, notes)
        case "postponed":
            missing = message.postponed
            return Postponed(message.match, missing.seat, missing.reason, tuple(missing.others))
        case _:
            return Failed(message.match, message.failed.reason)


_KINDS = {
    FaultKind.ILLEGAL_ACTION: match_pb2.FAULT_KIND_ILLEGAL_ACTION,
    FaultKind.TIMEOUT: match_pb2.FAULT_KIND_TIMEOUT,
    FaultKind.CRASH: match_pb2.FAULT_KIND_CRASH,
    FaultKind.PROTOCOL: match_pb2.FAULT_KIND_PROTOCOL,
}
_KINDS_BACK = {number: kind for kind, number in _KINDS.items()}


def kind_to_proto(kind: FaultKind) -> match_pb2.FaultKind:
    """Write the kind of a fault down for the wire."""
    return _KINDS[kind]


def outcome_to_proto(outcome: Outcome) -> match_pb2.Outcome:
    """Write down how a match ended."""
    message = match_pb2.Outcome(scores=outcome.scores, places=outcome.places, end=outcome.end)
    if outcome.fault is not None:
        message.fault.seat = outcome.fault.seat
        message.fault.kind = kind_to_proto(outcome.fault.kind)
        message.fault.message = outcome.fault.message
    return message


def outcome_from_proto(message: match_pb2.Outcome) -> Outcome:
    """Read how a match ended."""
    fault = None
    if message.HasField("fault"):
        fault = SeatFault(message.fault.seat, _KINDS_BACK[message.fault.kind], message.fault.message)
    return Outcome(tuple(message.scores), tuple(message.places), message.end, fault)


def _seat_to_proto(seat: SeatOrder) -> control_pb2.SeatOrder:
    message = control_pb2.SeatOrder(bot=seat.bot, version=seat.version)
    match seat.source:
        case Hosted(program, lane):
            message.hosted.program = program
            message.hosted.lane = lane
        case Endpoint(address, secret):
            message.endpoint.address = address
            message.endpoint.secret = secret
        case DialIn(token_id):
            message.dial_in.token_id = token_id
        case HumanSource(seat_id):
            message.held.id = seat_id
    return message


def _source_from_proto(number: int, message: control_pb2.SeatOrder) -> Source:
    match message.WhichOneof("source"):
        case "hosted":
            return Hosted(message.hosted.program, message.hosted.lane)
        case "endpoint":
            return Endpoint(message.endpoint.address, message.endpoint.secret)
        case "dial_in":
            return DialIn(message.dial_in.token_id)
        case "held":
            return HumanSource(message.held.id)
    raise UsageError(f"seat {number}: source must be one of hosted, endpoint, dial_in, held")
