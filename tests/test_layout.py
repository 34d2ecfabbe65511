"""The layout of the code: small folders, one meaning per file name, no cycles."""

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
"""File names that stand in several folders, with the same meaning in each."""


def modules() -> list[Path]:
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return [path for path in found if "node_modules" not in path.parts and GENERATED not in path.parents]


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
        path.parent for path in modules() if path.stem != "__init__" and path.parent.name != "versions"
    )
    assert counts
    assert {str(folder): n for folder, n in counts.items() if n > MAX_MODULES} == {}


def test_a_file_name_has_one_meaning() -> None:
    counts = Counter(path.stem for path in modules() if path.parent.name != "house_bots")
    assert {name for name, n in counts.items() if n > 1} <= ONE_MEANING


@pytest.mark.parametrize("package", PACKAGES)
def test_no_file_imports_itself_by_way_of_others(package: str) -> None:
    graph = grimp.build_graph(package, cache_dir=None)
    TopologicalSorter(
        {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    ).prepare()
