"""What went wrong, said twice: a page for people, a JSON problem (RFC 9457) for programs; both say what to do next."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from arena.errors import UsageError
from arena.match.essence import RulesChanged
from arena.web.environment import render
from arena.web.security import HEADERS

_log = logging.getLogger(__name__)

_REMEDIES = {
    404: "Check the address, or look for it from the start page: a tournament or match has a page as soon as it is created.",
    405: "Pages and the API are read with GET; tournaments are created with the command line.",
    422: "Mend the part of the address that is named above, then open it again.",
    501: "Tell the organiser: the record is stored, and a version of Bot Arena with those rules reads it.",
    503: "The platform mends this by itself as a rule: try again in some seconds.",
}
_STANDARD_REMEDY = (
    "Try again; if it stays, tell the organiser what you opened and when: the server's log has the reason."
)


class Problem(BaseModel):
    """An answer that is not what was asked for (RFC 9457, application/problem+json)."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "status": 404,
                "title": "Not Found",
                "detail": "tournament 99: there is no such tournament",
                "remedy": "Check the address.",
            }
        }
    )

    status: int = Field(description="The HTTP status, once more.")
    title: str = Field(description="The status in words.")
    detail: str = Field(description="What was wrong: the field, its value, and what would be right.")
    remedy: str = Field(description="What to do next.")


@dataclass(frozen=True, slots=True)
class _Trouble:
    status: int
    detail: str

    @property
    def title(self) -> str:
        return HTTPStatus(self.status).phrase

    @property
    def remedy(self) -> str:
        return _REMEDIES.get(self.status, _STANDARD_REMEDY)


def answers(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Declare the problems that a route of the API may answer with, for OpenAPI."""
    return {status: {"model": Problem, "description": HTTPStatus(status).phrase} for status in statuses}


def _respond(request: Request, trouble: _Trouble) -> Response:
    if request.url.path.startswith("/api/"):
        problem = Problem(
            status=trouble.status, title=trouble.title, detail=trouble.detail, remedy=trouble.remedy
        )
        return JSONResponse(problem.model_dump(), trouble.status, media_type="application/problem+json")
    return render(
        request,
        "error.html",
        status=trouble.status,
        code=trouble.status,
        title=trouble.title,
        detail=trouble.detail,
        remedy=trouble.remedy,
    )


def _describe(error: RequestValidationError) -> str:
    """Name each wrong parameter, its value, and what would be right."""
    return " ".join(
        f"{'.'.join(str(part) for part in fault['loc'][1:])} {str(fault.get('input'))[:80]!r}: {fault['msg']}."
        for fault in error.errors()
    )


def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - how Starlette calls it
    detail = error.detail
    if error.status_code == 404 and detail == HTTPStatus(404).phrase:
        detail = f"There is nothing at {request.url.path}."
    response = _respond(request, _Trouble(error.status_code, detail))
    response.headers.update(error.headers or {})
    return response


def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - how Starlette calls it
    return _respond(request, _Trouble(422, _describe(error)))


def _on_unknown(request: Request, error: Exception) -> Response:
    """Answer for a name or number in the address that does not exist."""
    return _respond(request, _Trouble(404, str(error)))


def _on_rules(request: Request, error: Exception) -> Response:
    """Answer for a record that was stored under other rules."""
    return _respond(request, _Trouble(501, str(error)))


def _on_away(request: Request, error: Exception) -> Response:
    _log.error("%s %s: the store does not answer", request.method, request.url.path, exc_info=error)
    return _respond(request, _Trouble(503, "The store does not answer just now."))


def _on_any(request: Request, error: Exception) -> Response:
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    response = _respond(request, _Trouble(500, "The server met an error of its own; it is not your doing."))
    response.headers.update(HEADERS)  # Starlette answers this one outside of all middleware
    return response


def install(app: FastAPI) -> None:
    """Have the app answer every error in this way."""
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(UsageError, _on_unknown)
    app.add_exception_handler(RulesChanged, _on_rules)
    app.add_exception_handler(OperationalError, _on_away)
    app.add_exception_handler(Exception, _on_any)
