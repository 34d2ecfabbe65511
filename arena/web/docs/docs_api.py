"""The docs and the rules of the games, as Markdown."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import HTTPException, Path, Query

from arena.games import registry
from arena.service.composed_answers import DocsIndex, DocsPage
from arena.web.auth.api_router import api_router
from arena.web.docs import markdown_documents
from arena.web.http.path_parameters import GameId
from arena.web.http.problems import answers

router = api_router(tags=["docs"])


@router.get("/docs", summary="List the docs")
async def list_docs() -> DocsIndex:
    """List the pages of the docs; the rules of a game are at `/api/v1/docs/games/GAME`."""
    return DocsIndex(names=tuple(sorted({"start", *markdown_documents.names()})))


@router.get("/docs/{name}", summary="Show a page of the docs", responses=answers(404, 422))
def show_docs(
    name: Annotated[str, Path(description="The page's name.", examples=["bots"])],
) -> DocsPage:
    """Return a page of the docs, in English."""
    try:
        document = markdown_documents.document(name)
    except KeyError:
        raise HTTPException(404, f"There is no page {name}; /api/v1/docs lists those there are.") from None
    return DocsPage(title=document.title, language="en", markdown=document.source)


@router.get("/docs/games/{game_id}", summary="Show the rules of a game", responses=answers(404, 422))
def show_rules(
    game_id: GameId,
    language: Annotated[Literal["en", "es"], Query(description="The language of the rules.")] = "en",
) -> DocsPage:
    """Return the complete rules of a game, with notation, view and an annotated match."""
    document = markdown_documents.rules(registry.find(game_id).id, language)
    return DocsPage(title=document.title, language=document.language, markdown=document.source)
