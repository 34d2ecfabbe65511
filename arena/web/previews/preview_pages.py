"""Preview cards of matches, tournaments and bots: the public part of their pages, as PNG.

store ──page──▶ template (SVG) ──rasterizer──▶ PNG        1200 by 630 pixels, as Open Graph has it

An open match shows its final position, drawn by the game's `board/preview.svg` from the public view.  A match that is not open
yet has the same card for every deal: names, and a picture of the game.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from markupsafe import Markup

from arena.games import registry
from arena.reports import bot_profiles, match_views, tournaments
from arena.reports.match_details import MatchPage
from arena.web.boards import public_scene
from arena.web.bots.bot_page import BotName
from arena.web.http.path_parameters import GameId, MatchNumber, SetNumber, TheStore, TournamentId
from arena.web.http.rate_limits import PREVIEWS, TheAddress, TheRates
from arena.web.http.security_headers import FRAMED_POLICY
from arena.web.matches.opened_records import open_match
from arena.web.matches.stepper import Course
from arena.web.previews.fitting import fit
from arena.web.previews.rasterizer import Rasterizer, TheRasterizer
from arena.web.responses.response_cache import CACHED
from arena.web.ui.game_titles import TITLES
from arena.web.ui.languages import choose
from arena.web.ui.templating import fragment

WIDTH, HEIGHT = 1200, 630
_ROWS = 7
_MAX_AGE_S = 300

router = APIRouter(dependencies=[CACHED], include_in_schema=False)


@router.get("/preview/matches/{tournament_id}/{set_number}/{match_number}.png")
async def show_match(
    request: Request,
    store: TheStore,
    rates: TheRates,
    address: TheAddress,
    rasterizer: TheRasterizer,
    tournament_id: TournamentId,
    set_number: SetNumber,
    match_number: MatchNumber,
) -> Response:
    """Show how an open match ended; of any other, who plays it."""

    def draw() -> str:
        match = match_views.page(store, tournament_id, set_number, match_number)
        return draw_match(match, open_match(match).course, choose(request))

    return await _answer(request, await run_in_threadpool(draw), rasterizer, rates, address)


@router.get("/preview/tournaments/{tournament_id}.png")
async def show_tournament(
    request: Request,
    store: TheStore,
    rates: TheRates,
    address: TheAddress,
    rasterizer: TheRasterizer,
    tournament_id: TournamentId,
) -> Response:
    """Show the top of a tournament's standings."""

    def draw() -> str:
        page = tournaments.page(store, tournament_id)
        return _draw("preview_tournament.html", page.game, choose(request), tournament=page, rows=_ROWS)

    return await _answer(request, await run_in_threadpool(draw), rasterizer, rates, address)


@router.get("/preview/bots/{game_id}/{name}.png")
async def show_bot(
    request: Request,
    store: TheStore,
    rates: TheRates,
    address: TheAddress,
    rasterizer: TheRasterizer,
    game_id: GameId,
    name: BotName,
) -> Response:
    """Show a bot's Elo in its pools."""

    def draw() -> str:
        profile = bot_profiles.read(store, game_id, name)
        return _draw("preview_bot.html", profile.game, choose(request), bot=profile, rows=4)

    return await _answer(request, await run_in_threadpool(draw), rasterizer, rates, address)


def draw_match(match: MatchPage, course: Course | None, language: str) -> str:
    """Draw the card of a match as SVG: its final position if there is a course, else the neutral card."""
    board = None
    if course is not None:
        board = draw_position(match.game, course.replay.points[-1].state, course.names, language)
    return _draw(
        "preview_match.html",
        match.game,
        language,
        match=match,
        is_open=match.state == "finished",
        opens=match.state in ("open", "hidden"),
        board=board,
    )


def draw_position(
    game: str,
    state: Any,  # noqa: ANN401 - each game has its own state
    names: Sequence[str],
    language: str,
) -> Markup | None:
    """Draw the public view of a position; None for a game that has no `preview.svg`."""
    package = registry.package(game)
    if package.drawing is None or not package.read("preview.svg"):
        return None
    scene = public_scene(game, state, names)
    return fragment(
        f"{game}/preview.svg",
        language,
        scene=scene,
        tint=tint,
        pieces=Markup(package.read("pieces.svg")),  # noqa: S704 - a game's own file
        **package.drawing.details(scene),
    )


def _draw(template: str, game: str, language: str, **context: object) -> str:
    return fragment(
        template, language, title=TITLES[game], picture_of=_picture(game), fit=fit, tint=tint, **context
    )


async def _answer(
    request: Request, svg: str, rasterizer: Rasterizer, rates: TheRates, address: str
) -> Response:
    body = rasterizer.find(svg)
    if body is None:
        await rates.take_from(PREVIEWS, address)
        body = await rasterizer.draw(svg)
    etag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {
        "Cache-Control": f"public, max-age={_MAX_AGE_S}",
        "Content-Security-Policy": FRAMED_POLICY,  # other sites may show it
        "ETag": etag,
        "Vary": "Accept-Language, Cookie",
    }
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="image/png", headers=headers)


@lru_cache
def _picture(game: str) -> str:
    """Return a game's picture as the address of an image, empty if it has none."""
    path = registry.package(game).docs / "board.webp"
    return f"data:image/webp;base64,{base64.b64encode(path.read_bytes()).decode()}" if path.exists() else ""


def tint(colour: str, share: float, other: str) -> str:
    """Mix two colours, `#rrggbb`: a share of the first, the rest of the other."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)
