"""The view of Lifeboats as a protobuf message (protos/arena/v1/lifeboats.proto)."""

from __future__ import annotations

from arena.games.lifeboats.view import LifeboatsView
from arena.games.view_codec import ViewCodec
from arena.v1 import lifeboats_pb2 as pb

_CODEC = ViewCodec(LifeboatsView, pb.LifeboatsView)
VIEW_TYPE, encode, decode = _CODEC.view_type, _CODEC.encode, _CODEC.decode
