from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LandUnterView(_message.Message):
    __slots__ = ("round", "rounds", "trick", "hand", "water", "seats", "tricks", "scores", "last_round")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    WATER_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    LAST_ROUND_FIELD_NUMBER: _ClassVar[int]
    round: int
    rounds: int
    trick: int
    hand: _containers.RepeatedScalarFieldContainer[int]
    water: _containers.RepeatedScalarFieldContainer[int]
    seats: _containers.RepeatedCompositeFieldContainer[LandUnterSeat]
    tricks: _containers.RepeatedCompositeFieldContainer[LandUnterTrick]
    scores: _containers.RepeatedCompositeFieldContainer[LandUnterRoundScores]
    last_round: _containers.RepeatedCompositeFieldContainer[LandUnterTrick]
    def __init__(self, round: _Optional[int] = ..., rounds: _Optional[int] = ..., trick: _Optional[int] = ..., hand: _Optional[_Iterable[int]] = ..., water: _Optional[_Iterable[int]] = ..., seats: _Optional[_Iterable[_Union[LandUnterSeat, _Mapping]]] = ..., tricks: _Optional[_Iterable[_Union[LandUnterTrick, _Mapping]]] = ..., scores: _Optional[_Iterable[_Union[LandUnterRoundScores, _Mapping]]] = ..., last_round: _Optional[_Iterable[_Union[LandUnterTrick, _Mapping]]] = ...) -> None: ...

class LandUnterSeat(_message.Message):
    __slots__ = ("still_in", "lifebelts", "level", "total")
    STILL_IN_FIELD_NUMBER: _ClassVar[int]
    LIFEBELTS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    still_in: bool
    lifebelts: int
    level: int
    total: int
    def __init__(self, still_in: _Optional[bool] = ..., lifebelts: _Optional[int] = ..., level: _Optional[int] = ..., total: _Optional[int] = ...) -> None: ...

class LandUnterTrick(_message.Message):
    __slots__ = ("water", "cards", "took", "paid", "went_out")
    WATER_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    TOOK_FIELD_NUMBER: _ClassVar[int]
    PAID_FIELD_NUMBER: _ClassVar[int]
    WENT_OUT_FIELD_NUMBER: _ClassVar[int]
    water: _containers.RepeatedScalarFieldContainer[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    took: _containers.RepeatedScalarFieldContainer[int]
    paid: _containers.RepeatedScalarFieldContainer[int]
    went_out: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, water: _Optional[_Iterable[int]] = ..., cards: _Optional[_Iterable[int]] = ..., took: _Optional[_Iterable[int]] = ..., paid: _Optional[_Iterable[int]] = ..., went_out: _Optional[_Iterable[int]] = ...) -> None: ...

class LandUnterRoundScores(_message.Message):
    __slots__ = ("scores",)
    SCORES_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, scores: _Optional[_Iterable[int]] = ...) -> None: ...
