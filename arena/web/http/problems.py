"""The problem documents (RFC 9457) that the JSON API answers with, and what a client can do about each status."""

from __future__ import annotations

from http import HTTPStatus

from pydantic import BaseModel, ConfigDict, Field

_REMEDIES = {
    401: "Send `Authorization: Bearer TOKEN` with a token of yours; `arena login URL` stores one for the command line.",
    403: "Use a token or an account that is allowed to; `GET /api/v1/me` lists the scopes of yours.",
    404: "Check the address, or look for it from the start page: a tournament or match has a page as soon as it is created.",
    405: "The reference at /reference names the methods of each address of the API; pages are read with GET.",
    408: "Send it again over a faster connection.",
    409: "Correct what is named above, then repeat the request.",
    413: "Send less.",
    422: "Correct what is named above, then repeat the request.",
    429: "Wait as long as stated above, then repeat the request.",
    503: "This usually recovers by itself: try again in a few seconds.",
}
_DEFAULT_REMEDY = (
    "Try again; if it stays, tell the organiser what you opened and when: the server's log has the reason."
)


class Problem(BaseModel):
    """A problem document (RFC 9457, application/problem+json)."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "status": 404,
                "code": "unknown",
                "field": "",
                "title": "Not Found",
                "detail": "tournament 99: there is no such tournament",
                "remedy": "Check the address.",
            }
        }
    )

    status: int = Field(description="The HTTP status.")
    code: str = Field(description="The kind of problem, for programs: stable, in snake_case.")
    field: str = Field(description="The part of the request that is wrong; empty if it is no single one.")
    title: str = Field(description="The status in words.")
    detail: str = Field(description="A description: the field, its value, and what would be right.")
    remedy: str = Field(description="What to do next.")
    request_id: str = Field(
        default="", description="The id of the request, 32 hex digits: the server's logs have it, too."
    )


def remedy(status: int) -> str:
    """Return what to do next after an answer with this status."""
    return _REMEDIES.get(status, _DEFAULT_REMEDY)


def answers(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Declare the problems that a route of the API may answer with; `openapi_document` writes down what they look like."""
    return {status: {"description": HTTPStatus(status).phrase} for status in statuses}
