"""The view of Matching Pennies as a protobuf message (matching_pennies.proto)."""

from __future__ import annotations

from arena_game_matching_pennies import matching_pennies_pb2 as pb
from arena_game_matching_pennies.view import MatchingPenniesView

VIEW_TYPE = "arena_game_matching_pennies.MatchingPenniesView"


def encode(view: MatchingPenniesView) -> bytes:
    """Write a view as the bytes of its message."""
    return pb.MatchingPenniesView(**view._asdict()).SerializeToString()


def decode(data: bytes) -> MatchingPenniesView:
    """Read a view from the bytes of its message."""
    message = pb.MatchingPenniesView.FromString(data)
    return MatchingPenniesView(message.round, message.rounds, tuple(message.points), message.stake)
