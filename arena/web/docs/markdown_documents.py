"""The docs as pages: Markdown of docs/ and of the games, drawn with headings to jump to, tables in their frames, and links to our own pages.

README.md                            /docs/start
docs/bots.md                         /docs/bots                         for authors, organisers, operators: in English
docs/images/ratings.png              /docs/images/ratings.png
arena/games/<game>/docs/rules.md     /games/<game>/rules                the rules, and rules.es.md for them in Spanish
                        board.png    /docs/images/<game>.png            another picture x.png: <game>-x.png
                        board.webp   /docs/images/<game>.webp           its upper part, small, for lists of games; board-es.webp in Spanish
                        match.json   /docs/records/<game>.json          another record match-x.json: <game>-x.json

The pages of a game from outside are addressed as if they lay in `arena/games`, too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from arena.core.shipped_files import ROOT
from arena.games.registry import PACKAGES, package
from arena.web.docs.code_blocks import highlight
from arena.web.ui.languages import LANGUAGES

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

DOCS = ROOT / "docs"

_ENGLISH = next(iter(LANGUAGES))
_COMMENT = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)
_NO_ANCHOR = re.compile(r"[^\w\- ]")
_ELSEWHERE = re.compile(r"[a-z]+:")
_TABBED = {"python": "Python", "typescript": "TypeScript", "cpp": "C++"}
"""Languages of code blocks that become tabs where they follow each other: fence → its name."""

_KINDS = {"images": (("*.png", "*.webp"), "board"), "records": (("*.json",), "match")}
"""The files that the docs show; a game's rules are served by its name alone."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title, with what it is jumped to by; level 2 or 3."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of any level with the plain text below it, up to the next heading."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A page of the docs: its language, its title without notation, its first paragraph, all of it, and the source."""

    language: str
    title: str
    lead: Markup
    body: Markup
    headings: tuple[Heading, ...]
    sections: tuple[Section, ...]
    source: str


def rules(game_id: str, language: str) -> Document:
    """Return the rules of a game in a language that LANGUAGES has, in English where they are not translated."""
    for code in rules_languages(game_id):
        if code in {language, _ENGLISH}:
            return _load(package(game_id).rules_page(code), _folder(game_id), code)
    return _parse(f"# {package(game_id).game.title}\n\nIts rules are not written down yet.\n", "", _ENGLISH)


def rules_languages(game_id: str) -> tuple[str, ...]:
    """Name the languages that the rules of a game are written in; English is the last of them."""
    return tuple(code for code in reversed(LANGUAGES) if package(game_id).rules_page(code).is_file())


def document(name: str) -> Document:
    """Return a page of the docs by its name; `start` is the README.  Raises KeyError for a name that there is not."""
    if name == "start":
        return _load(ROOT / "README.md", "", _ENGLISH)
    if name not in names():
        raise KeyError(name)
    return _load(DOCS / f"{name}.md", "docs", _ENGLISH)


def at(address: str, language: str) -> Document:
    """Return the document at the address of its page.  Raises KeyError for an address that there is not."""
    *_, folder, name = address.split("/")
    return rules(folder, language) if name == "rules" else document(name)


@cache
def names() -> frozenset[str]:
    """Name the pages of the docs but for the start."""
    return frozenset(path.stem for path in DOCS.glob("*.md"))


@cache
def files(kind: str) -> dict[str, Path]:
    """Return the files that the docs show, by the name they are served under; `kind` is `images` or `records`.

    Raises KeyError for another kind.
    """
    patterns, main = _KINDS[kind]
    found = {path.name: path for path in _matching(DOCS / kind, patterns)}
    for game, each in PACKAGES.items():
        found |= {_served(game, path.name, main): path for path in _matching(each.docs, patterns)}
    return found


def small_picture(game: str, language: str) -> str:
    """Return the address of a game's picture for lists: the small one in the language, or else in English, or that of its rules."""
    wanted = (f"{game}-{language}.webp", f"{game}.webp")
    return f"/docs/images/{next((name for name in wanted if name in files('images')), f'{game}.png')}"


def _matching(folder: Path, patterns: Sequence[str]) -> list[Path]:
    return sorted(path for pattern in patterns for path in folder.glob(pattern))


def _served(game: str, name: str, main: str) -> str:
    """Name a file of a game as it is served: its main picture or record by the game alone."""
    stem, dot, suffix = name.rpartition(".")
    rest = "" if stem == main else f"-{stem.removeprefix(f'{main}-')}"
    return f"{game}{rest}{dot}{suffix}"


def _folder(game_id: str) -> str:
    return f"arena/games/{game_id}/docs"


