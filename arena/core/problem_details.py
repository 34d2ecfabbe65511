"""Refusals as HTTP has them: a status for each kind, and problem details (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from types import MappingProxyType

from arena.core.errors import Refusal, RefusalKind

STATUS_OF = MappingProxyType(
    {
        RefusalKind.BROKEN_OFF: HTTPStatus.BAD_REQUEST,
        RefusalKind.NOT_SIGNED_IN: HTTPStatus.UNAUTHORIZED,
        RefusalKind.FORBIDDEN: HTTPStatus.FORBIDDEN,
        RefusalKind.NOT_FOUND: HTTPStatus.NOT_FOUND,
        RefusalKind.CONFLICT: HTTPStatus.CONFLICT,
        RefusalKind.GONE: HTTPStatus.GONE,
        RefusalKind.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        RefusalKind.INVALID: HTTPStatus.UNPROCESSABLE_ENTITY,
        RefusalKind.TOO_MANY: HTTPStatus.TOO_MANY_REQUESTS,
        RefusalKind.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    }
)


_KIND_OF = {status: kind for kind, status in STATUS_OF.items()}


def kind_of(status: int) -> RefusalKind:
    """Return the kind of error for an HTTP status; for the server's own errors it is UNAVAILABLE."""
    return _KIND_OF.get(HTTPStatus(status), RefusalKind.UNAVAILABLE if status >= 500 else RefusalKind.INVALID)


def status_of(refusal: Refusal) -> int:
    """Return the HTTP status of a refusal."""
    return int(STATUS_OF[refusal.kind])


def problem_details(refusal: Refusal) -> dict[str, str | int]:
    """Return a refusal as the API writes it, without what only the server adds."""
    status = STATUS_OF[refusal.kind]
    return {
        "status": int(status),
        "code": refusal.code,
        "field": refusal.field,
        "title": status.phrase,
        "detail": str(refusal),
    }
