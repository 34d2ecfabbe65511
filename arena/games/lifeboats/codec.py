"""The view of Lifeboats as a protobuf message (protos/arena/v1/lifeboats.proto)."""

from __future__ import annotations

from functools import lru_cache

from arena.games.lifeboats.view import LifeboatsBoat, LifeboatsLeaver, LifeboatsSeat, LifeboatsView
from arena.v1 import lifeboats_pb2 as pb

VIEW_TYPE = "arena.v1.LifeboatsView"


def encode(view: LifeboatsView) -> bytes:
    """Write a view as the bytes of its message.

    The bytes of a message are those of its parts, one after the other; from one view to the next nearly all boats and
    seats are the same, so their bytes are kept.
    """
    head = pb.LifeboatsView(
        round=view.round,
        start=view.start,
        stage=view.stage,
        vote=view.vote,
        boat=view.boat,
        options=view.options,
        ballots=view.ballots,
        talk_round=view.talk_round,
        talk_rounds=view.talk_rounds,
    )
    parts = [*map(_boat, view.boats), *map(_seat, view.seats), _rest(view.berths, view.left)]
    return head.SerializeToString() + b"".join(parts)


def decode(data: bytes) -> LifeboatsView:
    """Read a view from the bytes of its message."""
    message = pb.LifeboatsView.FromString(data)
    return LifeboatsView(
        round=message.round,
        start=message.start,
        stage=message.stage,
        vote=message.vote,
        boat=message.boat,
        options=tuple(message.options),
        ballots=tuple(message.ballots),
        talk_round=message.talk_round,
        talk_rounds=message.talk_rounds,
        boats=tuple(map(_read_boat, message.boats)),
        seats=tuple(map(_read_seat, message.seats)),
        berths=tuple(message.berths),
        left=tuple([LifeboatsLeaver(each.seat, each.pawn, each.boat) for each in message.left]),
    )


@lru_cache(maxsize=1 << 14)
def _boat(boat: LifeboatsBoat) -> bytes:
    message = pb.LifeboatsBoat(
        letter=boat.letter,
        column=boat.column,
        row=boat.row,
        at_sea=boat.at_sea,
        leaks=boat.leaks,
        sailors=boat.sailors,
        officers=boat.officers,
    )
    return pb.LifeboatsView(boats=[message]).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _seat(seat: LifeboatsSeat) -> bytes:
    message = pb.LifeboatsSeat(
        hats=seat.hats,
        waiting_sailors=seat.waiting_sailors,
        waiting_officers=seat.waiting_officers,
        saved_sailors=seat.saved_sailors,
        saved_officers=seat.saved_officers,
        score=seat.score,
    )
    return pb.LifeboatsView(seats=[message]).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _rest(berths: tuple[str, ...], left: tuple[LifeboatsLeaver, ...]) -> bytes:
    leavers = [pb.LifeboatsLeaver(seat=each.seat, pawn=each.pawn, boat=each.boat) for each in left]
    return pb.LifeboatsView(berths=berths, left=leavers).SerializeToString()


def _read_boat(boat: pb.LifeboatsBoat) -> LifeboatsBoat:
    return LifeboatsBoat(
        boat.letter, boat.column, boat.row, boat.at_sea, boat.leaks, tuple(boat.sailors), tuple(boat.officers)
    )


def _read_seat(seat: pb.LifeboatsSeat) -> LifeboatsSeat:
    return LifeboatsSeat(
        seat.hats,
        seat.waiting_sailors,
        seat.waiting_officers,
        tuple(seat.saved_sailors),
        tuple(seat.saved_officers),
        seat.score,
    )
