"""The view of Land Unter as a protobuf message (protos/arena/v1/land_unter.proto)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from arena.games.land_unter.state import Trick
from arena.games.land_unter.view import LandUnterSeat, LandUnterView
from arena.v1 import land_unter_pb2 as pb

VIEW_TYPE = "arena.v1.LandUnterView"


def encode(view: LandUnterView) -> bytes:
    """Write a view as the bytes of its message.

    The bytes of a message are those of its parts, one after the other; parts that are the same for all seats are kept.
    """
    head = pb.LandUnterView(
        round=view.round, rounds=view.rounds, trick=view.trick, hand=view.hand, water=view.water
    )
    rest = _seats(view.seats) + b"".join(map(_trick, view.tricks))
    return head.SerializeToString() + rest + _scores(view.scores) + _last_round(view.last_round)


def decode(data: bytes) -> LandUnterView:
    """Read a view from the bytes of its message."""
    message = pb.LandUnterView.FromString(data)
    return LandUnterView(
        round=message.round,
        rounds=message.rounds,
        trick=message.trick,
        hand=tuple(message.hand),
        water=tuple(message.water),
        seats=tuple(
            [LandUnterSeat(seat.still_in, seat.lifebelts, seat.level, seat.total) for seat in message.seats]
        ),
        tricks=_read_tricks(message.tricks),
        scores=tuple([tuple(scores.scores) for scores in message.scores]),
        last_round=_read_tricks(message.last_round),
    )


@lru_cache(maxsize=1 << 12)
def _seats(seats: tuple[LandUnterSeat, ...]) -> bytes:
    messages = [
        pb.LandUnterSeat(still_in=seat.still_in, lifebelts=seat.lifebelts, level=seat.level, total=seat.total)
        for seat in seats
    ]
    return pb.LandUnterView(seats=messages).SerializeToString()


@lru_cache(maxsize=1 << 12)
def _trick(trick: Trick) -> bytes:
    return pb.LandUnterView(tricks=[_write_trick(trick)]).SerializeToString()


@lru_cache(maxsize=1 << 10)
def _scores(rounds: tuple[tuple[int, ...], ...]) -> bytes:
    messages = [pb.LandUnterRoundScores(scores=scores) for scores in rounds]
    return pb.LandUnterView(scores=messages).SerializeToString()


@lru_cache(maxsize=1 << 10)
def _last_round(tricks: tuple[Trick, ...]) -> bytes:
    return pb.LandUnterView(last_round=[_write_trick(trick) for trick in tricks]).SerializeToString()


def _write_trick(trick: Trick) -> pb.LandUnterTrick:
    return pb.LandUnterTrick(
        water=trick.water, cards=trick.cards, took=trick.took, paid=trick.paid, went_out=trick.went_out
    )


def _read_tricks(tricks: Iterable[pb.LandUnterTrick]) -> tuple[Trick, ...]:
    return tuple(
        [
            Trick(
                tuple(each.water), tuple(each.cards), tuple(each.took), tuple(each.paid), tuple(each.went_out)
            )
            for each in tricks
        ]
    )
