"""The view of Matching Pennies as a protobuf message (protos/arena/v1/matching_pennies.proto)."""

from __future__ import annotations

from arena.games.matching_pennies.view import MatchingPenniesView

from arena.v1 import matching_pennies_pb2 as pb

VIEW_TYPE = "arena.v1.MatchingPenniesView"


def encode(view: MatchingPenniesView) -> bytes:
    """Write a view as the bytes of its message."""
    return pb.MatchingPenniesView(
        round=view.round, rounds=view.rounds, points=view.points
    ).SerializeToString()


def decode(data: bytes) -> MatchingPenniesView:
    """Read a view from the bytes of its message."""
    message = pb.MatchingPenniesView.FromString(data)
    return MatchingPenniesView(message.round, message.rounds, tuple(message.points))
