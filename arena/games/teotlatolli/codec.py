"""The view of Teotlatolli as a protobuf message (protos/arena/v1/teotlatolli.proto)."""

from __future__ import annotations

from arena.games.teotlatolli.view import TeotlatolliView
from arena.games.view_codec import ViewCodec
from arena.v1 import teotlatolli_pb2 as pb

_CODEC = ViewCodec(TeotlatolliView, pb.TeotlatolliView)
VIEW_TYPE, encode, decode = _CODEC.view_type, _CODEC.encode, _CODEC.decode
