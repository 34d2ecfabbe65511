"""The layout of the code and its tests: small folders, one meaning per file name, no cycles."""

from __future__ import annotations

from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("arena", "referee", "workers", "bots")
MAX_MODULES = 20
MAX_TEMPLATE_LINE_CHARS = 300
GENERATED = ROOT / "arena" / "v1"
ONE_MEANING = {
    *("__init__", "__main__"),
    *("rules", "state", "view", "view_builder", "codec", "encoding", "sampler"),  # the parts of each game
    *("drawing", "narration", "phrases", "traits", "twins"),
    *("random", "search"),  # of the house bots
}
"""File names in several folders, with the same meaning in each."""
ONE_MEANING_IN_TESTS = ONE_MEANING | {"conftest"}
GAME_OF_TESTS = ROOT / "tests" / "games" / "sixth"
"""A game as others write it, with the files that every game has."""


def modules() -> list[Path]:
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return [path for path in found if "node_modules" not in path.parts and GENERATED not in path.parents]


def modules_of_tests() -> list[Path]:
    return [path for path in (ROOT / "tests").rglob("*.py") if GAME_OF_TESTS not in path.parents]


def test_no_line_of_a_template_is_longer_than_a_person_can_review() -> None:
    templates = [path for path in (ROOT / "arena").rglob("*.html") if "node_modules" not in path.parts]
    assert templates
    assert not {
        f"{path}:{number}"
        for path in templates
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > MAX_TEMPLATE_LINE_CHARS
    }


def test_no_folder_has_more_modules_than_a_person_takes_in() -> None:
    # Migrations are a chain, which only grows.
    counts = Counter(
        path.parent
        for path in [*modules(), *modules_of_tests()]
        if path.stem not in {"__init__", "conftest"} and path.parent.name != "versions"
    )
    assert counts
    assert {str(folder): n for folder, n in counts.items() if n > MAX_MODULES} == {}


def test_a_file_name_has_one_meaning() -> None:
    counts = Counter(path.stem for path in modules() if path.parent.name != "house_bots")
    assert {name for name, n in counts.items() if n > 1} <= ONE_MEANING


def test_a_file_name_of_tests_has_one_meaning() -> None:
    counts = Counter(path.stem for path in modules_of_tests())
    assert {name for name, n in counts.items() if n > 1} <= ONE_MEANING_IN_TESTS


def test_the_web_and_its_tests_have_the_same_folders() -> None:
    folders = {path.parent.name for path in (ROOT / "arena" / "web").glob("*/__init__.py")}
    of_tests = {path.parent.name for path in (ROOT / "tests" / "web").glob("*/__init__.py")}
    assert of_tests <= folders | {"whole_arena"}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_file_imports_itself_by_way_of_others(package: str) -> None:
    graph = grimp.build_graph(package, cache_dir=None)
    TopologicalSorter(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    ).prepare()
