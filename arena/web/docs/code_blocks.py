"""Code blocks of the docs: tokens coloured by docs.css, and in a console the prompt apart from the command and its output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygments.lexer import Lexer

PROMPT = "$ "
_LEXERS = {
    "c++": "cpp",
    "cpp": "cpp",
    "go": "go",
    "ini": "ini",
    "javascript": "javascript",
    "json": "json",
    "nginx": "nginx",
    "proto": "protobuf",
    "python": "python",
    "sh": "bash",
    "bash": "bash",
    "sql": "sql",
    "toml": "toml",
    "ts": "typescript",
    "typescript": "typescript",
    "yaml": "yaml",
}
"""Language of a fence → Pygments' lexer; any other language stays in one colour."""

_CLASSES = (
    ("Comment", "comment"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "value"),
    ("Name.Function", "name"),
    ("Name.Class", "name"),
    ("Name.Decorator", "name"),
    ("Name.Tag", "name"),
    ("Name.Attribute", "name"),
)
"""Kind of token, sub-kinds included → CSS class."""


def highlight(code: str, language: str) -> Markup:
    """Return code as HTML: spans of a few classes around what is worth a colour."""
    if language == "console":
        return Markup("").join(_console(code))
    if language not in _LEXERS:
        return escape(code)
    return Markup("").join(
        _span(kind, text) for kind, text in _merge(_lexer(_LEXERS[language]).get_tokens(code))
    )


def _lexer(name: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - slow to import, and only the docs need it

    return get_lexer_by_name(name, stripnl=False, ensurenl=False)


def _merge(tokens: Iterator[tuple[object, str]]) -> Iterator[tuple[str, str]]:
    """Join neighbouring tokens of one class: fewer spans on the wire."""
    last, gathered = "", ""
    for token, text in tokens:
        kind = _class_of(str(token).removeprefix("Token."))
        if kind != last:
            yield last, gathered
            last, gathered = kind, ""
        gathered += text
    yield last, gathered


def _class_of(token: str) -> str:
    return next((name for kind, name in _CLASSES if token == kind or token.startswith(f"{kind}.")), "")


def _span(kind: str, text: str) -> Markup:
    return Markup('<span class="code-{}">{}</span>').format(kind, text) if kind and text else escape(text)


def _console(code: str) -> Iterator[Markup]:
    """Split a console block into prompts, commands with their continued lines, and output."""
    continued = False
    for line in code.splitlines():
        if continued:
            yield Markup('<span class="command">{}</span>\n').format(line)
        elif line.startswith(PROMPT):
            yield Markup('<span class="prompt">$ </span><span class="command">{}</span>\n').format(
                line.removeprefix(PROMPT)
            )
        else:
            yield Markup('<span class="output">{}</span>\n').format(line)
        continued = line.endswith("\\") and (continued or line.startswith(PROMPT))
