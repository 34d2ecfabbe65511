"""Static files, held in memory and named by their content, so that a browser may keep them for ever.

style.css ──▶ /static/style-3f9a0c1b2d4e.css      a new content is a new address

Ours lie in `static`; the charts' library and the renderer of the API reference are npm's (`npm/package-lock.json`), and pages do
without them where they are not there.
Each game brings the style sheet of its board (`board/board.css`), which is served inside of the game's own scope.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import mimetypes
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response

import arena.web.ui
from arena.core.translatable import say
from arena.games import registry

_log = logging.getLogger(__name__)

_UI = Path(arena.web.ui.__file__).parent
_FOLDER = _UI / "static"
_PACKAGES = _UI / "npm" / "node_modules"
CHARTS = ("uplot/dist/uPlot.iife.min.js", "uplot/dist/uPlot.min.css")
"""The files of npm's packages that the charts need."""
REFERENCE = ("rapidoc/dist/rapidoc-min.js",)
"""The renderer of the API reference: 213 KB compressed, which that page alone loads, once for each release of it."""

_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file."""

    address: str
    media_type: str
    body: bytes
    etag: str


def _load(name: str, body: bytes) -> Asset:
    digest = hashlib.sha256(body).hexdigest()[:12]
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if media_type.startswith("text/"):
        media_type += "; charset=utf-8"
    stem, dot, suffix = name.rpartition(".")
    address = f"{stem}-{digest}{dot}{suffix}"
    return Asset(address, media_type, body, f'"{digest}"')


def _files() -> list[Path]:
    packages = ([_PACKAGES / name for name in names] for names in (CHARTS, REFERENCE))
    complete = (files for files in packages if all(path.exists() for path in files))
    return [*sorted(_FOLDER.iterdir()), *chain.from_iterable(complete)]


def board_style(game: str) -> str:
    """Return the style sheet of a game's board, in its scope: nothing in it reaches another game; empty if it has none."""
    style = registry.package(game).read("board.css")
    return f".board-{game} {{\n{style}}}\n" if style else ""


_BOARD_STYLES = {game: f"board-{game}.css" for game in registry.GAMES if board_style(game)}

_ASSETS = {path.name: _load(path.name, path.read_bytes()) for path in _files()} | {
    name: _load(name, board_style(game).encode()) for game, name in _BOARD_STYLES.items()
}
_DARK = "@media (prefers-color-scheme: dark)"
THEMES = {"light": "@media not all", "dark": "@media all"}
"""Theme → the media query that replaces the one for a dark system."""

_THEMED = {
    (theme, name): _load(f"{theme}-{name}", asset.body.replace(_DARK.encode(), condition.encode()))
    for theme, condition in THEMES.items()
    for name, asset in _ASSETS.items()
    if _DARK.encode() in asset.body and name.endswith(".css")
}
_ASSETS |= {f"{theme}-{name}": asset for (theme, name), asset in _THEMED.items()}
_BY_ADDRESS = {asset.address: asset for asset in _ASSETS.values()}


@cache
def _pack(asset: Asset) -> bytes:
    """Return a file as it goes over the wire, compressed at its first request."""
    return gzip.compress(asset.body, mtime=0)


def address(name: str) -> str:
    """Return the path at which a static file is served.  Raises KeyError for a file that is not there."""
    return f"/static/{_ASSETS[name].address}"


def find(path: str) -> Asset | None:
    """Return the static file that is served at a path, None if there is none."""
    return _BY_ADDRESS.get(path.removeprefix("/static/"))


def themed(name: str, theme: str) -> str:
    """Return the path of a style sheet in a theme: `light`, `dark`, or any other for what the reader's system says."""
    return address(f"{theme}-{name}" if (theme, name) in _THEMED else name)


def board_sheets(*games: str, theme: str = "auto") -> list[str]:
    """Return the paths of the style sheets that the boards of some games need, in their order."""
    own = [_BOARD_STYLES[game] for game in games if game in _BOARD_STYLES]
    return [themed(name, theme) for name in ("tokens-boards.css", "boards.css", *own)]


def has_charts() -> bool:
    """Return whether the charts' library is there."""
    return Path(CHARTS[0]).name in _ASSETS


def has_reference() -> bool:
    """Return whether the renderer of the API reference is there."""
    return Path(REFERENCE[0]).name in _ASSETS


def warn_if_charts_are_missing() -> None:
    """Log once that pages have no charts, and what brings them."""
    if not has_charts():
        _log.warning("pages have tables and no charts: `make setup` fetches their library into %s", _PACKAGES)


router = APIRouter(include_in_schema=False)


@router.get("/static/{name}")
async def serve(request: Request, name: str) -> Response:
    """Serve a static file."""
    asset = find(name)
    if asset is None:
        raise HTTPException(404, say("There is no file {name}.", name=name))
    headers = {"Cache-Control": _FOR_EVER, "ETag": asset.etag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(_pack(asset), media_type=asset.media_type, headers=headers)
    return Response(asset.body, media_type=asset.media_type, headers=headers)


@router.get("/favicon.ico")
async def favicon() -> Response:
    """Serve the icon where browsers look for it unasked."""
    asset = _ASSETS["icon.svg"]
    return Response(
        asset.body, media_type=asset.media_type, headers={"Cache-Control": "public, max-age=86400"}
    )
