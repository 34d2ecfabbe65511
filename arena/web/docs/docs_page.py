"""The docs: an index, a page for each, the rules of the games in the reader's language, and what they show."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response

from arena.core.translatable import say
from arena.games import registry
from arena.web.docs import docs_index, docs_search, markdown_documents
from arena.web.http.path_parameters import GameId
from arena.web.ui.languages import LANGUAGES, choose, mark
from arena.web.ui.templating import render

_DAY_S = 86400

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def index(request: Request) -> Response:
    """List the docs."""
    return render(
        request,
        "docs.html",
        query="",
        longest=docs_search.LONGEST_QUERY,
        groups=docs_index.groups(choose(request)),
    )


@router.get("/docs/search")
def search(
    request: Request,
    q: Annotated[str, Query(description="Words to look for.", max_length=docs_search.LONGEST_QUERY)] = "",
) -> Response:
    """Show which sections of the docs and rules have the words."""
    return render(
        request,
        "docs_search.html",
        query=q,
        answer=docs_search.search(q, choose(request)),
        longest=docs_search.LONGEST_QUERY,
    )


@router.get("/docs/{name}")
def show(request: Request, name: Annotated[str, Path(description="The page's name.")]) -> Response:
    """Show a page of the docs."""
    try:
        document = markdown_documents.document(name)
    except KeyError:
        raise HTTPException(404, say("There is no page {name}; see /docs for the list.", name=name)) from None
    return _render(
        request,
        document,
        address=f"/docs/{name}",
        written_in="en",
        game=None,
        others={},
        json=f"/api/v1/docs/{name}",
        trail=[("/docs", mark("Docs"))],
    )


@router.get("/games/{game_id}/rules")
def show_rules(
    request: Request,
    game_id: GameId,
    language: Annotated[str | None, Query(description="Another language than the reader's.")] = None,
) -> Response:
    """Show the rules of a game."""
    game = registry.find(game_id)
    if language is not None and language not in LANGUAGES:
        raise HTTPException(
            404,
            say(
                "language {language!r}: the rules are available in {languages}",
                language=language[:20],
                languages=", ".join(LANGUAGES),
            ),
        )
    document = markdown_documents.rules(game_id, language or choose(request))
    written_in = document.language
    others = [code for code in markdown_documents.rules_languages(game_id) if code != written_in]
    return _render(
        request,
        document,
        address=f"/games/{game_id}/rules",
        written_in=written_in,
        game=game,
        others={code: LANGUAGES[code] for code in others},
        json=f"/api/v1/docs/games/{game_id}?language={written_in}",
        trail=[("/games", mark("Games")), (f"/games/{game_id}", game.title)],
    )


def _render(request: Request, document: markdown_documents.Document, **context: Any) -> Response:  # noqa: ANN401 - as those of render
    """Show a document with the menu of all, its contents, and the pages before and after it."""
    language = choose(request)
    before, after = docs_index.neighbours(context["address"], language)
    return render(
        request,
        "doc.html",
        query="",
        longest=docs_search.LONGEST_QUERY,
        document=document,
        groups=docs_index.groups(language),
        before=before,
        after=after,
        **context,
    )


def _media_type(name: str) -> str | None:
    """Return the media type of a file; Python 3.11 does not know WebP by itself."""
    return "image/webp" if name.endswith(".webp") else mimetypes.guess_type(name)[0]


@router.get("/docs/{folder}/{name}")
def serve(request: Request, folder: str, name: str) -> Response:
    """Serve a picture or a record that a page of the docs shows."""
    try:
        body, etag = _files(folder)[name]
    except KeyError:
        raise HTTPException(404, say("There is no file {name}.", name=name)) from None
    headers = {"Cache-Control": f"public, max-age={_DAY_S}", "ETag": etag}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=_media_type(name), headers=headers)


@cache
def _files(folder: str) -> dict[str, tuple[bytes, str]]:
    """Read the files of a kind once.  Raises KeyError for a kind that is not served."""
    bodies = {name: path.read_bytes() for name, path in markdown_documents.files(folder).items()}
    return {name: (body, f'"{hashlib.sha256(body).hexdigest()[:16]}"') for name, body in bodies.items()}
