"""The languages of the pages: English in the templates themselves, others in catalogues beside this file.

    locale/es.po      message of a template → its translation; a message without one stays English

A browser is answered in the language of its cookie, which the switch sets, else in the first it asks for that we have.
"""

from __future__ import annotations

from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from arena.core.translatable import mark

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["COOKIE", "FOLDER", "LANGUAGES", "catalogue", "choose", "mark"]

LANGUAGES = {"en": "English", "es": "Español"}
"""Code → the language's own name; the first is that of the templates."""

COOKIE = "arena_language"
_ENGLISH = next(iter(LANGUAGES))
FOLDER = Path(__file__).parent / "locale"
"""Where the catalogues are."""


def catalogue(language: str) -> NullTranslations:
    """Read a language's catalogue.  Raises KeyError for a language that is not in LANGUAGES."""
    if LANGUAGES[language] == LANGUAGES[_ENGLISH]:
        return NullTranslations()
    packed = BytesIO()
    with (FOLDER / f"{language}.po").open("rb") as file:
        write_mo(packed, read_po(file, locale=language))
    packed.seek(0)
    return GNUTranslations(packed)


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
