"""The reference of the JSON API: RapiDoc draws the OpenAPI document; without scripts there is a list of the operations."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from arena.web.http import openapi_document
from arena.web.http.code_samples import BASE
from arena.web.http.security_headers import STYLED_POLICY
from arena.web.responses.response_cache import CACHED
from arena.web.ui.templating import render

router = APIRouter(dependencies=[CACHED], include_in_schema=False)


@router.get("/reference")
def show(request: Request) -> Response:
    """Show the reference."""
    document = request.app.openapi()
    groups = {tag["name"]: (tag["description"], list[tuple[str, str, str]]()) for tag in document["tags"]}
    for method, path, operation in openapi_document.operations(document):
        groups[operation["tags"][0]][1].append((method, path, operation["summary"]))
    answer = render(request, "reference.html", groups=groups, document=openapi_document.ADDRESS, example=BASE)
    answer.headers["Content-Security-Policy"] = STYLED_POLICY
    return answer
