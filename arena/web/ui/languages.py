"""The languages of the pages: English in the templates themselves, others in the catalogues of this folder and of the games' folders.

    locale/es.po                        message of a template → its translation; a message without one stays English
    arena/games/<game>/locale/es.po     the same of what the game says

A browser is answered in the language of its cookie, which the switch sets, else in the first it asks for that we have.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel import negotiate_locale
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from arena.core.translatable import mark
from arena.games.registry import PACKAGES

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["COOKIE", "FOLDER", "LANGUAGES", "catalogue", "choose", "mark", "read_catalogue"]

LANGUAGES = {"en": "English", "es": "Español"}
"""Code → the language's own name; the first is that of the templates."""

COOKIE = "arena_language"
_ENGLISH = next(iter(LANGUAGES))
FOLDER = Path(__file__).parent / "locale"
"""Where the site's own catalogues are."""


@cache
def catalogue(language: str) -> NullTranslations:
    """Read a language's catalogues, those of the games with it.  Raises KeyError for a language that is not in LANGUAGES.

    Where several translate one message, the site's translation counts, else that of the first game.
    """
    if LANGUAGES[language] == LANGUAGES[_ENGLISH]:
        return NullTranslations()
    merged = read_catalogue(FOLDER / f"{language}.po", language)
    for package in PACKAGES.values():
        for message in read_catalogue(package.catalogue(language), language):
            if message.id and merged.get(message.id, message.context) is None:
                merged.add(message.id, message.string, context=message.context)
    packed = BytesIO()
    write_mo(packed, merged)
    packed.seek(0)
    return GNUTranslations(packed)


def read_catalogue(path: Path, language: str) -> Catalog:
    """Read a file of translations; one that is not there is empty."""
    if not path.is_file():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def choose(request: Request) -> str:
    """Return the language that a request is to be answered in."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    wanted = [_tag(part) for part in request.headers.get("accept-language", "").split(",")]
    return (
        negotiate_locale([tag for _, tag in sorted(wanted, reverse=True)], list(LANGUAGES), sep="-")
        or _ENGLISH
    )


def _tag(part: str) -> tuple[float, str]:
    """Read `es-MX;q=0.8`: its weight and tag; what cannot be read weighs nothing."""
    tag, _, weight = part.partition(";")
    try:
        return float(weight.strip().removeprefix("q=") or 1), tag.strip()
    except ValueError:
        return 0.0, tag.strip()
