"""Search in the docs and rules: an index of SQLite's FTS5 in memory for each language.

Words are found by their beginnings and, in English, by their stems; titles and headings also by what else people call the same thing.  A word that is nowhere
is replaced by those that are spelt most like it.  The title of a page counts for each of its sections.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from threading import Lock

from markupsafe import Markup, escape

from arena.web.docs import docs_index, markdown_documents

LONGEST_QUERY = 100
"""Characters."""

_MOST_WORDS = 8
_MOST_PAGES = 8
_MOST_SECTIONS = 4
"""Sections of a page that are shown."""
_EXCERPT_WORDS = 32
_WEIGHTS = "12.0, 8.0, 8.0, 1.0"
"""Weights of a word in the page's title, the section's heading, synonyms of these, and the text."""

_WORTH = {"/docs/bots": 1.25, "For developers": 0.4}
"""How much what is found on a page, or in a group of them, counts where not 1: most of those who search write bots."""

_STOP_WORDS = (
    "a an and are as at be by can do does for from how i in is it me my of on or that the there this to what when where which who why will with you"
    " como cómo de del el en es la las los mi para por que qué se un una y"
)
"""Words that are left out of a query that has others."""

_SYNONYMS = (
    ("clock", "timeout", "time control", "time limit"),
    ("elo", "rating", "ratings"),
    ("submit", "upload"),
    ("install", "set up", "setup"),
    ("crash", "fault", "exception"),
    ("docker", "container"),
    ("login", "sign in", "password"),
    ("delete", "remove"),
    ("game", "match"),
    ("deploy", "deployment", "production"),
    ("error bar", "confidence interval"),
    ("api key", "token"),
    ("postgres", "postgresql"),
)
"""Words for the same thing."""

_WORD = re.compile(r"\w+")
_BEGIN, _END = "\x02", "\x03"
"""Marks of a found word, until the rest is escaped."""


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section that was found: its heading and an excerpt, with the words marked."""

    address: str
    heading: Markup
    excerpt: Markup


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page with the sections of it that were found, best first."""

    address: str
    title: Markup
    language: str
    sections: tuple[FoundSection, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query found, best page first, and the words that were looked for in place of unknown ones."""

    pages: tuple[FoundPage, ...] = ()
    corrected: tuple[str, ...] = ()


def search(query: str, language: str) -> Answer:
    """Return the pages whose sections have all words of a query or, if none has, some of them; nothing for a query without words."""
    words = tuple(dict.fromkeys(word.casefold() for word in _WORD.findall(query[:LONGEST_QUERY])))
    wanted = (tuple(word for word in words if word not in _STOP_WORDS.split()) or words)[:_MOST_WORDS]
    if not wanted:
        return Answer()
    return _index(language).search(wanted)


class _Index:
    """The sections of all pages in a language.  Mutable: one thread at a time reads it."""

    def __init__(self, language: str) -> None:
        self._lock = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        stems = "porter " if language == "en" else ""
        self._database.executescript(
            "CREATE VIRTUAL TABLE sections USING fts5("
            "title, heading, synonyms, body, page UNINDEXED, anchor UNINDEXED, language UNINDEXED, worth UNINDEXED,"
            f" tokenize='{stems}unicode61 remove_diacritics 2', prefix='2 3');"
            "CREATE VIRTUAL TABLE words USING fts5vocab(sections, row);"
        )
        self._database.executemany("INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _rows(language))
        self._words = [str(row[0]) for row in self._database.execute("SELECT term FROM words")]

    def search(self, wanted: Sequence[str]) -> Answer:
        """Find pages."""
        with self._lock:
            spelt = [self._known(word) for word in wanted]
            corrected = tuple(
                known[0] for word, known in zip(wanted, spelt, strict=True) if known and known != (word,)
            )
            terms = [_term(known) for known in spelt if known]
            rows = self._rows(" AND ".join(terms)) or self._rows(" OR ".join(terms)) if terms else []
        return Answer(tuple(_grouped(rows)), corrected)

    def _known(self, word: str) -> tuple[str, ...]:
        """Return a word, or those of the index that are spelt most like it if it is not there."""
        if self._database.execute(
            "SELECT 1 FROM sections WHERE sections MATCH ? LIMIT 1", (_term((word,)),)
        ).fetchone():
            return (word,)
        return tuple(get_close_matches(word, self._words, n=3, cutoff=0.7))

    def _rows(self, match: str) -> list[tuple[str, ...]]:
        return self._database.execute(
            "SELECT page, anchor, language, highlight(sections, 0, ?1, ?2), highlight(sections, 1, ?1, ?2),"  # noqa: S608 - constants
            f" snippet(sections, 3, ?1, ?2, ' … ', {_EXCERPT_WORDS})"
            f" FROM sections WHERE sections MATCH ?3 ORDER BY bm25(sections, {_WEIGHTS}) * worth, rowid LIMIT 100",
            (_BEGIN, _END, match),
        ).fetchall()


@cache
def _index(language: str) -> _Index:
    return _Index(language)


def _rows(language: str) -> Iterator[tuple[str | float, ...]]:
    for group in docs_index.groups(language):
        for page in group.pages:
            worth = _WORTH.get(page.address, _WORTH.get(group.label, 1.0))
            document = markdown_documents.at(page.address, language)
            for number, section in enumerate(document.sections):
                # The title has no anchor: the page begins there.
                anchor, heading = (section.anchor, section.heading) if number else ("", "")
                named = f"{document.title} {heading}"
                texts = (document.title, heading, _synonyms(named), section.text)
                yield *texts, page.address, anchor, document.language, worth


def _synonyms(named: str) -> str:
    """Return what else people call the things in a title and heading."""
    words = f" {named.casefold()} "
    found = (group for group in _SYNONYMS if any(f" {each}" in words for each in group))
    return " ".join(each for group in found for each in group if f" {each}" not in words)


def _term(words: Sequence[str]) -> str:
    """Write words as a term of FTS5: any of them, by its beginning."""
    return "(" + " OR ".join(f'"{each}" *' for each in words) + ")"


def _grouped(rows: Sequence[tuple[str, ...]]) -> Iterator[FoundPage]:
    """Put the sections of each page together, pages in the order of their best ones."""
    by_page: dict[str, list[tuple[str, ...]]] = {}
    for row in rows:
        by_page.setdefault(row[0], []).append(row)
    for address, found in [*by_page.items()][:_MOST_PAGES]:
        sections = tuple(
            FoundSection(f"{address}#{anchor}" if anchor else address, _marked(heading), _marked(excerpt))
            for _, anchor, _, _, heading, excerpt in found[:_MOST_SECTIONS]
        )
        yield FoundPage(address, _marked(found[0][3]), found[0][2], sections)


def _marked(text: str) -> Markup:
    return Markup(  # noqa: S704 - escaped before
        str(escape(text)).replace(_BEGIN, "<mark>").replace(_END, "</mark>")
    )
