"""The root of all errors that are meant for a person."""

from __future__ import annotations

from enum import StrEnum


class ArenaError(Exception):
    """Raised when a request cannot be met; the message names the field, its value, and what would be right."""


class UsageError(ArenaError):
    """Raised when a requested name, option, file or address does not exist or is out of range."""


class RefusalKind(StrEnum):
    """The kind of problem with a request; `arena.core.problem_details` has the HTTP status of each."""

    BROKEN_OFF = "broken_off"
    CONFLICT = "conflict"
    FORBIDDEN = "forbidden"
    GONE = "gone"
    INVALID = "invalid"
    NOT_FOUND = "not_found"
    NOT_SIGNED_IN = "not_signed_in"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    UNAVAILABLE = "unavailable"


class Refusal(UsageError):  # noqa: N818 - it reads as a sentence
    """Raised when a request is refused for a reason that a program may act on.

    `code` is stable, in snake_case; `field` names what of the request was wrong, or is empty; `kind` says what kind of thing is wrong.
    """

    def __init__(
        self, code: str, message: str, *, field: str = "", kind: RefusalKind = RefusalKind.INVALID
    ) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.kind = kind
