"""The docs: an index, a page for each, the rules of the games in the reader's language, and what they show."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response

from arena.core.translatable import say
from arena.games import registry
from arena.games.registry import GAMES
from arena.web.docs import docs_search, markdown_documents
from arena.web.http.path_parameters import GameId
from arena.web.ui.languages import LANGUAGES, choose, mark
from arena.web.ui.templating import render

_SHELVES = (
    (
        mark("For everyone"),
        (
            ("start", mark("What Bot Arena is, and how to run your own in a minute.")),
            ("glossary", mark("The project's terms, one meaning each.")),
            ("ratings", mark("How ratings and error bars are computed, and how to reproduce them.")),
            ("record", mark("The format of match records, and how to verify them independently.")),
        ),
    ),
    (
        mark("For authors of bots"),
        (
            (
                "bots",
                mark(
                    "Write a bot in Python or TypeScript, from the first line to the arena; the house bots."
                ),
            ),
            ("go", mark("Write a bot in Go: a project, the whole program, how to build and submit it.")),
            ("adapting", mark("Adapt a bot that was written for another framework, with an example.")),
            ("protocol", mark("The wire protocol, for any other language.")),
            (
                "learning",
                mark("Train a bot: environments for learners, matches in bulk, data sets, a script."),
            ),
        ),
    ),
    (
        mark("For organisers"),
        (
            ("organising", mark("Formats, stop rules, ladders, the life of a tournament, suspensions.")),
            ("commands", mark("Every command and option.")),
            ("api", mark("The JSON API, its error codes, and the Python client.")),
        ),
    ),
    (
        mark("For operators"),
        (
            ("operating", mark("Run an arena on one machine: what it checks by itself, what to watch.")),
            ("settings", mark("Every setting, with its default.")),
            ("people", mark("Accounts and rights, the admin pages, uploads, bots that run elsewhere.")),
            ("store", mark("PostgreSQL, backups, recovery, and what is deleted when.")),
            ("deployment", mark("Several machines, systemd, a proxy, TLS.")),
            ("limits", mark("What clients and bots may use, and how much an arena can play.")),
            ("many-machines", mark("From one machine to many, step by step, up to Kubernetes.")),
            ("monitoring", mark("Metrics, health checks and ports, and what each part's readiness means.")),
            ("runbook", mark("What to do when an alert fires.")),
            ("containers", mark("Container images, compose, and what sandboxes need in a container.")),
            ("logging", mark("What the parts log, in which format, and which fields a line has.")),
            (
                "sandbox",
                mark("Set up the sandbox; what a hosted bot can reach, and which side channels were tested."),
            ),
            (
                "upgrading",
                mark("How to install a new release, on one machine, or on several without downtime."),
            ),
            (
                "versioning",
                mark("What each version number promises, and what an update requires."),
            ),
        ),
    ),
    (
        mark("For developers"),
        (
            ("architecture", mark("The components, how they talk to each other, and why.")),
            ("architecture-referee", mark("Sandboxes, clocks, and where the time of a decision goes.")),
            ("architecture-tournaments", mark("Matches, deals, decisions, uploads, absent bots.")),
            ("architecture-insights", mark("Chances to win, drama and playing styles.")),
            ("architecture-web", mark("Rights, languages, the cache, boards, live pages.")),
            (
                "recipes",
                mark("Add a page, a command, a setting, a metric, an alert; change the wire or the schema."),
            ),
            ("adding-a-game", mark("From an empty folder to a game that is played, rated and drawn.")),
            (
                "testing",
                mark("Hostile bots, the strength of house bots, and a deployment broken on purpose."),
            ),
            ("releasing", mark("From the last commit to a published release.")),
        ),
    ),
)
"""The index of the docs: the section and the subject of each page."""

_DAY_S = 86400

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def index(request: Request) -> Response:
    """List the docs."""
    language = choose(request)
    shelves = [
        (label, [(name, markdown_documents.document(name).title, about) for name, about in pages])
        for label, pages in _SHELVES
    ]
    return render(
        request,
        "docs.html",
        query="",
        longest=docs_search.LONGEST_QUERY,
        shelves=shelves,
        games=[(f"/games/{game}/rules", markdown_documents.rules(game, language)) for game in GAMES],
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
        found=docs_search.search(q, choose(request)),
        longest=docs_search.LONGEST_QUERY,
    )


@router.get("/docs/{name}")
def show(request: Request, name: Annotated[str, Path(description="The page's name.")]) -> Response:
    """Show a page of the docs."""
    try:
        document = markdown_documents.document(name)
    except KeyError:
        raise HTTPException(404, say("There is no page {name}; see /docs for the list.", name=name)) from None
    return render(
        request,
        "doc.html",
        query="",
        longest=docs_search.LONGEST_QUERY,
        document=document,
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
    return render(
        request,
        "doc.html",
        query="",
        longest=docs_search.LONGEST_QUERY,
        document=document,
        written_in=written_in,
        game=game,
        others={code: LANGUAGES[code] for code in others},
        json=f"/api/v1/docs/games/{game_id}?language={written_in}",
        trail=[("/games", mark("Games")), (f"/games/{game_id}", game.title)],
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
