"""The switch between languages: it sets a cookie and gives the page back from which it was pressed."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, HTTPException, Response

from arena.core.translatable import say
from arena.web.auth.api_auth import check_origin
from arena.web.auth.page_auth import inside, see_other
from arena.web.ui.languages import COOKIE, LANGUAGES

_YEAR_S = 365 * 86400

router = APIRouter(include_in_schema=False)


@router.post("/language", dependencies=[Depends(check_origin)])
async def switch(
    language: Annotated[str, Form(max_length=20)], back: Annotated[str, Form(max_length=2000)] = "/"
) -> Response:
    """Answer this browser in a language from now on."""
    if language not in LANGUAGES:
        raise HTTPException(
            422,
            say(
                "language {language!r}: we have {languages}",
                language=language,
                languages=", ".join(LANGUAGES),
            ),
        )
    response = see_other(inside(back))
    response.set_cookie(COOKIE, language, max_age=_YEAR_S, samesite="lax", httponly=True)
    return response
