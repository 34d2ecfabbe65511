"""The Jinja environment: what every template may call, and how a page becomes an answer."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

from fastapi import Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arena.games.registry import GAMES
from arena.web import assets, filters

_GAMES = Path(__file__).parent.parent / "games"


def _navigation(path: str) -> list[tuple[bool, str, str]]:
    """Name the main addresses: whether the page lies under it, the address, its label."""
    entries = [("/tournaments", "Tournaments")]
    entries += [(f"/games/{game.id}", game.title) for game in GAMES.values()]
    entries += [("/sdk", "Write a bot"), ("/reference", "API")]
    return [(path == address or path.startswith(f"{address}/"), address, label) for address, label in entries]


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader([Path(__file__).parent / "templates", _GAMES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters.FILTERS)
    environment.globals.update(static=assets.address, navigation=_navigation, version=version("bot-arena"))
    return environment


_ENVIRONMENT = _environment()


def render(request: Request, template: str, *, status: int = 200, **context: object) -> Response:
    """Render a page once; a browser that has this very page already is told so (304)."""
    body = _ENVIRONMENT.get_template(template).render(path=request.url.path, **context).encode()
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"Cache-Control": "no-cache", "ETag": etag}
    if status == 200 and request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers, "text/html; charset=utf-8")
