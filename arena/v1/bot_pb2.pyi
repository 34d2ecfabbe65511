from arena.v1 import match_pb2 as _match_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConnectRequest(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[BotMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[BotMessage, _Mapping]]] = ...) -> None: ...

class ConnectResponse(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[ArenaMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[ArenaMessage, _Mapping]]] = ...) -> None: ...

class ServeRequest(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[ArenaMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[ArenaMessage, _Mapping]]] = ...) -> None: ...

class ServeResponse(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[BotMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[BotMessage, _Mapping]]] = ...) -> None: ...

class BotMessage(_message.Message):
    __slots__ = ("hello", "answer", "say")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    SAY_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answer: Answer
    say: Say
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ..., say: _Optional[_Union[Say, _Mapping]] = ...) -> None: ...

class ArenaMessage(_message.Message):
    __slots__ = ("welcome", "start", "ask", "end", "fault", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    ASK_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    start: Start
    ask: Ask
    end: End
    fault: Fault
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., start: _Optional[_Union[Start, _Mapping]] = ..., ask: _Optional[_Union[Ask, _Mapping]] = ..., end: _Optional[_Union[End, _Mapping]] = ..., fault: _Optional[_Union[Fault, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "name", "version", "games", "matches_at_once", "talks", "sdk")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MATCHES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    TALKS_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    name: str
    version: str
    games: _containers.RepeatedCompositeFieldContainer[GameOffer]
    matches_at_once: int
    talks: bool
    sdk: str
    def __init__(self, protocol: _Optional[int] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., games: _Optional[_Iterable[_Union[GameOffer, _Mapping]]] = ..., matches_at_once: _Optional[int] = ..., talks: _Optional[bool] = ..., sdk: _Optional[str] = ...) -> None: ...

class GameOffer(_message.Message):
    __slots__ = ("game", "variants", "seat_counts")
    GAME_FIELD_NUMBER: _ClassVar[int]
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    SEAT_COUNTS_FIELD_NUMBER: _ClassVar[int]
    game: str
    variants: _containers.RepeatedScalarFieldContainer[str]
    seat_counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game: _Optional[str] = ..., variants: _Optional[_Iterable[str]] = ..., seat_counts: _Optional[_Iterable[int]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol", "referees", "max_frame_bytes", "spare_messages_per_second", "address", "draining")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    REFEREES_FIELD_NUMBER: _ClassVar[int]
    MAX_FRAME_BYTES_FIELD_NUMBER: _ClassVar[int]
    SPARE_MESSAGES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    referees: _containers.RepeatedScalarFieldContainer[str]
    max_frame_bytes: int
    spare_messages_per_second: int
    address: str
    draining: bool
    def __init__(self, protocol: _Optional[int] = ..., referees: _Optional[_Iterable[str]] = ..., max_frame_bytes: _Optional[int] = ..., spare_messages_per_second: _Optional[int] = ..., address: _Optional[str] = ..., draining: _Optional[bool] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("table", "match", "game", "variant", "options", "seat", "seats", "time", "commitment", "bot_seed", "view_type", "history")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    TABLE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    BOT_SEED_FIELD_NUMBER: _ClassVar[int]
    VIEW_TYPE_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    table: int
    match: str
    game: str
    variant: str
    options: _containers.ScalarMap[str, int]
    seat: int
    seats: int
    time: _match_pb2.TimeControl
    commitment: bytes
    bot_seed: bytes
    view_type: str
    history: _containers.RepeatedCompositeFieldContainer[_match_pb2.Step]
    def __init__(self, table: _Optional[int] = ..., match: _Optional[str] = ..., game: _Optional[str] = ..., variant: _Optional[str] = ..., options: _Optional[_Mapping[str, int]] = ..., seat: _Optional[int] = ..., seats: _Optional[int] = ..., time: _Optional[_Union[_match_pb2.TimeControl, _Mapping]] = ..., commitment: _Optional[bytes] = ..., bot_seed: _Optional[bytes] = ..., view_type: _Optional[str] = ..., history: _Optional[_Iterable[_Union[_match_pb2.Step, _Mapping]]] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("table", "decision", "actions", "talk", "seen", "bank_ms", "limit_ms", "view")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    TALK_FIELD_NUMBER: _ClassVar[int]
    SEEN_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    table: int
    decision: int
    actions: _containers.RepeatedScalarFieldContainer[str]
    talk: _match_pb2.TalkLimits
    seen: _containers.RepeatedCompositeFieldContainer[_match_pb2.Step]
    bank_ms: int
    limit_ms: int
    view: bytes
    def __init__(self, table: _Optional[int] = ..., decision: _Optional[int] = ..., actions: _Optional[_Iterable[str]] = ..., talk: _Optional[_Union[_match_pb2.TalkLimits, _Mapping]] = ..., seen: _Optional[_Iterable[_Union[_match_pb2.Step, _Mapping]]] = ..., bank_ms: _Optional[int] = ..., limit_ms: _Optional[int] = ..., view: _Optional[bytes] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("table", "decision", "action", "notes")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    table: int
    decision: int
    action: int
    notes: Notes
    def __init__(self, table: _Optional[int] = ..., decision: _Optional[int] = ..., action: _Optional[int] = ..., notes: _Optional[_Union[Notes, _Mapping]] = ...) -> None: ...

class Notes(_message.Message):
    __slots__ = ("candidates", "numbers", "text")
    class NumbersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    candidates: _containers.RepeatedCompositeFieldContainer[Candidate]
    numbers: _containers.ScalarMap[str, float]
    text: str
    def __init__(self, candidates: _Optional[_Iterable[_Union[Candidate, _Mapping]]] = ..., numbers: _Optional[_Mapping[str, float]] = ..., text: _Optional[str] = ...) -> None: ...

class Candidate(_message.Message):
    __slots__ = ("action", "value")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    action: str
    value: float
    def __init__(self, action: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...

class Say(_message.Message):
    __slots__ = ("table", "decision", "line")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    table: int
    decision: int
    line: _match_pb2.Line
    def __init__(self, table: _Optional[int] = ..., decision: _Optional[int] = ..., line: _Optional[_Union[_match_pb2.Line, _Mapping]] = ...) -> None: ...

class End(_message.Message):
    __slots__ = ("table", "outcome", "seen")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    SEEN_FIELD_NUMBER: _ClassVar[int]
    table: int
    outcome: _match_pb2.Outcome
    seen: _containers.RepeatedCompositeFieldContainer[_match_pb2.Step]
    def __init__(self, table: _Optional[int] = ..., outcome: _Optional[_Union[_match_pb2.Outcome, _Mapping]] = ..., seen: _Optional[_Iterable[_Union[_match_pb2.Step, _Mapping]]] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("table", "kind", "message")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    table: int
    kind: _match_pb2.FaultKind
    message: str
    def __init__(self, table: _Optional[int] = ..., kind: _Optional[_Union[_match_pb2.FaultKind, str]] = ..., message: _Optional[str] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason", "come_back")
    REASON_FIELD_NUMBER: _ClassVar[int]
    COME_BACK_FIELD_NUMBER: _ClassVar[int]
    reason: str
    come_back: bool
    def __init__(self, reason: _Optional[str] = ..., come_back: _Optional[bool] = ...) -> None: ...
