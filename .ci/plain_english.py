"""Count phrases that plain English rarely needs, per 1,000 words of comments, docstrings, docs and changelog.

The count is a thermometer: mend a sentence by saying it plainly, with the real noun, not by a synonym.
`--list` shows each place.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PATTERNS = {
    "indefinite person": r"\b(?:any|every|no|some)body\b|\b(?:who|what|which)ever\b",
    "clause for a noun": r"\A(?:What|Who|Whose|How|So many|So much|That) (?!.*\?\Z)",
    "so many": r"\bso (?:long|many|much)\b(?! (?:as|that)\b)",
    "stands": r"\b(?:stands?|stood|lies)\b",
    "told": r"\bt(?:ells?|old)\b",
    "beside": r"\bbeside\b",
    "anew": r"\banew\b",
    "he": r"\b(?:he|him|his)\b",
}
MAX_PER_1000 = 1.5
TEXTS = {
    "code": ("arena", "referee", "workers", "bots", "bench", "deploy", "protos", ".ci"),
    "docs": ("docs", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"),
    "changelog": ("CHANGELOG.md",),
}
EXCEPT = {
    "arena/v1": "generated",
    "arena/storage/migrations/versions": "migrations are history",
    "bots/typescript/node_modules": "not ours",
    **{
        f"arena/games/{game}/house_bots": "frozen: the reference pool knows them by their bytes"
        for game in ("bottle_imp", "land_unter", "lifeboats", "lost_cities", "teotlatolli")
    },
}
"""Files and folders that are not counted, with the reason."""


def prose(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the pieces of prose of a file, with their lines: paragraphs of Markdown, docstrings and comments of Python."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        text = re.sub(
            r"```.*?```|`[^`\n]*`", lambda code: "\n" * code[0].count("\n") or "x", text, flags=re.DOTALL
        )
        for number, line in enumerate(text.splitlines(), 1):
            if not line.startswith(("#", "| ---")):
                yield number, line.strip(" >*-|")
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(words))):
                yield node.lineno, re.sub(r"`[^`]*`", "x", words.strip())
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def files(name: str) -> Iterator[Path]:
    """Yield the files of a text that are counted."""
    for path in map(ROOT.joinpath, TEXTS[name]):
        found = [path] if path.is_file() else sorted({*path.rglob("*.py"), *path.rglob("*.md")})
        for file in found:
            if not any(file.is_relative_to(ROOT / left_out) for left_out in EXCEPT):
                yield file


def main() -> int:
    """Print the count of each text; return 1 if one is above the limit."""
    worst = 0.0
    for name in TEXTS:
        words, hits = 0, list[str]()
        for file in files(name):
            for line, text in prose(file):
                words += len(text.split())
                for label, pattern in PATTERNS.items():
                    for _ in re.finditer(pattern, text):
                        hits.append(f"{file.relative_to(ROOT)}:{line}: {label}: {text[:90]!r}")
        rate = 1000 * len(hits) / words
        worst = max(worst, rate)
        print(*(hits if "--list" in sys.argv or rate > MAX_PER_1000 else ()), sep="\n")
        print(f"{name}: {len(hits)} in {words} words, {rate:.2f} per 1,000 (at most {MAX_PER_1000})")
    return int(worst > MAX_PER_1000)


if __name__ == "__main__":
    sys.exit(main())
