"""Search in the docs: an index of all sections for each language, and the sections that a query finds, best first.

A section is found if each word of the query begins one of its words, or one of its heading's or its page's title.
Rules are searched in the reader's language, the rest in English; accents and case do not count.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup, escape

from arena.games.registry import GAMES
from arena.web.docs import markdown_documents

LONGEST_QUERY = 100
"""Characters."""

_MOST_WORDS = 8
_MOST_FOUND = 20
_EXCERPT = 220
"""Characters of a section that are shown."""

_IN_TITLE, _IN_HEADING = 6.0, 4.0
"""The weight of a hit in each place; a first hit in the text has 1."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Found:
    """A section that was found: where it is, and its heading and an excerpt with the words marked."""

    address: str
    title: str
    heading: Markup
    excerpt: Markup
    language: str


@dataclass(frozen=True, slots=True)
class _Entry:
    address: str
    title: str
    heading: str
    text: str
    language: str
    title_words: frozenset[str]
    heading_words: frozenset[str]
    counts: Counter[str]


def search(query: str, language: str) -> tuple[Found, ...]:
    """Return the sections that have all words of a query, best first, at most twenty; none for a query without words."""
    wanted = tuple(dict.fromkeys(_words(query[:LONGEST_QUERY])))[:_MOST_WORDS]
    if not wanted:
        return ()
    entries = _index(language)
    values = [[_value(entry, word) for entry in entries] for word in wanted]
    # A word that few sections have says more about what is looked for.
    weights = [math.log(1 + len(entries) / (1 + sum(value > 0 for value in each))) for each in values]
    scored = [
        (sum(weight * each[at] for weight, each in zip(weights, values, strict=True)), at)
        for at in range(len(entries))
        if all(each[at] for each in values)
    ]
    best = sorted(scored, key=lambda pair: (-pair[0], pair[1]))[:_MOST_FOUND]
    return tuple(_found(entries[at], wanted) for _, at in best)


def _value(entry: _Entry, word: str) -> float:
    hits = sum(count for each, count in entry.counts.items() if each.startswith(word))
    in_title = any(each.startswith(word) for each in entry.title_words)
    in_heading = any(each.startswith(word) for each in entry.heading_words)
    whole = 1.0 if word in entry.counts or word in entry.heading_words or word in entry.title_words else 0.5
    return whole * (in_title * _IN_TITLE + in_heading * _IN_HEADING + (1 + math.log(hits) if hits else 0))


@cache
def _index(language: str) -> tuple[_Entry, ...]:
    """Make a language's index: some hundred sections."""
    pages = [(f"/games/{game}/rules", markdown_documents.rules(game, language)) for game in GAMES]
    pages += [
        (f"/docs/{name}", markdown_documents.document(name))
        for name in ("start", *sorted(markdown_documents.names()))
    ]
    return tuple(
        _Entry(
            f"{address}#{section.anchor}"
            if number
            else address,  # the title has no anchor: the page begins there
            document.title,
            section.heading if number else document.title,
            section.text,
            document.language,
            frozenset(_words(document.title)) if number == 0 else frozenset(),
            frozenset(_words(section.heading)),
            Counter(_words(section.text)),
        )
        for address, document in pages
        for number, section in enumerate(document.sections)
    )


def _words(text: str) -> list[str]:
    return [_fold(word) for word in _WORD.findall(text)]


def _fold(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def _found(entry: _Entry, wanted: tuple[str, ...]) -> Found:
    return Found(
        entry.address,
        entry.title,
        _marked(entry.heading, wanted),
        _marked(_excerpt(entry.text, wanted), wanted),
        entry.language,
    )


def _excerpt(text: str, wanted: tuple[str, ...]) -> str:
    """Cut a piece of a text around the first word that is wanted, at blanks."""
    hit = next((word.start() for word in _WORD.finditer(text) if _fold(word[0]).startswith(wanted)), 0)
    start = max(0, hit - _EXCERPT // 3)
    if start:
        start = text.find(" ", start, hit) + 1 or start
    end = start + _EXCERPT
    if end < len(text):
        end = max(text.rfind(" ", start, end), start + 1) if " " in text[start:end] else end
    return ("… " if start else "") + text[start:end] + (" …" if end < len(text) else "")


def _marked(text: str, wanted: tuple[str, ...]) -> Markup:
    parts, at = Markup(""), 0
    for word in _WORD.finditer(text):
        if _fold(word[0]).startswith(wanted):
            parts += escape(text[at : word.start()]) + Markup("<mark>{}</mark>").format(word[0])
            at = word.end()
    return parts + escape(text[at:])
