"""The root of all errors that are meant for a person."""

from __future__ import annotations

from http import HTTPStatus


class ArenaError(Exception):
    """Raised when a request cannot be met; the message names the field, its value, and what would be right."""


class UsageError(ArenaError):
    """Raised when what was asked for does not exist or is out of range: a name, an option, a file, an address."""


class Refusal(UsageError):  # noqa: N818 - it reads as a sentence
    """Raised when a request is refused for a reason that a program may act on.

    `code` is stable, in snake_case; `field` names what of the request was wrong, or is empty; `status` is HTTP's.
    """

    def __init__(self, code: str, message: str, *, field: str = "", status: int = 422) -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.status = status

    def problem(self) -> dict[str, str | int]:
        """Write it as the API does (RFC 9457), without what only the server adds."""
        return {
            "status": self.status,
            "code": self.code,
            "field": self.field,
            "title": next((known.phrase for known in HTTPStatus if known == self.status), ""),
            "detail": str(self),
        }
