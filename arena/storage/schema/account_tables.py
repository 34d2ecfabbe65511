"""People: accounts, what they sign in with, what they did."""

from __future__ import annotations

from sqlalchemy import JSON, ForeignKey, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from arena.storage.schema.base_tables import Base


class User(Base):
    """A person with an account; without a password (argon2, as PHC string) only a token lets them in."""

    __tablename__ = "user"
    __table_args__ = (UniqueConstraint("name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64))
    role: Mapped[str] = mapped_column(String(16))
    password: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[float]
    device_generation: Mapped[int] = mapped_column(default=0)
    """Counts up when the devices in which the user has signed in are to be known no longer."""


class ApiToken(Base):
    """A credential of a user's program: the token's public id and its SHA-256; scopes separated by blanks.

    Without `expires_at` it lasts until it is revoked; `used_at` is the hour of its last use.
    """

    __tablename__ = "api_token"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    label: Mapped[str] = mapped_column(String(100))
    scopes: Mapped[str] = mapped_column(String(200))
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]
    expires_at: Mapped[float | None]
    used_at: Mapped[float | None]


class SignInLink(Base):
    """The right to sign in once as a user: its public id and its SHA-256.  Using it deletes the row."""

    __tablename__ = "sign_in_link"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    sha256: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[float]
    expires_at: Mapped[float]


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
