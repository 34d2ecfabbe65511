"""The view of Matching Pennies as a protobuf message (matching_pennies.proto)."""

from __future__ import annotations

from arena.games.view_codec import ViewCodec
from arena_game_matching_pennies import matching_pennies_pb2 as pb
from arena_game_matching_pennies.view import MatchingPenniesView

_CODEC = ViewCodec(MatchingPenniesView, pb.MatchingPenniesView)
VIEW_TYPE, encode, decode = _CODEC.view_type, _CODEC.encode, _CODEC.decode
