"""Formats are found by their modules, and known by name nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.scheduling.formats.format_registry import FORMATS, OFFERED, PARAMETERS, STANDARD_FORMAT, format_of
from arena.scheduling.formats.tournament_format import CYCLES

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("arena", "referee", "workers", "bots")
FOLDER = ROOT / "arena/scheduling/formats"
PARTS = ROOT / "arena/web/tournaments/templates/formats"
ABOUT_LADDERS = {
    "arena/cli/main.py": "the group of commands",
    "arena/cli/tournament/ladder_commands.py": "the group of commands, and its argument",
    "arena/competition/ladders.py": "the field of a refusal",
    "arena/storage/schema/tournament_tables.py": "the table",
    "arena/storage/migrations/versions/v0005_life_cycle.py": "the table",
    "arena/storage/migrations/versions/v0007_delay_of_ladders.py": "the table",
}
"""Where the word stands for the ladder that goes on from epoch to epoch, which is more than a format."""
MAX_PLACES = 8
"""Formats that the style sheet of the form has rules for, by their places (`of-1` to `of-8` in organise.css)."""


def files(*endings: str) -> Iterator[Path]:
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix in endings and "node_modules" not in path.parts:
                yield path


@pytest.fixture(scope="module")
def modules() -> dict[Path, ast.Module]:
    """Parse all modules of the product but the formats' own."""
    return {path: ast.parse(path.read_text()) for path in files(".py") if FOLDER not in path.parents}


def constants(tree: ast.AST) -> set[object]:
    """All that a module has as a constant, but for the examples of the API's documents."""
    if isinstance(tree, ast.keyword) and tree.arg == "examples":
        return set()
    own = {tree.value} if isinstance(tree, ast.Constant) else set()
    return own.union(*map(constants, ast.iter_child_nodes(tree)))


@pytest.mark.slow
def test_no_other_module_knows_the_name_of_a_format(modules: dict[Path, ast.Module]) -> None:
    found = {
        (str(path.relative_to(ROOT)), name)
        for path, tree in modules.items()
        for name in FORMATS.keys() & constants(tree)
    }
    # `arena race` plays that format at home.
    at_home = {(path, "race") for path in ("arena/cli/main.py", "arena/cli/match/race_command.py")}
    assert found <= {(path, "ladder") for path in ABOUT_LADDERS} | at_home


@pytest.mark.slow
def test_no_other_module_imports_a_format(modules: dict[Path, ast.Module]) -> None:
    own = {each.__name__ for each in FORMATS.values()}
    found = {
        str(path.relative_to(ROOT))
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and own & {name.name for name in node.names}
    }
    # It begins epochs, which are tournaments of that format.
    assert found == {"arena/competition/ladders.py"}


def test_no_page_style_or_script_asks_for_the_name_of_a_format() -> None:
    quoted = re.compile(rf"""["']({"|".join(map(re.escape, FORMATS))})["']""")
    found = {
        str(path.relative_to(ROOT)): quoted.findall(path.read_text())
        for path in files(".html", ".css", ".js")
        if PARTS not in path.parents
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_a_module_has_a_format_of_its_own() -> None:
    assert len({each.__module__ for each in FORMATS.values()}) == len(FORMATS)
    assert all(name == each.name for name, each in FORMATS.items())


def test_a_trial_is_a_round_robin() -> None:
    assert format_of("qualification") is FORMATS[STANDARD_FORMAT]


def test_every_part_of_a_page_is_that_of_a_format() -> None:
    assert {path.stem for path in PARTS.iterdir()} <= set(FORMATS)


@pytest.mark.parametrize("name", OFFERED)
def test_a_format_and_its_parameters_are_documented(name: str) -> None:
    rows = (ROOT / "docs/organising.md").read_text().splitlines()
    (row,) = (row for row in rows if row.startswith(f"| `{name}` |"))
    for each in FORMATS[name].parameters:
        assert f"`--{each.name.replace('_', '-')} N`" in row


def test_parameters_have_names_of_their_own() -> None:
    names = [each.name for each in (CYCLES, *PARAMETERS)]
    assert len(set(names)) == len(names)


def test_the_form_has_styles_for_all_formats() -> None:
    assert len(OFFERED) <= MAX_PLACES
    styles = (ROOT / "arena/web/ui/static/organise.css").read_text()
    assert all(f".of-{place}" in styles for place in range(1, MAX_PLACES + 1))
