"""The messages of the pages: found in templates and Python, held against the catalogues, written into them.

`make messages` adds to the catalogues what is new, empty, and takes out what is no longer there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

import arena
from arena.web.ui.languages import FOLDER, LANGUAGES

_ARENA = Path(arena.__file__).parent
_METHODS = [
    *((f"{folder}/**", "ignore") for folder in ("v1", "cli", "supervisor")),
    ("**.py", "python"),
    ("**.html", "jinja2"),
]
"""What is said elsewhere than on pages stays English."""
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
"""What stands in a message for something else, and its HTML."""

_Text: TypeAlias = "str | tuple[str, ...] | list[str] | None"
"""A message or its translation; of one that counts all forms."""


def extract() -> Catalog:
    """Collect all messages, each with the files that it is in."""
    found = Catalog(charset="utf-8", fuzzy=False)
    for file, _, message, _, context in extract_from_dir(_ARENA, _METHODS, _OPTIONS, _KEYWORDS):
        found.add(message, locations=[(f"arena/{file}", 0)], context=context)
    for path in sorted(_ARENA.rglob("*.html")):
        for nouns in _counted(path):
            found.add(nouns, locations=[(f"arena/{path.relative_to(_ARENA)}", 0)])
    return found


def read(language: str) -> Catalog:
    """Read a language's catalogue."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def lacking(language: str) -> list[_Text]:
    """List the messages that a catalogue lacks, has untranslated, or marks as unsure."""
    known = read(language)
    return [
        each.id
        for each in extract()
        if each.id
        and not ((has := known.get(each.id, each.context)) and _is_there(has.string) and not has.fuzzy)
    ]


def unused(language: str) -> list[_Text]:
    """List what a catalogue has although nothing says it any more."""
    found = extract()
    return [each.id for each in read(language) if each.id and found.get(each.id, each.context) is None]


def misfilled(language: str) -> list[_Text]:
    """List the messages whose translation fills in something else, or has other marks of HTML."""
    return [each.id for each in read(language) if each.id and not _fills_alike(each.id, each.string)]


def _fills_alike(message: _Text, translation: _Text) -> bool:
    """Return whether each form fills in what the message does; a form that counts may leave the number out."""
    wanted = {name for text in _texts(message) for name in _FILLED.findall(text)}
    filled = [set(_FILLED.findall(text)) for text in _texts(translation)]
    return all(names <= wanted for names in filled) and wanted <= set().union(*filled)


def _texts(text: _Text) -> Sequence[str]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def update(language: str) -> None:
    """Bring a catalogue to the messages as they are now; translations stay."""
    known, found = read(language), extract()
    fresh = Catalog(locale=language, charset="utf-8", fuzzy=False)
    for each in sorted(
        (one for one in found if one.id), key=lambda one: (sorted(one.locations), str(one.id))
    ):
        has = known.get(each.id, each.context)
        # What counted and counts no more, or the other way round, is translated anew.
        keeps = has is not None and isinstance(has.id, str) == isinstance(each.id, str)
        translation = has.string if has and keeps else None
        fresh.add(each.id, translation, locations=sorted(each.locations), context=each.context)
    written = BytesIO()
    write_po(written, fresh, width=0, include_lineno=False, omit_header=True)
    (FOLDER / f"{language}.po").write_bytes(_head(language).encode() + written.getvalue())


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


if __name__ == "__main__":
    for code in list(LANGUAGES)[1:]:
        update(code)
        print(f"{code}: {len(lacking(code))} messages without a translation")  # noqa: T201 - a program for developers
