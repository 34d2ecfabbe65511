from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LostCitiesView(_message.Message):
    __slots__ = ("hand_number", "hands", "turn", "starter", "hand", "expeditions", "discards", "draw_pile", "opponent_known", "totals", "just_discarded")
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    STARTER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    EXPEDITIONS_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    DRAW_PILE_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_KNOWN_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    JUST_DISCARDED_FIELD_NUMBER: _ClassVar[int]
    hand_number: int
    hands: int
    turn: int
    starter: int
    hand: _containers.RepeatedScalarFieldContainer[str]
    expeditions: _containers.RepeatedCompositeFieldContainer[LostCitiesExpeditions]
    discards: _containers.RepeatedCompositeFieldContainer[LostCitiesPile]
    draw_pile: int
    opponent_known: _containers.RepeatedScalarFieldContainer[str]
    totals: _containers.RepeatedScalarFieldContainer[int]
    just_discarded: str
    def __init__(self, hand_number: _Optional[int] = ..., hands: _Optional[int] = ..., turn: _Optional[int] = ..., starter: _Optional[int] = ..., hand: _Optional[_Iterable[str]] = ..., expeditions: _Optional[_Iterable[_Union[LostCitiesExpeditions, _Mapping]]] = ..., discards: _Optional[_Iterable[_Union[LostCitiesPile, _Mapping]]] = ..., draw_pile: _Optional[int] = ..., opponent_known: _Optional[_Iterable[str]] = ..., totals: _Optional[_Iterable[int]] = ..., just_discarded: _Optional[str] = ...) -> None: ...

class LostCitiesExpeditions(_message.Message):
    __slots__ = ("piles",)
    PILES_FIELD_NUMBER: _ClassVar[int]
    piles: _containers.RepeatedCompositeFieldContainer[LostCitiesPile]
    def __init__(self, piles: _Optional[_Iterable[_Union[LostCitiesPile, _Mapping]]] = ...) -> None: ...

class LostCitiesPile(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cards: _Optional[_Iterable[str]] = ...) -> None: ...