@cache
def _load(path: Path, folder: str, language: str) -> Document:
    return _parse(path.read_text(encoding="utf-8"), folder, language)


def _parse(source: str, folder: str, language: str) -> Document:
    markdown = _markdown()
    tokens = markdown.parse(_COMMENT.sub("", source))
    headings = tuple(_anchored(tokens))
    for token in _all(tokens):
        if token.type == "link_open":
            _lead_to_a_page(token, folder)
        elif token.type == "image":
            token.attrSet("src", _address(str(token.attrGet("src")), folder) or "")
            token.attrSet("loading", "lazy")
    tokens[3:] = _grouped(tokens[3:])
    options, renderer = markdown.options, markdown.renderer
    lead = next(inline for opening, inline in pairwise(tokens) if opening.type == "paragraph_open")
    # Nothing of HTML in the source comes through the parser, so what it draws is safe.
    return Document(
        language=language,
        title=_plain(tokens[1]).partition(" — ")[0],
        lead=Markup(renderer.render([lead], options, {})),  # noqa: S704
        body=Markup(renderer.render(tokens[3:], options, {})),  # noqa: S704
        headings=headings,
        sections=tuple(_sections(tokens)),
        source=source,
    )


def _markdown() -> MarkdownIt:
    """Make a parser that takes no HTML of the source, and draws what scrolls in frames that a keyboard reaches."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - slow to import, and only the docs need it

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


def _grouped(tokens: Sequence[Token]) -> Iterator[Token]:
    """Frame code blocks that follow each other and say the same in several languages, and each of them in its name."""
    from markdown_it.token import Token  # noqa: PLC0415 - as in _markdown

    for is_code, run in groupby(tokens, lambda token: token.type == "fence" and token.info in _TABBED):
        blocks = list(run)
        if not is_code or len({block.info for block in blocks}) != len(blocks) or len(blocks) < 2:
            yield from blocks
            continue
        yield Token("html_block", "", 0, content='<div class="tabs">\n')
        for block in blocks:
            name = _TABBED[block.info]
            opening = f'<div class="tab" data-language="{block.info}"><p class="tab-name">{name}</p>\n'
            yield Token("html_block", "", 0, content=opening)
            yield block
            yield Token("html_block", "", 0, content="</div>\n")
        yield Token("html_block", "", 0, content="</div>\n")


def _sections(tokens: Sequence[Token]) -> Iterator[Section]:
    """Cut a page into sections, code and tables included."""
    anchor, heading, texts = "", "", list[str]()
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            if heading:
                yield Section(anchor, heading, " ".join(texts))
            anchor, heading, texts = str(before.attrGet("id")), _plain(token), []
        elif token.type == "inline":
            words = (child.content or " " * child.type.endswith("break") for child in token.children or ())
            texts.append(" ".join("".join(words).split()))
        elif token.type in {"fence", "code_block"}:
            texts.append(" ".join(token.content.split()))
    yield Section(anchor, heading, " ".join(texts))


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
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    if path == f"docs/{stem}.md" and stem in names():
        return f"/docs/{stem}"
    if folder == "docs/images":
        return f"/{path}"
    return _page_of_game(folder, name)


def _page_of_game(folder: str, name: str) -> str | None:
    game = folder.removeprefix("arena/games/").removesuffix("/docs")
    if game not in PACKAGES or folder != _folder(game):
        return None
    if name in {package(game).rules_page(code).name for code in LANGUAGES}:
        return f"/games/{game}/rules"
    for kind, (_, main) in _KINDS.items():
        if (served := _served(game, name, main)) in files(kind):
            return f"/docs/{kind}/{served}"
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
    """Draw code; the remarks in an annotated match are highlighted, and its long lines break."""
    code = str(Markup.escape(tokens[at].content))
    if re.search("^{", code, re.MULTILINE) and re.search("^# ", code, re.MULTILINE):
        remarked = re.sub("^# (.*)$", r'<span class="remark">\1</span>', code, flags=re.MULTILINE)
        return f'<pre class="log"><code>{remarked}</code></pre>\n'
    drawn = highlight(tokens[at].content, tokens[at].info.partition(" ")[0])
    return f'<div class="code"><pre tabindex="0"><code>{drawn}</code></pre></div>\n'


def _link_open(renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    return f"<a{renderer.renderAttrs(tokens[at])}>" if "href" in tokens[at].attrs else "<span>"


def _link_close(_renderer: RendererHTML, tokens: Sequence[Token], at: int, *_: object) -> str:
    depth = 0
    for token in reversed(tokens[:at]):
        depth += (token.type == "link_close") - (token.type == "link_open")
        if depth < 0:
            return "</a>" if "href" in token.attrs else "</span>"
    return "</a>"
