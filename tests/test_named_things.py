"""Texts name only what exists: identifiers, modules and files in docstrings, comments and docs."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PACKAGES = ("arena", "referee", "workers", "bots")
PRODUCT = (*PACKAGES, "deploy", "bench", "protos")
OTHER_CODE = {
    ".proto",
    ".ts",
    ".js",
    ".cjs",
    ".html",
    ".css",
    ".svg",
    ".yml",
    ".yaml",
    ".env",
    ".service",
    ".toml",
    ".go",
    ".c",
}
WORD = re.compile(r"[A-Za-z_]\w*")
NAME = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?`")
"""A name in backticks, dotted or not."""
IS_NAME = re.compile(r"[a-z]_[a-z]|[a-z][A-Z]|\.")
"""Signs of a name that is no plain word."""
CAMEL_CASE = re.compile(r"(?<![`\w/.])[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
FILE = re.compile(
    r"\b(?:arena|referee|workers|bots|bench|deploy|protos)/[\w/.-]+\.(?:py|proto|ts|cjs|yml|toml)\b"
)
CODE_BLOCK = re.compile("```.*?```", re.DOTALL)
ELSEWHERE = {
    *(
        "GitHub",
        "GitLab",
        "OpenSpiel",
        "OpenTelemetry",
        "OpenType",
        "PettingZoo",
        "PgBouncer",
        "PowerShell",
        "AppArmor",
        "WebAssembly",
    ),
    *("MacKinnon", "McAuliffe", "McCaffrey", "ConfigMaps", "HttpOnly", "SameSite", "NewStream"),
    *(
        "kernel.sched_autogroup_enabled",
        "user.max_user_namespaces",
        "numpy.memmap",
        "pg_dump",
        "io_uring",
        "pthread_join",
        "limit_concurrency",
    ),
    *(
        "MAJOR.MINOR.PATCH",
        "arena_web_",
        "RUN.POINTS",
        "bot_aren",
        "bot_remv",
        "sets_each_invalid",
        "users.acl",
    ),
}
"""Names of other people's things, of authors, and of parts of names."""
OTHERS_GAME = "tichu"


@cache
def sources() -> dict[Path, ast.Module]:
    """Parse the modules of the product and of its gate."""
    files = [file for part in (*PRODUCT, ".ci", "docs/examples") for file in (ROOT / part).rglob("*.py")]
    return {file: ast.parse(file.read_text("utf-8")) for file in files if "node_modules" not in file.parts}


def docstrings(module: ast.Module) -> Iterator[ast.Constant]:
    """Yield the strings of a module that are texts: of modules, classes, functions, attributes."""
    for node in ast.walk(module):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as constant):
                yield constant


@cache
def known() -> frozenset[str]:
    """Return all words of the code, and of the files' names; texts do not count."""
    found = set[str]()
    for file, module in sources().items():
        texts = {id(each) for each in docstrings(module)}
        for node in ast.walk(module):
            for field in ("id", "attr", "arg", "name", "asname", "module", "rest"):
                found.update(WORD.findall(str(getattr(node, field, ""))))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
                found.update(WORD.findall(node.value))
        found.update(WORD.findall(str(file.relative_to(ROOT))))
    for part in (*PRODUCT, ".github"):
        for file in (ROOT / part).rglob("*"):
            if "node_modules" not in file.parts:
                found.update(WORD.findall(file.name))
                found.update(WORD.findall(file.read_text("utf-8")) if file.suffix in OTHER_CODE else ())
    for name in ("Makefile", "pyproject.toml", ".ci/check"):
        found.update(WORD.findall((ROOT / name).read_text("utf-8")))
    return frozenset(found)


def texts(part: str) -> Iterator[tuple[str, str]]:
    """Yield the places and texts of a part of the tree, or those of a page."""
    path = ROOT / part
    if path.suffix == ".md":
        yield part, CODE_BLOCK.sub("", path.read_text("utf-8"))
        return
    for file, module in sources().items():
        if not file.is_relative_to(path) or file.is_relative_to(ROOT / "arena" / "v1"):
            continue
        place = str(file.relative_to(ROOT))
        yield from ((f"{place}:{text.lineno}", str(text.value)) for text in docstrings(module))
        for token in tokenize.generate_tokens(io.StringIO(file.read_text("utf-8")).readline):
            if token.type == tokenize.COMMENT:
                yield f"{place}:{token.start[0]}", token.string


def is_missing(name: str) -> bool:
    """Return whether a name, dotted or not, has a part that no code has, or begins with a module that is not there."""
    parts = [part.removesuffix("_total").removesuffix("_invalid") for part in name.split(".")]
    if not known().issuperset(parts):
        return True
    if parts[0] not in PACKAGES or parts[1:2] == ["v1"] or not (ROOT / "/".join(parts[:2])).is_dir():
        return False
    depth = next(n for n in range(len(parts), 1, -1) if (ROOT / "/".join(parts[:n])).is_dir())
    folder, rest = ROOT / "/".join(parts[:depth]), parts[depth:]
    is_module = not rest or (folder / f"{rest[0]}.py").is_file()
    return not is_module and rest[0] not in (folder / "__init__.py").read_text("utf-8")


PARTS = [
    *PRODUCT[:-1],
    *(str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))),
]


@pytest.mark.parametrize("part", [part for part in PARTS if part != "CHANGELOG.md"])
def test_names_in_texts_are_those_of_the_code(part: str) -> None:
    shown = (
        WORD.findall(" ".join(CODE_BLOCK.findall((ROOT / part).read_text("utf-8"))))
        if part.endswith(".md")
        else ()
    )
    missing = {
        f"{place}: {name}"
        for place, text in texts(part)
        for name in (
            *filter(IS_NAME.search, NAME.findall(text)),
            *CAMEL_CASE.findall(re.sub("`[^`]*`", " ", text)),
        )
        if not {name, name.partition(".")[0]} & {*ELSEWHERE, *shown}
        and OTHERS_GAME not in name
        and is_missing(name)
    }
    assert missing == set()


@pytest.mark.parametrize("part", PRODUCT[:-1])
def test_files_that_texts_name_are_there(part: str) -> None:
    missing = {
        f"{place}: {name}"
        for place, text in texts(part)
        for name in FILE.findall(text)
        if not (ROOT / name).exists() and OTHERS_GAME not in name
    }
    assert missing == set()
