"""Files of people are read by `arena.core.foreign_text`, which takes texts as any editor saves them: no tool has a reader of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_layout import ROOT

READ_BY_TOOLS = ("bundle_format", "cli", "client", "devtools", "games", "net", "ratings", "rl", "sdk")
"""Packages of `arena` that read what people wrote."""
OURS = {
    "arena/cli/game/game_playtest.py": "golden matches, compared with what the command would write",
    "arena/devtools/game_project.py": "the files of a game that is copied",
    "arena/devtools/memory_use.py": "the kernel's",
    "arena/devtools/slow_decisions.py": "what the SDK's profiler wrote a moment ago",
    "arena/devtools/starters.py": "the starters of this tree",
    "arena/rl/reference_pool.py": "pools that come with the program",
}
"""Files that read only what a program of ours, or the kernel, wrote, and what."""


def sources() -> Iterator[Path]:
    for package in READ_BY_TOOLS:
        for path in sorted((ROOT / "arena" / package).rglob("*.py")):
            if not {"starters", "node_modules"} & {*path.parts}:
                yield path


def readers(path: Path) -> Iterator[str]:
    """Yield the calls of a module that read text past `foreign_text`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
        if called.endswith(".read_text") or (called == "click.File" and first not in {"rb", "wb"}):
            yield f"line {node.lineno}: {called}"


@pytest.mark.parametrize("path", list(sources()), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_text_of_a_person_is_read_by_the_one_reader(path: Path) -> None:
    found = list(readers(path))
    if str(path.relative_to(ROOT)) in OURS:
        assert found, "reads no text any more: take it off the list"
    else:
        assert not found, "use arena.core.foreign_text, or add it to OURS with what it reads"


def test_the_search_finds_what_it_is_for(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(
        "Path('x').read_text()\nclick.File()\nclick.File('rb')\nfile.read_bytes()\n"
    )
    assert list(readers(tmp_path / "x.py")) == ["line 1: Path('x').read_text", "line 2: click.File"]
