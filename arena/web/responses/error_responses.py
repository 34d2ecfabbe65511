"""Error responses: a page for people, a JSON problem (RFC 9457) for programs; both say what to do next."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from redis.exceptions import RedisError
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from arena.core.errors import Refusal, RefusalKind, UsageError
from arena.core.problem_details import status_of
from arena.core.translatable import say
from arena.match.record_columns import RecordUnreadable
from arena.messaging.redis_refusals import why_refused
from arena.web.auth.page_auth import viewer_of
from arena.web.http.problems import Problem, remedy
from arena.web.http.rate_limits import TryAgain
from arena.web.http.request_ids import HEADER, id_of
from arena.web.http.security_headers import headers_of
from arena.web.responses.error_hints import advise, explain
from arena.web.ui.languages import mark
from arena.web.ui.templating import render

_log = logging.getLogger(__name__)

_CLIENT_ERROR = 400
_SERVER_ERROR = 500
_FALLBACK_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{status} {title}</title><h1>{status} {title}</h1>'
    '<p>The server met an error of its own; its log has the reason. Try again, or go to <a href="/">the start page</a>.</p></html>'
)


@dataclass(frozen=True, slots=True)
class _Error:
    status: int
    code: str
    detail: str
    field: str = ""

    @property
    def title(self) -> str:
        return HTTPStatus(self.status).phrase

    @property
    def remedy(self) -> str:
        return remedy(self.status)


def _respond(request: Request, shown: _Error) -> Response:
    if request.url.path.startswith("/api/"):
        problem = Problem(
            status=shown.status,
            code=shown.code,
            field=shown.field,
            title=shown.title,
            detail=shown.detail,
            remedy=shown.remedy,
            request_id=id_of(request),
        )
        return JSONResponse(problem.model_dump(), shown.status, media_type="application/problem+json")
    return _page(request, shown)


def _page(request: Request, shown: _Error) -> Response:
    """Write the page; where not even that can be done, a few plain words."""
    if shown.status >= _SERVER_ERROR:
        request.state.viewer = None  # finding the viewer reads the store, which may be down
    try:
        viewer = viewer_of(request)
        return render(
            request,
            "error.html",
            status=shown.status,
            code=shown.status,
            detail=explain(shown.code, shown.detail, viewer),
            advice=advise(shown.status, shown.code, request.url.path, viewer),
            again=request.method in {"GET", "HEAD"} and shown.status >= _SERVER_ERROR,
            now=time.time(),
            request_id=id_of(request),
        )
    except Exception:  # noqa: BLE001 - whatever it is, somebody waits for an answer
        _log.exception("%s %s: its error page could not be written", request.method, request.url.path)
        return HTMLResponse(_FALLBACK_PAGE.format(status=shown.status, title=shown.title), shown.status)


def _describe(error: RequestValidationError) -> str:
    """Name each wrong parameter, its value, and what would be right; of what may be secret, not the value."""
    return " ".join(f"{_name(fault['loc'])}{_value(fault)}: {fault['msg']}." for fault in error.errors())


def _name(place: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in place[1:]) or str(place[0])


def _value(fault: dict[str, Any]) -> str:
    given = fault.get("input")
    in_body = fault["loc"][0] == "body"
    return "" if given is None or in_body else f" {str(given)[:80]!r}"


def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - how Starlette calls it
    if error.status_code < _CLIENT_ERROR:
        return Response(status_code=error.status_code, headers=error.headers)
    detail = error.detail
    phrase = HTTPStatus(error.status_code).phrase
    if error.status_code == 404 and detail == phrase:
        detail = say("Nothing found at {path}.", path=request.url.path)
    code = "too_large" if error.status_code == 413 else phrase.lower().replace(" ", "_").replace("-", "_")
    response = _respond(request, _Error(error.status_code, code, detail))
    response.headers.update(error.headers or {})
    return response


def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - how Starlette calls it
    field = _name(error.errors()[0]["loc"])
    return _respond(request, _Error(422, "invalid", _describe(error), field))


def _on_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)  # noqa: S101 - how Starlette calls it
    response = _respond(request, _Error(status_of(error), error.code, str(error), error.field))
    response.headers["Cache-Control"] = "no-store"
    if error.kind is RefusalKind.NOT_SIGNED_IN:
        response.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TryAgain):
        response.headers["Retry-After"] = str(error.retry_s)
    return response


def _on_wrong(request: Request, error: Exception) -> Response:
    """Answer for a name or number that does not exist: in the address of what is read, in the body of what is written."""
    if request.method in {"GET", "HEAD"}:
        return _respond(request, _Error(404, "unknown", str(error)))
    return _respond(request, _Error(422, "invalid", str(error)))


def _on_unreadable(request: Request, error: Exception) -> Response:
    """Answer for a record that is damaged."""
    _log.error("%s %s: %s", request.method, request.url.path, error)
    return _respond(request, _Error(500, "record_unreadable", str(error)))


def _on_store_down(request: Request, error: Exception) -> Response:
    _log.error("%s %s: the store does not answer", request.method, request.url.path, exc_info=error)
    return _respond(request, _Error(503, "unavailable", mark("The database is not responding.")))


def _on_redis_down(request: Request, error: Exception) -> Response:
    reason = why_refused(error) or f"Redis does not answer: {error}"
    _log.warning("%s %s: %s", request.method, request.url.path, reason)
    return _respond(request, _Error(503, "unavailable", mark("Redis is not responding.")))


def _on_any(request: Request, error: Exception) -> Response:
    _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    shown = _Error(500, "internal", mark("The server had an internal error; you did nothing wrong."))
    response = _respond(request, shown)
    # Starlette answers this one outside of all middleware.
    response.headers.update({**headers_of(request.url.scheme), HEADER: id_of(request)})
    return response


def install(app: FastAPI) -> None:
    """Install the handlers of all errors in an app."""
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(Refusal, _on_refused)
    app.add_exception_handler(UsageError, _on_wrong)
    app.add_exception_handler(RecordUnreadable, _on_unreadable)
    app.add_exception_handler(OperationalError, _on_store_down)
    app.add_exception_handler(RedisError, _on_redis_down)
    app.add_exception_handler(Exception, _on_any)
