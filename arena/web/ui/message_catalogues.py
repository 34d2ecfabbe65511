"""The messages of the pages: found in templates and Python, held against the catalogues, written into them.

The site has a catalogue, and each game one in its folder, which has all that the game says: so two games have no file in
common.  `make messages` adds to the catalogues what is new, empty, and takes out what is no longer there.
`python -m arena.web.ui.message_catalogues arena-game-tichu` does so for one game, by its id or its project's folder.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po
from jinja2 import Environment, nodes

import arena
from arena.games import registry
from arena.web.ui.languages import FOLDER, LANGUAGES, catalogue, read_catalogue

SITE = ""
"""Names what is no game's among the catalogues; a game is named by its id."""

_ARENA = Path(arena.__file__).parent
_SILENT = ("v1", "cli", "supervisor")
"""Folders whose texts are not on pages: they stay English."""
_METHODS = [("**.py", "python"), ("**.html", "jinja2")]
_OPTIONS = {"**.html": {"trimmed": "true", "silent": "false"}}
_KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "mark": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "say": None,
    "say_many": (1, 2),
}

_FILLED = re.compile(r"%\(\w+\)s|{\w+[^}]*}|<[^>]+>")
"""Placeholders and HTML in a message."""

_Text: TypeAlias = "str | tuple[str, ...] | list[str] | None"
"""A message or its translation; of one that counts all forms."""


@cache
def extract(owner: str) -> Catalog:
    """Collect the messages of the site or of a game, each with the files that it is in, relative to the owner's folder."""
    folder, prefix = (_ARENA, "arena/") if owner == SITE else (registry.package(owner).folder, "")
    silent = [*_SILENT, *(f"games/{game}" for game in _ours())] if owner == SITE else []
    methods = [*((f"{each}/**", "ignore") for each in silent), *_METHODS]
    found = Catalog(charset="utf-8", fuzzy=False)
    for file, _, message, _, context in extract_from_dir(folder, methods, _OPTIONS, _KEYWORDS):
        found.add(message, locations=[(f"{prefix}{file}", 0)], context=context)
    for path in sorted(folder.rglob("*.html")):
        place = path.relative_to(folder).as_posix()
        for nouns in [] if place.startswith(tuple(f"{each}/" for each in silent)) else _counted(path):
            found.add(nouns, locations=[(f"{prefix}{place}", 0)])
    return found


def owners() -> tuple[str, ...]:
    """Name the site and the games of this tree: all that `make messages` keeps up."""
    return (SITE, *_ours())


def path(language: str, owner: str) -> Path:
    """Return where a catalogue is."""
    return FOLDER / f"{language}.po" if owner == SITE else registry.package(owner).catalogue(language)


def lacking(language: str, owner: str) -> list[_Text]:
    """List the messages that a catalogue lacks, has untranslated, or marks as unsure."""
    known = read_catalogue(path(language, owner), language)
    return [
        each.id
        for each in extract(owner)
        if each.id
        and not ((has := known.get(each.id, each.context)) and _is_there(has.string) and not has.fuzzy)
    ]


def unused(language: str, owner: str) -> list[_Text]:
    """List what a catalogue has although nothing says it any more."""
    found, known = extract(owner), read_catalogue(path(language, owner), language)
    return [each.id for each in known if each.id and found.get(each.id, each.context) is None]


def misfilled(language: str, owner: str) -> list[_Text]:
    """List the messages whose translation fills in something else, or has other marks of HTML."""
    known = read_catalogue(path(language, owner), language)
    return [each.id for each in known if each.id and not _fills_alike(each.id, each.string)]


def overruled(language: str, owner: str) -> list[_Text]:
    """List the messages for which the pages show another translation, since the site or an earlier game has one."""
    known = read_catalogue(path(language, owner), language)
    return [each.id for each in known if each.id and _texts(each.string)[0] != _shown(language, each)]


def _shown(language: str, message: Message) -> str:
    translations, (one, *many) = catalogue(language), _texts(message.id)
    if many:
        return translations.ngettext(one, many[0], 1)
    return (
        translations.gettext(one) if message.context is None else translations.pgettext(message.context, one)
    )


def _ours() -> tuple[str, ...]:
    """Name the games of this tree."""
    return tuple(game for game, each in registry.PACKAGES.items() if each.folder.is_relative_to(_ARENA))


def _fills_alike(message: _Text, translation: _Text) -> bool:
    """Return whether each form fills in what the message does; a form that counts may leave the number out."""
    wanted = {name for text in _texts(message) for name in _FILLED.findall(text)}
    filled = [set(_FILLED.findall(text)) for text in _texts(translation)]
    return all(names <= wanted for names in filled) and wanted <= set().union(*filled)


def _texts(text: _Text) -> Sequence[str]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def update(language: str, wanted: Sequence[str]) -> None:
    """Bring catalogues to the messages as they are now.

    Translations stay; a message that another catalogue translates already, such as one that has moved, is taken over from it.
    """
    all_owners = dict.fromkeys((*owners(), *wanted))
    before = {each: read_catalogue(path(language, each), language) for each in all_owners}
    for owner in wanted:
        known = [before[owner], *(each for name, each in before.items() if name != owner)]
        target = path(language, owner)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(_head(language).encode() + _written(extract(owner), known, language))


def _written(found: Catalog, known: Sequence[Catalog], language: str) -> bytes:
    fresh = Catalog(locale=language, charset="utf-8", fuzzy=False)
    for each in sorted(
        (one for one in found if one.id), key=lambda one: (sorted(one.locations), str(one.id))
    ):
        # A message that has gained or lost its plural must be translated again.
        has = [
            message
            for one in known
            if (message := one.get(each.id, each.context)) is not None
            and isinstance(message.id, str) == isinstance(each.id, str)
        ]
        translation = has[0].string if has else None
        fresh.add(each.id, translation, locations=sorted(each.locations), context=each.context)
    written = BytesIO()
    write_po(written, fresh, width=0, include_lineno=False, omit_header=True)
    return written.getvalue()


def _counted(path: Path) -> Iterator[tuple[str, str]]:
    """Find the nouns of the filter `plural`: its first argument, and the second or the first with an s."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    for node in environment.parse(path.read_text()).find_all(nodes.Filter):
        if node.name == "plural":
            words = [each.value for each in node.args if isinstance(each, nodes.Const)]
            yield words[0], words[1] if len(words) > 1 else f"{words[0]}s"


def _is_there(translation: _Text) -> bool:
    return bool(_texts(translation)) and all(_texts(translation))


def _head(language: str) -> str:
    lines = (
        f"Language: {language}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        "Plural-Forms: nplurals=2; plural=(n != 1);",
    )
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{line}\\n"\n' for line in lines) + "\n"


def main(wanted: Sequence[str]) -> None:
    """Bring the catalogues of some games, named by id or by their project's folder, or of all in this tree up to date."""
    chosen: list[str] = []
    for name in wanted:
        is_project = Path(name, "pyproject.toml").is_file()
        chosen += registry.add_project(Path(name)) if is_project else (registry.find(name).id,)
    for code in list(LANGUAGES)[1:]:
        update(code, chosen or owners())
        count = sum(len(lacking(code, owner)) for owner in chosen or owners())
        print(f"{code}: {count} messages without a translation")  # noqa: T201 - a program for developers


if __name__ == "__main__":
    main(sys.argv[1:])
