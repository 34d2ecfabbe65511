from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LifeboatsView(_message.Message):
    __slots__ = ("round", "start", "stage", "vote", "boat", "options", "ballots", "talk_round", "talk_rounds", "boats", "seats", "berths", "left")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    VOTE_FIELD_NUMBER: _ClassVar[int]
    BOAT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BALLOTS_FIELD_NUMBER: _ClassVar[int]
    TALK_ROUND_FIELD_NUMBER: _ClassVar[int]
    TALK_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    BOATS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    BERTHS_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    round: int
    start: int
    stage: str
    vote: str
    boat: str
    options: _containers.RepeatedScalarFieldContainer[str]
    ballots: _containers.RepeatedScalarFieldContainer[str]
    talk_round: int
    talk_rounds: int
    boats: _containers.RepeatedCompositeFieldContainer[LifeboatsBoat]
    seats: _containers.RepeatedCompositeFieldContainer[LifeboatsSeat]
    berths: _containers.RepeatedScalarFieldContainer[str]
    left: _containers.RepeatedCompositeFieldContainer[LifeboatsLeaver]
    def __init__(self, round: _Optional[int] = ..., start: _Optional[int] = ..., stage: _Optional[str] = ..., vote: _Optional[str] = ..., boat: _Optional[str] = ..., options: _Optional[_Iterable[str]] = ..., ballots: _Optional[_Iterable[str]] = ..., talk_round: _Optional[int] = ..., talk_rounds: _Optional[int] = ..., boats: _Optional[_Iterable[_Union[LifeboatsBoat, _Mapping]]] = ..., seats: _Optional[_Iterable[_Union[LifeboatsSeat, _Mapping]]] = ..., berths: _Optional[_Iterable[str]] = ..., left: _Optional[_Iterable[_Union[LifeboatsLeaver, _Mapping]]] = ...) -> None: ...

class LifeboatsBoat(_message.Message):
    __slots__ = ("letter", "column", "row", "at_sea", "leaks", "sailors", "officers")
    LETTER_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    AT_SEA_FIELD_NUMBER: _ClassVar[int]
    LEAKS_FIELD_NUMBER: _ClassVar[int]
    SAILORS_FIELD_NUMBER: _ClassVar[int]
    OFFICERS_FIELD_NUMBER: _ClassVar[int]
    letter: str
    column: int
    row: int
    at_sea: bool
    leaks: int
    sailors: _containers.RepeatedScalarFieldContainer[int]
    officers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, letter: _Optional[str] = ..., column: _Optional[int] = ..., row: _Optional[int] = ..., at_sea: _Optional[bool] = ..., leaks: _Optional[int] = ..., sailors: _Optional[_Iterable[int]] = ..., officers: _Optional[_Iterable[int]] = ...) -> None: ...

class LifeboatsSeat(_message.Message):
    __slots__ = ("hats", "waiting_sailors", "waiting_officers", "saved_sailors", "saved_officers", "score")
    HATS_FIELD_NUMBER: _ClassVar[int]
    WAITING_SAILORS_FIELD_NUMBER: _ClassVar[int]
    WAITING_OFFICERS_FIELD_NUMBER: _ClassVar[int]
    SAVED_SAILORS_FIELD_NUMBER: _ClassVar[int]
    SAVED_OFFICERS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    hats: int
    waiting_sailors: int
    waiting_officers: int
    saved_sailors: _containers.RepeatedScalarFieldContainer[int]
    saved_officers: _containers.RepeatedScalarFieldContainer[int]
    score: int
    def __init__(self, hats: _Optional[int] = ..., waiting_sailors: _Optional[int] = ..., waiting_officers: _Optional[int] = ..., saved_sailors: _Optional[_Iterable[int]] = ..., saved_officers: _Optional[_Iterable[int]] = ..., score: _Optional[int] = ...) -> None: ...

class LifeboatsLeaver(_message.Message):
    __slots__ = ("seat", "pawn", "boat")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PAWN_FIELD_NUMBER: _ClassVar[int]
    BOAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    pawn: str
    boat: str
    def __init__(self, seat: _Optional[int] = ..., pawn: _Optional[str] = ..., boat: _Optional[str] = ...) -> None: ...
