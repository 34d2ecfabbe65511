"""Bots, their versions and programs."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from arena.storage.schema.base_tables import Base


class Bot(Base):
    """A bot: a name in one game.  Without an owner it is the house's, or was added by the operator.

    `seen_at` is when a bot that runs elsewhere was last connected, or last answered where it is dialled; None: never.
    `notes_public` says whether all may read its notes (`arena.reports.insights.visible_notes`), once a match is open.
    """

    __tablename__ = "bot"
    __table_args__ = (UniqueConstraint("game", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(128))
    house: Mapped[bool]
    owner_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    created_at: Mapped[float]
    seen_at: Mapped[float | None]
    notes_public: Mapped[bool] = mapped_column(default=False, server_default=false())


class Version(Base):
    """One version of a bot; what plays never changes, only `state` does.

    `source` says how it is reached, and what `program` is: `hosted`, the program that the referee starts; `endpoint`,
    the address that it dials, presenting `secret`; `dial_in`, empty, the bot connects with its `bot_token`.
    `state` says whether it can be entered: only `active` can, and a bot has one such version at most.  `waiting`: for its
    qualification, which for one that runs elsewhere begins when it is first there; `failed`: in that, and `reason` says why; `superseded` by a newer one; `withdrawn` by its author;
    `suspended` after repeated faults.
    `qualified`: it has passed, or needs none, as the house's and what the operator added.  `declared` is what a bot that runs
    elsewhere last declared; if that is not `version`, then `reason` says why.  `suspended_uptime_s` is the platform's uptime
    when it was last suspended.  `plays` has the variants and seat counts that it declares (`arena.declarations.declared_tables`), as JSON; None: all.
    `suspensions` has the variants in which it is suspended while it plays others, as JSON (`arena.bot_registry.variant_suspensions`); None: in none.  `request_id` is that of the request that added it, for logs.
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
    suspended_uptime_s: Mapped[float | None]
    plays: Mapped[str | None] = mapped_column(Text)
    suspensions: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]
    request_id: Mapped[str | None] = mapped_column(String(32))


class Bundle(Base):
    """An upload as it is started (`arena.bundle_format.bundle`), named by the SHA-256 of its bytes; versions share it."""

    __tablename__ = "bundle"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]


class Weights(Base):
    """A file of weights that an author has uploaded, named by its SHA-256; it may be used once it is `complete`: whole, and checked.

    `written_at` is when its last part came; 0 while it is being deleted.
    """

    __tablename__ = "weights"
    __table_args__ = (
        Index(
            "uq_weights_complete",
            "sha256",
            "user_id",
            unique=True,
            sqlite_where=text("complete"),
            postgresql_where=text("complete"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64))
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    size: Mapped[int] = mapped_column(BigInteger)
    complete: Mapped[bool]
    written_at: Mapped[float]


class WeightsPart(Base):
    """A part of a file of weights; they are numbered from 0."""

    __tablename__ = "weights_part"

    weights_id: Mapped[int] = mapped_column(ForeignKey("weights.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class BundleWeights(Base):
    """A name of weights in a bundle; the weights are kept as long as the bundle."""

    __tablename__ = "bundle_weights"

    bundle_sha256: Mapped[str] = mapped_column(
        ForeignKey("bundle.sha256", ondelete="CASCADE"), primary_key=True
    )
    weights_id: Mapped[int] = mapped_column(ForeignKey("weights.id"), primary_key=True, index=True)


class BotToken(Base):
    """Credential of a dial-in bot: the token's public id, and its SHA-256; the token itself is not stored."""

    __tablename__ = "bot_token"
    __table_args__ = (UniqueConstraint("bot_id"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    bot_id: Mapped[int] = mapped_column(ForeignKey("bot.id"))
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]
