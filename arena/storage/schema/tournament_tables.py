"""Tournaments: what they were given, what was decided, and the work on them."""

from __future__ import annotations

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from arena.storage.schema.base_tables import Base


class Ladder(Base):
    """A permanent competition of all active versions of a pool, at tables of a fixed number of seats; each epoch is a tournament.

    An epoch ends after `epoch_s` seconds; between two rounds the ladder rests for `rest_s`.  Its epochs have its `delay_s`.
    """

    __tablename__ = "ladder"
    __table_args__ = (UniqueConstraint("pool_id", "seats"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    pool_id: Mapped[int] = mapped_column(ForeignKey("pool.id"))
    seats: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    epoch_s: Mapped[float]
    rest_s: Mapped[float]
    priority: Mapped[int]
    next_at: Mapped[float]
    created_at: Mapped[float]
    delay_s: Mapped[int] = mapped_column(server_default="0")


class Tournament(Base):
    """A tournament: everything that its matches follow from, and how far it is.

    `state` is `created`, `open` (for entries), `running`, `paused`, `finished` or `cancelled`.  `rules` is what the format and
    the stop rule were given; `revision` counts the decisions.  Of two tournaments that run, one with twice the `priority` is
    played twice as much; `served` is what it had so far, divided by that.  What was hidden in a set is shown `delay_s` seconds after it is over.
    `plan_version` is that of the rules by which it is planned (`arena.scheduling.planning_terms`).
    `owner` is the name of the user who created it, so that it outlasts the account; a trial and an epoch of a ladder have none.
    `request_id` is that of the request that created it, for logs.
    """

    __tablename__ = "tournament"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text, server_default="", default="")
    owner: Mapped[str | None] = mapped_column(String(64), index=True)
    format: Mapped[str] = mapped_column(String(32))
    rules: Mapped[dict[str, object]] = mapped_column(JSON)
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
    plan_version: Mapped[int] = mapped_column(server_default="1")
    delay_s: Mapped[int] = mapped_column(server_default="0")
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[bytes] = mapped_column(LargeBinary)
    inputs: Mapped[bytes] = mapped_column(LargeBinary)
    pool_id: Mapped[int | None] = mapped_column(ForeignKey("pool.id"))
    ladder_id: Mapped[int | None] = mapped_column(ForeignKey("ladder.id"), index=True)
    state: Mapped[str] = mapped_column(String(16), index=True)
    revision: Mapped[int]
    priority: Mapped[int]
    served: Mapped[float]
    matches_total: Mapped[int]
    matches_done: Mapped[int]
    created_at: Mapped[float]
    started_at: Mapped[float | None]
    finished_at: Mapped[float | None]
    request_id: Mapped[str | None] = mapped_column(String(32))


class Decision(Base):
    """A step in a tournament's life that its schedule follows from, as canonical JSON (`arena.scheduling.decisions`).

    They are numbered from 0 and only ever added.
    """

    __tablename__ = "decision"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[str] = mapped_column(Text)
    created_at: Mapped[float]


class Trial(Base):
    """A tournament of one set that an author asked for, out of the lists: the author's version, number 0, against others.

    `kind` is `qualification` or `challenge`; `author` is a name, so that it outlasts the account.  `served_s` counts the
    seconds for which workers have held it.  A qualification is one trial at each kind of table: `batch` is the number of its
    first one, None for that itself.  `passed` says of each whether it was played without a fault; None: not known yet.
    """

    __tablename__ = "trial"
    __table_args__ = (Index("ix_trial_author", "author", "created_at"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"), index=True)
    author: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[float]
    served_s: Mapped[float] = mapped_column(server_default="0")
    batch: Mapped[int | None]
    passed: Mapped[bool | None]


class Entry(Base):
    """A version that takes part; entries are numbered from 0.

    Entries of one owner have the same `owner_group`, which is set when the tournament begins; the house's bots have none.
    Until then the bot's next active version takes the place of the one entered, unless the entry is `pinned` to that.
    """

    __tablename__ = "entry"
    __table_args__ = (UniqueConstraint("tournament_id", "version_id"),)

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    version_id: Mapped[int] = mapped_column(ForeignKey("version.id"))
    owner_group: Mapped[int | None]
    pinned: Mapped[bool] = mapped_column(server_default=false(), default=False)


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
