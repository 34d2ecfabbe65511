"""The tables.

    bot ─< version ─< entry >─ tournament ─< block
     └─ bot_token │   └─< absence >─┴────────< match_result ── record
                  │                 ├────────< attempt └─< match_output
      bundle …… program             └── trial
    user ─< bot, api_token, web_session, invitation          audit: what people did
    pool ─< rating >─ version          pair_total, version_total: sums over the results of one scope

A scope is one tournament (`tournament/7`) or one pool (`pool/3`): what its Elo table is computed from.
There is no row per planned match: what a tournament plays follows from its secret and its entries
(`arena.schedule`); rows come with results.  Times are seconds since the epoch, UTC.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The root of all tables; constraints have names, so that migrations can change them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class Meta(Base):
    """Facts about the store as a whole."""

    __tablename__ = "meta"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class User(Base):
    """A person with an account; without a password (argon2, as PHC string) only a token lets them in."""

    __tablename__ = "user"
    __table_args__ = (UniqueConstraint("name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(16))
    password: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]


class ApiToken(Base):
    """What a program of a user's shows: the token's public id and its SHA-256; scopes with blanks between."""

    __tablename__ = "api_token"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    label: Mapped[str] = mapped_column(String(100))
    scopes: Mapped[str] = mapped_column(String(200))
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]


class WebSession(Base):
    """A browser that is signed in: the digest of its cookie, and when that ends by itself."""

    __tablename__ = "web_session"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    created_at: Mapped[float]
    expires_at: Mapped[float]


class Invitation(Base):
    """The right to register once, with a role: its public id and its SHA-256; `used_by` is who did."""

    __tablename__ = "invitation"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    role: Mapped[str] = mapped_column(String(16))
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]
    expires_at: Mapped[float]
    used_by: Mapped[int | None] = mapped_column(ForeignKey("user.id"))


class Audit(Base):
    """A write of a person's: who (by name, so that it outlasts the account), what, on what; rows are only ever added."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[float]
    actor: Mapped[str] = mapped_column(String(64), index=True)
    action: Mapped[str] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(String(200))
    detail: Mapped[dict[str, object]] = mapped_column(JSON)


