"""The messages of the pages: found in templates and Python, held against the catalogues, written into them.

`make messages` adds to the catalogues what is new, empty, and takes out what is no longer there.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TypeAlias

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

import arena
from arena.web.languages import FOLDER, LANGUAGES

_ARENA = Path(arena.__file__).parent
_METHODS = [("v1/**", "ignore"), ("**.py", "python"), ("**.html", "jinja2")]
_OPTIONS = {"**.html": {"trimmed": "true", "silent": "false"}}
_KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "_": None,
    "gettext": None,
    "mark": None,
    "ngettext": (1, 2),
    "say": None,
    "say_many": (1, 2),
}

_Id: TypeAlias = "str | tuple[str, ...]"


def extract() -> Catalog:
    """Collect all messages, each with the files that it is in."""
    found = Catalog(charset="utf-8", fuzzy=False)
    for file, _, message, _, _ in extract_from_dir(_ARENA, _METHODS, _OPTIONS, _KEYWORDS):
        found.add(message, locations=[(f"arena/{file}", 0)])
    for path in sorted(_ARENA.rglob("*.html")):
        for nouns in _counted(path):
            found.add(nouns, locations=[(f"arena/{path.relative_to(_ARENA)}", 0)])
    return found


def read(language: str) -> Catalog:
    """Read a language's catalogue."""
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def lacking(language: str) -> list[_Id]:
    """List the messages that a catalogue lacks, has untranslated, or marks as unsure."""
    known = read(language)
    return [
        each.id
        for each in extract()
        if each.id and not ((has := known.get(each.id)) and _is_sure(has.string) and not has.fuzzy)
    ]


def unused(language: str) -> list[_Id]:
    """List what a catalogue has although nothing says it any more."""
    found = extract()
    return [each.id for each in read(language) if each.id and found.get(each.id) is None]


def update(language: str) -> None:
    """Bring a catalogue to the messages as they are now; translations stay."""
    known, found = read(language), extract()
    fresh = Catalog(locale=language, charset="utf-8", fuzzy=False)
    for each in found:
        if each.id:
            has = known.get(each.id)
            fresh.add(each.id, has.string if has else None, locations=each.locations)
    written = BytesIO()
    write_po(written, fresh, width=0, sort_by_file=True, include_lineno=False, omit_header=True)
    (FOLDER / f"{language}.po").write_bytes(_head(language).encode() + written.getvalue())


def _counted(path: Path) -> Iterator[tuple[str, str]]:
    """Find the nouns of the filter `plural`: its first argument, and the second or the first with an s."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    for node in environment.parse(path.read_text()).find_all(nodes.Filter):
        if node.name == "plural":
            words = [each.value for each in node.args if isinstance(each, nodes.Const)]
            yield words[0], words[1] if len(words) > 1 else f"{words[0]}s"


def _is_sure(string: str | tuple[str, ...] | list[str]) -> bool:
    return bool(string) if isinstance(string, str) else bool(string) and all(string)


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
