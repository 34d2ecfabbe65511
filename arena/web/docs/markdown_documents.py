"""The docs as pages: Markdown of docs/, drawn with headings to jump to, tables in their frames, and links to our own pages.

docs/bots.md               /docs/bots            for authors, organisers, operators: in English
docs/games/<game>.md       /games/<game>/rules   the rules, and docs/es/games/<game>.md for them in Spanish
README.md                  /docs/start
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from arena.core.shipped_files import ROOT
from arena.games.registry import GAMES
from arena.web.ui.languages import LANGUAGES

DOCS = ROOT / "docs"

_ENGLISH = next(iter(LANGUAGES))
_COMMENT = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)
_NO_ANCHOR = re.compile(r"[^\w\- ]")
_ELSEWHERE = re.compile(r"[a-z]+:")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title, with what it is jumped to by; level 2 or 3."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A page of the docs: its title without notation, its first paragraph, all of it, and the source."""

    title: str
    lead: Markup
    body: Markup
    headings: tuple[Heading, ...]
    source: str


def rules(game_id: str, language: str) -> Document:
    """Return the rules of a game, in a language that LANGUAGES has."""
    folder = "games" if language == _ENGLISH else f"{language}/games"
    return _load(DOCS / folder / f"{game_id}.md", f"docs/{folder}")


def document(name: str) -> Document:
    """Return a page of the docs by its name; `start` is the README.  Raises KeyError for a name that there is not."""
    if name == "start":
        return _load(ROOT / "README.md", "")
    if name not in names():
        raise KeyError(name)
    return _load(DOCS / f"{name}.md", "docs")


@cache
def names() -> frozenset[str]:
    """Name the pages of the docs but for the start."""
    return frozenset(path.stem for path in DOCS.glob("*.md"))


@cache
def _load(path: Path, folder: str) -> Document:
    source = path.read_text(encoding="utf-8")
    markdown = _markdown()
    tokens = markdown.parse(_COMMENT.sub("", source))
    headings = tuple(_anchored(tokens))
    for token in _all(tokens):
        if token.type == "link_open":
            _lead_to_a_page(token, folder)
        elif token.type == "image":
            token.attrSet("src", _address(str(token.attrGet("src")), folder) or "")
            token.attrSet("loading", "lazy")
    options, renderer = markdown.options, markdown.renderer
    lead = next(inline for opening, inline in pairwise(tokens) if opening.type == "paragraph_open")
    # Nothing of HTML in the source comes through the parser, so what it draws is safe.
    return Document(
        title=_plain(tokens[1]).partition(" — ")[0],
        lead=Markup(renderer.render([lead], options, {})),  # noqa: S704
        body=Markup(renderer.render(tokens[3:], options, {})),  # noqa: S704
        headings=headings,
        source=source,
    )


def _markdown() -> MarkdownIt:
    """Make a parser that takes no HTML of the source, and draws what scrolls in frames that a keyboard reaches."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    for rule in (_table_open, _table_close, _th_open, _th_close, _fence, _link_open, _link_close):
        markdown.add_render_rule(rule.__name__.removeprefix("_"), rule)
    return markdown


def _anchored(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Set each heading's id, as the usual hosts of Markdown do: links that work there work here."""
    taken: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        text = _plain(inline)
        anchor = _NO_ANCHOR.sub("", text.lower()).replace(" ", "-")
        number = taken.get(anchor, 0)
        taken[anchor] = number + 1
        anchor = f"{anchor}-{number}" if number else anchor
        opening.attrSet("id", anchor)
        level = int(opening.tag[1])
        if level in {2, 3}:
            yield Heading(level, anchor, text)


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or ())


def _lead_to_a_page(link: Token, folder: str) -> None:
    """Turn a link between files into one between pages; what has no page here stays as words."""
    address = _address(str(link.attrGet("href")), folder)
    if address is None:
        del link.attrs["href"]
    else:
        link.attrSet("href", address)


def _address(target: str, folder: str) -> str | None:
    path, sign, anchor = target.partition("#")
    if _ELSEWHERE.match(target):
        return None
    if not path:
        return target
    path = posixpath.normpath(posixpath.join(folder, path))
    page = _page(path)
    return None if page is None else page + sign + anchor


def _page(path: str) -> str | None:
    if path == "README.md":
        return "/docs/start"
    name = path.removesuffix(".md").rpartition("/")[2]
    if re.fullmatch(r"docs(/\w+)?/games/\w+\.md", path) and name in GAMES:
        return f"/games/{name}/rules"
    if path == f"docs/{name}.md" and name in names():
        return f"/docs/{name}"
    if path.startswith("docs/images/"):
        return f"/{path}"
    if path.startswith("docs/games/records/"):
        return path.replace("docs/games/", "/docs/")
    return None


# --- render rules: how markdown-it calls them


def _table_open(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    before = next((tokens[i + 1] for i in range(at, -1, -1) if tokens[i].type == "heading_open"), None)
    label = Markup.escape(_plain(before)) if before else Markup("")
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">\n<table>\n'


def _table_close(*_: object) -> str:
    return "</table>\n</div>\n"


def _th_open(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    return '<th scope="col">' if tokens[at + 1].content else "<td>"


def _th_close(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    return "</th>" if tokens[at - 1].content else "</td>"


def _fence(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    """Draw code; the remarks in an annotated match stand out, and its long lines break."""
    code = str(Markup.escape(tokens[at].content))
    if re.search("^{", code, re.MULTILINE) and re.search("^# ", code, re.MULTILINE):
        remarked = re.sub("^# (.*)$", r'<span class="remark">\1</span>', code, flags=re.MULTILINE)
        return f'<pre class="log"><code>{remarked}</code></pre>\n'
    return f'<pre tabindex="0"><code>{code}</code></pre>\n'


def _link_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    return f"<a{renderer.renderAttrs(tokens[at])}>" if "href" in tokens[at].attrs else "<span>"


def _link_close(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    depth = 0
    for token in reversed(tokens[:at]):
        depth += (token.type == "link_close") - (token.type == "link_open")
        if depth < 0:
            return "</a>" if "href" in token.attrs else "</span>"
    return "</a>"
