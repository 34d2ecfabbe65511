from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TeotlatolliView(_message.Message):
    __slots__ = ("turn", "quiet_turns", "hand", "opponent_hand", "gods", "sides", "depots", "completed", "discards", "reserve", "god_deck", "switched", "moved", "extra", "opponent_known")
    TURN_FIELD_NUMBER: _ClassVar[int]
    QUIET_TURNS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_HAND_FIELD_NUMBER: _ClassVar[int]
    GODS_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    DEPOTS_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    RESERVE_FIELD_NUMBER: _ClassVar[int]
    GOD_DECK_FIELD_NUMBER: _ClassVar[int]
    SWITCHED_FIELD_NUMBER: _ClassVar[int]
    MOVED_FIELD_NUMBER: _ClassVar[int]
    EXTRA_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_KNOWN_FIELD_NUMBER: _ClassVar[int]
    turn: int
    quiet_turns: int
    hand: _containers.RepeatedScalarFieldContainer[str]
    opponent_hand: int
    gods: _containers.RepeatedScalarFieldContainer[int]
    sides: _containers.RepeatedCompositeFieldContainer[TeotlatolliSides]
    depots: _containers.RepeatedCompositeFieldContainer[TeotlatolliPile]
    completed: _containers.RepeatedCompositeFieldContainer[TeotlatolliGods]
    discards: _containers.RepeatedScalarFieldContainer[str]
    reserve: int
    god_deck: int
    switched: bool
    moved: bool
    extra: bool
    opponent_known: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, turn: _Optional[int] = ..., quiet_turns: _Optional[int] = ..., hand: _Optional[_Iterable[str]] = ..., opponent_hand: _Optional[int] = ..., gods: _Optional[_Iterable[int]] = ..., sides: _Optional[_Iterable[_Union[TeotlatolliSides, _Mapping]]] = ..., depots: _Optional[_Iterable[_Union[TeotlatolliPile, _Mapping]]] = ..., completed: _Optional[_Iterable[_Union[TeotlatolliGods, _Mapping]]] = ..., discards: _Optional[_Iterable[str]] = ..., reserve: _Optional[int] = ..., god_deck: _Optional[int] = ..., switched: _Optional[bool] = ..., moved: _Optional[bool] = ..., extra: _Optional[bool] = ..., opponent_known: _Optional[_Iterable[str]] = ...) -> None: ...

class TeotlatolliSides(_message.Message):
    __slots__ = ("sides",)
    SIDES_FIELD_NUMBER: _ClassVar[int]
    sides: _containers.RepeatedCompositeFieldContainer[TeotlatolliPile]
    def __init__(self, sides: _Optional[_Iterable[_Union[TeotlatolliPile, _Mapping]]] = ...) -> None: ...

class TeotlatolliPile(_message.Message):
    __slots__ = ("signs",)
    SIGNS_FIELD_NUMBER: _ClassVar[int]
    signs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, signs: _Optional[_Iterable[str]] = ...) -> None: ...

class TeotlatolliGods(_message.Message):
    __slots__ = ("gods",)
    GODS_FIELD_NUMBER: _ClassVar[int]
    gods: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, gods: _Optional[_Iterable[int]] = ...) -> None: ...