class Bot(Base):
    """A bot: a name in one game.  Without an owner it is the house's, or was added by whoever has the store's files."""

    __tablename__ = "bot"
    __table_args__ = (UniqueConstraint("game", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(128))
    house: Mapped[bool]
    owner_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    created_at: Mapped[float]


class Version(Base):
    """One version of a bot; what plays never changes, only `state` does.

    `source` says how it is reached, and what `program` is: `hosted`, the program that the referee starts; `endpoint`,
    the address that it dials, presenting `secret`; `dial_in`, empty, the bot connects with its `bot_token`.
    `state` says whether it can be entered: only `active` can, and a bot has one such version at most.  `waiting`: for its
    qualification; `failed`: in that, and `reason` tells its author why; `superseded` by a newer one; `withdrawn` by its author.
    `qualified`: it has passed, or needs none.  `declared` is what a bot that runs elsewhere last said it is; if that is not
    `version`, then `reason` says why.
    """

    __tablename__ = "version"
    __table_args__ = (
        UniqueConstraint("bot_id", "version"),
        Index(
            "uq_version_active",
            "bot_id",
            unique=True,
            sqlite_where=text("state = 'active'"),
            postgresql_where=text("state = 'active'"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bot.id"))
    version: Mapped[str] = mapped_column(String(64))
    source: Mapped[str] = mapped_column(String(16))
    program: Mapped[str] = mapped_column(Text)
    secret: Mapped[str | None] = mapped_column(Text)
    declared: Mapped[str | None] = mapped_column(String(100))
    talks: Mapped[bool]
    state: Mapped[str] = mapped_column(String(16))
    qualified: Mapped[bool]
    reason: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]


class Bundle(Base):
    """An upload as it is started (`arena.submit.bundle`), named by the SHA-256 of its bytes; versions share it."""

    __tablename__ = "bundle"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]


class BotToken(Base):
    """What a dial-in bot connects with: the token's public id, and its SHA-256; the token itself is nowhere."""

    __tablename__ = "bot_token"
    __table_args__ = (UniqueConstraint("bot_id"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bot.id"))
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]


class Pool(Base):
    """A game and variant whose results make one public Elo table, and what that table was computed from."""

    __tablename__ = "pool"
    __table_args__ = (UniqueConstraint("game", "variant"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    variant: Mapped[str] = mapped_column(String(64))
    algorithm: Mapped[str | None] = mapped_column(String(64))
    input_sha256: Mapped[str | None] = mapped_column(String(64))
    computed_at: Mapped[float | None]


class Tournament(Base):
    """A tournament: everything that its matches follow from, and how far it is."""

    __tablename__ = "tournament"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    format: Mapped[str] = mapped_column(String(32))
    game: Mapped[str] = mapped_column(String(64))
    variant: Mapped[str] = mapped_column(String(64))
    seats: Mapped[int]
    options: Mapped[dict[str, int]] = mapped_column(JSON)
    base_ms: Mapped[int]
    increment_ms: Mapped[int]
    cap_ms: Mapped[int]
    talk_ms: Mapped[int]
    cycles: Mapped[int]
    trusted: Mapped[bool]
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[bytes] = mapped_column(LargeBinary)
    inputs: Mapped[bytes] = mapped_column(LargeBinary)
    pool_id: Mapped[int | None] = mapped_column(ForeignKey("pool.id"))
    state: Mapped[str] = mapped_column(String(16), index=True)
    matches_total: Mapped[int]
    matches_done: Mapped[int]
    created_at: Mapped[float]
    finished_at: Mapped[float | None]


class Trial(Base):
    """A tournament of one set that an author asked for, out of the lists: his version, number 0, against others.

    `kind` is `qualification` or `challenge`; `author` is his name, so that it outlasts the account.
    """

    __tablename__ = "trial"
    __table_args__ = (Index("ix_trial_author", "author", "created_at"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), index=True)
    author: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[float]


class Entry(Base):
    """A version that takes part; entries are numbered from 0."""

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("tournament_id", "version_id"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"))


class Block(Base):
    """Some sets of one tournament, the work of one job; `worker` holds it until `lease_until`.

    Without a worker it rests until then: a bot of it was not there.
    """

    __tablename__ = "block"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    first_set: Mapped[int]
    sets: Mapped[int]
    done: Mapped[bool] = mapped_column(index=True)
    worker: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[float | None]


class MatchResult(Base):
    """A match that is over, or annulled (then `end` is `annulled`).  Numbers of seats stand with spaces between."""

    __tablename__ = "match_result"
    __table_args__ = (
        UniqueConstraint("tournament_id", "set_number", "match_number"),
        CheckConstraint("fault_seat IS NULL OR fault_seat >= 0", name="fault_seat"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"))
    set_number: Mapped[int]
    match_number: Mapped[int]
    attempt: Mapped[int]
    match: Mapped[str] = mapped_column(String(32), index=True)
    end: Mapped[str] = mapped_column(String(16))
    places: Mapped[str] = mapped_column(String(64))
    scores: Mapped[str | None] = mapped_column(String(128))
    fault_seat: Mapped[int | None]
    fault_kind: Mapped[str | None] = mapped_column(String(16))
    stored_at: Mapped[float]


class Record(Base):
    """The record of a match, packed (`arena.store.compression`)."""

    __tablename__ = "record"

    result_id: Mapped[int] = mapped_column(ForeignKey("match_result.id"), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class MatchOutput(Base):
    """The end of what a hosted bot printed in a match, for its author alone; `dropped` counts the bytes before it."""

    __tablename__ = "match_output"

    result_id: Mapped[int] = mapped_column(ForeignKey("match_result.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    stderr: Mapped[bytes] = mapped_column(LargeBinary)
    dropped: Mapped[int] = mapped_column(BigInteger)


class Attempt(Base):
    """A match that has to be played again: the number of its next attempt, and how often the platform failed it."""

    __tablename__ = "attempt"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    set_number: Mapped[int] = mapped_column(primary_key=True)
    match_number: Mapped[int] = mapped_column(primary_key=True)
    attempt: Mapped[int]
    failures: Mapped[int]
    reason: Mapped[str] = mapped_column(Text)


class Absence(Base):
    """A version that a match of a tournament waits for; `since_uptime_s` is the platform's uptime when that began."""

    __tablename__ = "absence"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    since_uptime_s: Mapped[float]


class PairTotal(Base):
    """The sum of all results between two versions of a scope, `low` < `high`.

    Units are 1/280 point (`arena.ratings.totals`); wins, draws and losses are `low`'s, one for each time they met.
    """

    __tablename__ = "pair_total"

    scope: Mapped[str] = mapped_column(String(32), primary_key=True)
    low: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    high: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    low_units: Mapped[int] = mapped_column(BigInteger)
    high_units: Mapped[int] = mapped_column(BigInteger)
    wins: Mapped[int]
    draws: Mapped[int]
    losses: Mapped[int]


class VersionTotal(Base):
    """How many matches of a scope a version has played, and how many of them it ended by a fault."""

    __tablename__ = "version_total"

    scope: Mapped[str] = mapped_column(String(32), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    matches: Mapped[int]
    faults: Mapped[int]


class Rating(Base):
    """A row of a pool's Elo table; `component` numbers the groups that never met, 0 the first."""

    __tablename__ = "rating"

    pool_id: Mapped[int] = mapped_column(ForeignKey("pool.id"), primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), primary_key=True)
    component: Mapped[int]
    rank: Mapped[int]
    elo: Mapped[float]
    matches: Mapped[int]


Index("ix_match_result_stored_at", MatchResult.stored_at)
