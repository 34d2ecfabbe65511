from arena.v1 import bot_pb2 as _bot_pb2
from arena.v1 import match_pb2 as _match_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SitRequest(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_bot_pb2.BotMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[_bot_pb2.BotMessage, _Mapping]]] = ...) -> None: ...

class SitResponse(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_bot_pb2.ArenaMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[_bot_pb2.ArenaMessage, _Mapping]]] = ...) -> None: ...

class DrainRequest(_message.Message):
    __slots__ = ("resume", "limit_s")
    RESUME_FIELD_NUMBER: _ClassVar[int]
    LIMIT_S_FIELD_NUMBER: _ClassVar[int]
    resume: bool
    limit_s: int
    def __init__(self, resume: _Optional[bool] = ..., limit_s: _Optional[int] = ...) -> None: ...

class DrainResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: int
    def __init__(self, matches: _Optional[int] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[MatchOrder]
    def __init__(self, matches: _Optional[_Iterable[_Union[MatchOrder, _Mapping]]] = ...) -> None: ...

class MatchOrder(_message.Message):
    __slots__ = ("match", "game", "variant", "options", "seed", "time", "seats")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    MATCH_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    match: str
    game: str
    variant: str
    options: _containers.ScalarMap[str, int]
    seed: bytes
    time: _match_pb2.TimeControl
    seats: _containers.RepeatedCompositeFieldContainer[SeatOrder]
    def __init__(self, match: _Optional[str] = ..., game: _Optional[str] = ..., variant: _Optional[str] = ..., options: _Optional[_Mapping[str, int]] = ..., seed: _Optional[bytes] = ..., time: _Optional[_Union[_match_pb2.TimeControl, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[SeatOrder, _Mapping]]] = ...) -> None: ...

class SeatOrder(_message.Message):
    __slots__ = ("bot", "version", "hosted", "endpoint", "dial_in", "held")
    BOT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    HOSTED_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    DIAL_IN_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    bot: str
    version: str
    hosted: HostedBot
    endpoint: EndpointBot
    dial_in: DialInBot
    held: HeldSeat
    def __init__(self, bot: _Optional[str] = ..., version: _Optional[str] = ..., hosted: _Optional[_Union[HostedBot, _Mapping]] = ..., endpoint: _Optional[_Union[EndpointBot, _Mapping]] = ..., dial_in: _Optional[_Union[DialInBot, _Mapping]] = ..., held: _Optional[_Union[HeldSeat, _Mapping]] = ...) -> None: ...

class HostedBot(_message.Message):
    __slots__ = ("program", "lane")
    PROGRAM_FIELD_NUMBER: _ClassVar[int]
    LANE_FIELD_NUMBER: _ClassVar[int]
    program: str
    lane: int
    def __init__(self, program: _Optional[str] = ..., lane: _Optional[int] = ...) -> None: ...

class EndpointBot(_message.Message):
    __slots__ = ("address", "secret")
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    address: str
    secret: str
    def __init__(self, address: _Optional[str] = ..., secret: _Optional[str] = ...) -> None: ...

class DialInBot(_message.Message):
    __slots__ = ("token_id",)
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    def __init__(self, token_id: _Optional[str] = ...) -> None: ...

class HeldSeat(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("reports",)
    REPORTS_FIELD_NUMBER: _ClassVar[int]
    reports: _containers.RepeatedCompositeFieldContainer[MatchReport]
    def __init__(self, reports: _Optional[_Iterable[_Union[MatchReport, _Mapping]]] = ...) -> None: ...

class MatchReport(_message.Message):
    __slots__ = ("match", "started", "finished", "postponed", "failed")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    POSTPONED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    match: str
    started: MatchStarted
    finished: MatchFinished
    postponed: MatchPostponed
    failed: MatchFailed
    def __init__(self, match: _Optional[str] = ..., started: _Optional[_Union[MatchStarted, _Mapping]] = ..., finished: _Optional[_Union[MatchFinished, _Mapping]] = ..., postponed: _Optional[_Union[MatchPostponed, _Mapping]] = ..., failed: _Optional[_Union[MatchFailed, _Mapping]] = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("commitment",)
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    commitment: bytes
    def __init__(self, commitment: _Optional[bytes] = ...) -> None: ...

class MatchFinished(_message.Message):
    __slots__ = ("record", "outputs", "incident", "notes")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    INCIDENT_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    record: bytes
    outputs: _containers.RepeatedCompositeFieldContainer[SeatOutput]
    incident: str
    notes: _containers.RepeatedCompositeFieldContainer[SeatNotes]
    def __init__(self, record: _Optional[bytes] = ..., outputs: _Optional[_Iterable[_Union[SeatOutput, _Mapping]]] = ..., incident: _Optional[str] = ..., notes: _Optional[_Iterable[_Union[SeatNotes, _Mapping]]] = ...) -> None: ...

class SeatNotes(_message.Message):
    __slots__ = ("seat", "notes")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    seat: int
    notes: bytes
    def __init__(self, seat: _Optional[int] = ..., notes: _Optional[bytes] = ...) -> None: ...

class SeatOutput(_message.Message):
    __slots__ = ("seat", "stderr", "dropped")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    STDERR_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    stderr: bytes
    dropped: int
    def __init__(self, seat: _Optional[int] = ..., stderr: _Optional[bytes] = ..., dropped: _Optional[int] = ...) -> None: ...

class MatchPostponed(_message.Message):
    __slots__ = ("seat", "reason", "others")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    reason: str
    others: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., reason: _Optional[str] = ..., others: _Optional[_Iterable[int]] = ...) -> None: ...

class MatchFailed(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("match", "hidden")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    match: str
    hidden: bool
    def __init__(self, match: _Optional[str] = ..., hidden: _Optional[bool] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("steps", "outcome", "ms", "talks")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    TALKS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[_match_pb2.Step]
    outcome: _match_pb2.Outcome
    ms: _containers.RepeatedScalarFieldContainer[float]
    talks: _containers.RepeatedScalarFieldContainer[bool]
    def __init__(self, steps: _Optional[_Iterable[_Union[_match_pb2.Step, _Mapping]]] = ..., outcome: _Optional[_Union[_match_pb2.Outcome, _Mapping]] = ..., ms: _Optional[_Iterable[float]] = ..., talks: _Optional[_Iterable[bool]] = ...) -> None: ...

class ControlRequest(_message.Message):
    __slots__ = ("admit", "add", "revoke_token_id", "others", "bundle", "weights")
    ADMIT_FIELD_NUMBER: _ClassVar[int]
    ADD_FIELD_NUMBER: _ClassVar[int]
    REVOKE_TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    admit: AdmitTokens
    add: AdmittedToken
    revoke_token_id: str
    others: OtherReferees
    bundle: BundlePart
    weights: WeightsPart
    def __init__(self, admit: _Optional[_Union[AdmitTokens, _Mapping]] = ..., add: _Optional[_Union[AdmittedToken, _Mapping]] = ..., revoke_token_id: _Optional[str] = ..., others: _Optional[_Union[OtherReferees, _Mapping]] = ..., bundle: _Optional[_Union[BundlePart, _Mapping]] = ..., weights: _Optional[_Union[WeightsPart, _Mapping]] = ...) -> None: ...

class BundlePart(_message.Message):
    __slots__ = ("sha256", "data", "last", "unavailable")
    SHA256_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    sha256: str
    data: bytes
    last: bool
    unavailable: str
    def __init__(self, sha256: _Optional[str] = ..., data: _Optional[bytes] = ..., last: _Optional[bool] = ..., unavailable: _Optional[str] = ...) -> None: ...

class WeightsPart(_message.Message):
    __slots__ = ("sha256", "data", "first", "last", "unavailable")
    SHA256_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    UNAVAILABLE_FIELD_NUMBER: _ClassVar[int]
    sha256: str
    data: bytes
    first: bool
    last: bool
    unavailable: str
    def __init__(self, sha256: _Optional[str] = ..., data: _Optional[bytes] = ..., first: _Optional[bool] = ..., last: _Optional[bool] = ..., unavailable: _Optional[str] = ...) -> None: ...

class AdmitTokens(_message.Message):
    __slots__ = ("tokens",)
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[AdmittedToken]
    def __init__(self, tokens: _Optional[_Iterable[_Union[AdmittedToken, _Mapping]]] = ...) -> None: ...

class AdmittedToken(_message.Message):
    __slots__ = ("token_id", "token_sha256")
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_SHA256_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    token_sha256: bytes
    def __init__(self, token_id: _Optional[str] = ..., token_sha256: _Optional[bytes] = ...) -> None: ...

class OtherReferees(_message.Message):
    __slots__ = ("addresses",)
    ADDRESSES_FIELD_NUMBER: _ClassVar[int]
    addresses: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, addresses: _Optional[_Iterable[str]] = ...) -> None: ...

class ControlResponse(_message.Message):
    __slots__ = ("present", "absent_token_id", "here", "wanted_bundle", "endpoint", "drain", "warnings", "wanted_weights")
    PRESENT_FIELD_NUMBER: _ClassVar[int]
    ABSENT_TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    HERE_FIELD_NUMBER: _ClassVar[int]
    WANTED_BUNDLE_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    DRAIN_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    WANTED_WEIGHTS_FIELD_NUMBER: _ClassVar[int]
    present: BotPresent
    absent_token_id: str
    here: RefereeHere
    wanted_bundle: str
    endpoint: EndpointHello
    drain: DrainState
    warnings: SetupWarnings
    wanted_weights: str
    def __init__(self, present: _Optional[_Union[BotPresent, _Mapping]] = ..., absent_token_id: _Optional[str] = ..., here: _Optional[_Union[RefereeHere, _Mapping]] = ..., wanted_bundle: _Optional[str] = ..., endpoint: _Optional[_Union[EndpointHello, _Mapping]] = ..., drain: _Optional[_Union[DrainState, _Mapping]] = ..., warnings: _Optional[_Union[SetupWarnings, _Mapping]] = ..., wanted_weights: _Optional[str] = ...) -> None: ...

class SetupWarnings(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, messages: _Optional[_Iterable[str]] = ...) -> None: ...

class DrainState(_message.Message):
    __slots__ = ("draining", "matches")
    DRAINING_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    draining: bool
    matches: int
    def __init__(self, draining: _Optional[bool] = ..., matches: _Optional[int] = ...) -> None: ...

class EndpointHello(_message.Message):
    __slots__ = ("endpoint", "version", "games")
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    endpoint: EndpointBot
    version: str
    games: _containers.RepeatedCompositeFieldContainer[_bot_pb2.GameOffer]
    def __init__(self, endpoint: _Optional[_Union[EndpointBot, _Mapping]] = ..., version: _Optional[str] = ..., games: _Optional[_Iterable[_Union[_bot_pb2.GameOffer, _Mapping]]] = ...) -> None: ...

class RefereeHere(_message.Message):
    __slots__ = ("public_address", "protection")
    PUBLIC_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    PROTECTION_FIELD_NUMBER: _ClassVar[int]
    public_address: str
    protection: str
    def __init__(self, public_address: _Optional[str] = ..., protection: _Optional[str] = ...) -> None: ...

class BotPresent(_message.Message):
    __slots__ = ("token_id", "name", "version", "matches_at_once", "games")
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    MATCHES_AT_ONCE_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    name: str
    version: str
    matches_at_once: int
    games: _containers.RepeatedCompositeFieldContainer[_bot_pb2.GameOffer]
    def __init__(self, token_id: _Optional[str] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., matches_at_once: _Optional[int] = ..., games: _Optional[_Iterable[_Union[_bot_pb2.GameOffer, _Mapping]]] = ...) -> None: ...
