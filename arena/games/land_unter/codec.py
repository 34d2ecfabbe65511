"""The view of Land Unter as a protobuf message (protos/arena/v1/land_unter.proto)."""

from __future__ import annotations

from arena.games.land_unter.view import LandUnterView
from arena.games.view_codec import ViewCodec
from arena.v1 import land_unter_pb2 as pb

_CODEC = ViewCodec(LandUnterView, pb.LandUnterView)
VIEW_TYPE, encode, decode = _CODEC.view_type, _CODEC.encode, _CODEC.decode
