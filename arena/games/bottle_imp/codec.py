"""The view of The Bottle Imp as a protobuf message (protos/arena/v1/bottle_imp.proto)."""

from __future__ import annotations

from arena.games.bottle_imp.view import BottleImpView
from arena.games.view_codec import ViewCodec
from arena.v1 import bottle_imp_pb2 as pb

_CODEC = ViewCodec(BottleImpView, pb.BottleImpView)
VIEW_TYPE, encode, decode = _CODEC.view_type, _CODEC.encode, _CODEC.decode
