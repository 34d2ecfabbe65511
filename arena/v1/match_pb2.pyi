from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_KIND_UNSPECIFIED: _ClassVar[FaultKind]
    FAULT_KIND_ILLEGAL_ACTION: _ClassVar[FaultKind]
    FAULT_KIND_TIMEOUT: _ClassVar[FaultKind]
    FAULT_KIND_CRASH: _ClassVar[FaultKind]
    FAULT_KIND_PROTOCOL: _ClassVar[FaultKind]
FAULT_KIND_UNSPECIFIED: FaultKind
FAULT_KIND_ILLEGAL_ACTION: FaultKind
FAULT_KIND_TIMEOUT: FaultKind
FAULT_KIND_CRASH: FaultKind
FAULT_KIND_PROTOCOL: FaultKind

class TimeControl(_message.Message):
    __slots__ = ("base_ms", "increment_ms", "cap_ms", "talk_ms")
    BASE_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    CAP_MS_FIELD_NUMBER: _ClassVar[int]
    TALK_MS_FIELD_NUMBER: _ClassVar[int]
    base_ms: int
    increment_ms: int
    cap_ms: int
    talk_ms: int
    def __init__(self, base_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ..., cap_ms: _Optional[int] = ..., talk_ms: _Optional[int] = ...) -> None: ...

class Claim(_message.Message):
    __slots__ = ("kind", "seat", "vote", "when")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    VOTE_FIELD_NUMBER: _ClassVar[int]
    WHEN_FIELD_NUMBER: _ClassVar[int]
    kind: str
    seat: int
    vote: str
    when: str
    def __init__(self, kind: _Optional[str] = ..., seat: _Optional[int] = ..., vote: _Optional[str] = ..., when: _Optional[str] = ...) -> None: ...

class Line(_message.Message):
    __slots__ = ("text", "claims")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    text: str
    claims: _containers.RepeatedCompositeFieldContainer[Claim]
    def __init__(self, text: _Optional[str] = ..., claims: _Optional[_Iterable[_Union[Claim, _Mapping]]] = ...) -> None: ...

class TalkLimits(_message.Message):
    __slots__ = ("max_text_bytes", "max_claims", "kinds", "votes", "whens")
    MAX_TEXT_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_CLAIMS_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    VOTES_FIELD_NUMBER: _ClassVar[int]
    WHENS_FIELD_NUMBER: _ClassVar[int]
    max_text_bytes: int
    max_claims: int
    kinds: _containers.RepeatedScalarFieldContainer[str]
    votes: _containers.RepeatedScalarFieldContainer[str]
    whens: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, max_text_bytes: _Optional[int] = ..., max_claims: _Optional[int] = ..., kinds: _Optional[_Iterable[str]] = ..., votes: _Optional[_Iterable[str]] = ..., whens: _Optional[_Iterable[str]] = ...) -> None: ...

class Chance(_message.Message):
    __slots__ = ("name", "outcome")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    name: str
    outcome: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., outcome: _Optional[_Iterable[str]] = ...) -> None: ...

class Played(_message.Message):
    __slots__ = ("seat", "action", "together")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    TOGETHER_FIELD_NUMBER: _ClassVar[int]
    seat: int
    action: str
    together: int
    def __init__(self, seat: _Optional[int] = ..., action: _Optional[str] = ..., together: _Optional[int] = ...) -> None: ...

class Said(_message.Message):
    __slots__ = ("seat", "line", "round")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    seat: int
    line: Line
    round: int
    def __init__(self, seat: _Optional[int] = ..., line: _Optional[_Union[Line, _Mapping]] = ..., round: _Optional[int] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("chance", "played", "dummy", "said")
    CHANCE_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    DUMMY_FIELD_NUMBER: _ClassVar[int]
    SAID_FIELD_NUMBER: _ClassVar[int]
    chance: Chance
    played: Played
    dummy: str
    said: Said
    def __init__(self, chance: _Optional[_Union[Chance, _Mapping]] = ..., played: _Optional[_Union[Played, _Mapping]] = ..., dummy: _Optional[str] = ..., said: _Optional[_Union[Said, _Mapping]] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("scores", "places", "end", "fault")
    SCORES_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    places: _containers.RepeatedScalarFieldContainer[int]
    end: str
    fault: SeatFault
    def __init__(self, scores: _Optional[_Iterable[int]] = ..., places: _Optional[_Iterable[int]] = ..., end: _Optional[str] = ..., fault: _Optional[_Union[SeatFault, _Mapping]] = ...) -> None: ...

class SeatFault(_message.Message):
    __slots__ = ("seat", "kind", "message")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: FaultKind
    message: str
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[FaultKind, str]] = ..., message: _Optional[str] = ...) -> None: ...
