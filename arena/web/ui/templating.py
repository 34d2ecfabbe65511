"""The Jinja environment: what every template may call, and how a page becomes an answer."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

from fastapi import Request, Response
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup

import arena.web
from arena.core.release import release
from arena.games import registry
from arena.web.auth.page_auth import Viewer, viewer_of
from arena.web.ui import static_assets, svg_filters, template_filters
from arena.web.ui.languages import LANGUAGES, catalogue, choose, mark
from arena.web.ui.locale_format import Writing

_WEB = Path(arena.web.__file__).parent
_LOADER = ChoiceLoader(
    [
        FileSystemLoader(sorted(_WEB.glob("*/templates"))),
        PrefixLoader({game: FileSystemLoader(each.board) for game, each in registry.PACKAGES.items()}),
    ]
)
"""Where templates lie: each part of the site has a folder of them, each game its board (`<game>/board.html`)."""


_SPACES = re.compile(r"[ \n]{2,}")

_SECTIONS = (
    ("/live", mark("Live")),
    ("/play", mark("Play")),
    ("/tournaments", mark("Tournaments")),
    ("/games", mark("Games")),
    ("/docs", mark("Docs")),
    ("/sdk", mark("Write a bot")),
    ("/reference", mark("API")),
)


_FOR_SOME = (
    ("tournaments", "/organise", mark("Organise")),
    ("admin", "/admin", mark("Admin")),
)
"""Sections that only those see who have the scope."""


def _navigation(path: str, viewer: Viewer | None) -> list[tuple[bool, str, str]]:
    """List the sections: whether the page is in it, the address, the label."""
    own = [
        (address, label) for scope, address, label in _FOR_SOME if viewer is not None and viewer.may(scope)
    ]
    return [
        (path == address or path.startswith(f"{address}/"), address, label)
        for address, label in (*_SECTIONS, *own)
    ]


def _picture(game: str) -> Markup:
    """Return a game's picture; empty if it has none, or is no longer here."""
    picture = registry.package(game).read("picture.svg") if game in registry.PACKAGES else ""
    return Markup(picture)  # noqa: S704 - a game's own file


@cache
def _environment(language: str) -> Environment:
    """Return a language's environment, made when the first page is shown in it: reading a catalogue takes long."""
    environment = Environment(
        extensions=["jinja2.ext.i18n"],
        loader=_LOADER,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    translations = catalogue(language)
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters.update(
        template_filters.FILTERS | svg_filters.FILTERS | Writing(language, translations).filters()
    )
    environment.globals.update(static=static_assets.address, navigation=_navigation, version=release())
    environment.globals.update(
        has_charts=static_assets.has_charts(), has_reference=static_assets.has_reference()
    )
    environment.globals.update(
        picture=_picture, board_sheets=static_assets.board_sheets, themed=static_assets.themed
    )
    environment.globals.update(language=language, languages=LANGUAGES)
    # Methods of the extension are invisible to a type checker.
    environment.install_gettext_translations(translations, newstyle=True)  # type: ignore[attr-defined]
    return environment


def fragment(template: str, language: str, **context: object) -> Markup:
    """Render a part of a page, its white space run together.  Raises KeyError for a language that is not in LANGUAGES."""
    text = _environment(language).get_template(template).render(**context)
    return run_together(text)


def run_together(text: str) -> Markup:
    """Write each run of white space as one character, as browsers show it: the indentation of templates is a twentieth of a board."""
    return Markup(_SPACES.sub("\n", text))  # noqa: S704 - the template has escaped it


def render(request: Request, template: str, *, status: int = 200, **context: object) -> Response:
    """Render a page once, in the request's language; a browser that has this very page already gets a 304."""
    language = choose(request)
    environment = _environment(language)
    viewer = viewer_of(request)
    address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    page = environment.get_template(template).render(
        path=request.url.path,
        site=str(request.base_url).rstrip("/"),
        address_here=address,
        viewer=viewer,
        **context,
    )
    return _answer(request, page, language, status)


def render_part(request: Request, template: str, **context: object) -> Response:
    """Render a part of a page that a script asks for, in the request's language, as `render` does a page."""
    language = choose(request)
    return _answer(request, fragment(template, language, **context), language)


def _answer(request: Request, page: str, language: str, status: int = 200) -> Response:
    viewer = viewer_of(request)
    body = page.encode()
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
    # A page for one person stays in that person's browser.
    control = "no-cache" if viewer is None else "private, no-cache"
    headers = {"Cache-Control": control, "ETag": etag, "Vary": "Accept-Language, Cookie"}
    headers["Content-Language"] = language
    if status == 200 and request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers, "text/html; charset=utf-8")
