"""The view of Lost Cities as a protobuf message (protos/arena/v1/lost_cities.proto)."""

from __future__ import annotations

from arena.games.lost_cities.view import LostCitiesView
from arena.games.view_codec import ViewCodec
from arena.v1 import lost_cities_pb2 as pb

_CODEC = ViewCodec(LostCitiesView, pb.LostCitiesView)
VIEW_TYPE, encode, decode = _CODEC.view_type, _CODEC.encode, _CODEC.decode
