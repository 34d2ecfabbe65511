from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BottleImpView(_message.Message):
    __slots__ = ("hand_number", "hands", "target", "dealer", "choosing", "cards", "laid_open", "discarded", "passed", "received", "price", "owner", "leader", "trick", "tricks", "points", "totals", "last_hand")
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    CHOOSING_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    LAID_OPEN_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    LAST_HAND_FIELD_NUMBER: _ClassVar[int]
    hand_number: int
    hands: int
    target: int
    dealer: int
    choosing: str
    cards: _containers.RepeatedCompositeFieldContainer[BottleImpCards]
    laid_open: _containers.RepeatedCompositeFieldContainer[BottleImpCards]
    discarded: _containers.RepeatedScalarFieldContainer[int]
    passed: _containers.RepeatedScalarFieldContainer[int]
    received: _containers.RepeatedScalarFieldContainer[int]
    price: int
    owner: int
    leader: int
    trick: _containers.RepeatedScalarFieldContainer[int]
    tricks: _containers.RepeatedCompositeFieldContainer[BottleImpTrick]
    points: _containers.RepeatedScalarFieldContainer[int]
    totals: _containers.RepeatedScalarFieldContainer[int]
    last_hand: BottleImpHand
    def __init__(self, hand_number: _Optional[int] = ..., hands: _Optional[int] = ..., target: _Optional[int] = ..., dealer: _Optional[int] = ..., choosing: _Optional[str] = ..., cards: _Optional[_Iterable[_Union[BottleImpCards, _Mapping]]] = ..., laid_open: _Optional[_Iterable[_Union[BottleImpCards, _Mapping]]] = ..., discarded: _Optional[_Iterable[int]] = ..., passed: _Optional[_Iterable[int]] = ..., received: _Optional[_Iterable[int]] = ..., price: _Optional[int] = ..., owner: _Optional[int] = ..., leader: _Optional[int] = ..., trick: _Optional[_Iterable[int]] = ..., tricks: _Optional[_Iterable[_Union[BottleImpTrick, _Mapping]]] = ..., points: _Optional[_Iterable[int]] = ..., totals: _Optional[_Iterable[int]] = ..., last_hand: _Optional[_Union[BottleImpHand, _Mapping]] = ...) -> None: ...

class BottleImpCards(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cards: _Optional[_Iterable[int]] = ...) -> None: ...

class BottleImpTrick(_message.Message):
    __slots__ = ("leader", "cards", "winner")
    LEADER_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    leader: int
    cards: _containers.RepeatedScalarFieldContainer[int]
    winner: int
    def __init__(self, leader: _Optional[int] = ..., cards: _Optional[_Iterable[int]] = ..., winner: _Optional[int] = ...) -> None: ...

class BottleImpHand(_message.Message):
    __slots__ = ("scores", "owner", "price", "devil")
    SCORES_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    DEVIL_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    owner: int
    price: int
    devil: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, scores: _Optional[_Iterable[int]] = ..., owner: _Optional[int] = ..., price: _Optional[int] = ..., devil: _Optional[_Iterable[int]] = ...) -> None: ...
