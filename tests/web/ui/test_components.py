"""Pages are made of components: what has one is not written by hand, and styles are of something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markupsafe import Markup

import arena
from arena.web.ui.template_filters import labelled

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ARENA = Path(arena.__file__).parent
TEMPLATES = [
    path
    for path in ARENA.rglob("*.html")
    if "node_modules" not in path.parts and "previews" not in path.parts
]
STYLES = [path for path in ARENA.rglob("*.css") if "node_modules" not in path.parts]
BY_COMPONENT = {
    'class="seat seat-': {"seats.html"},
    'class="scroll': {"tables.html", "crosstable.html", "parts.html", "live.html"},
}
"""What components write, with the templates that may: a bracket and a list that comes by script have their own frames."""

MADE_BY_LIBRARIES = {"u-select", "u-cursor-x", "u-cursor-y"}
_CLASS = re.compile(r"\.(-?[a-zA-Z_][\w-]*)")
_WORD = re.compile(r"[\w-]+")
_STEM = re.compile(r"[\w-]+(?=\{\{)|[\w-]+-(?=[\"\'] ~|\{)")
"""The beginning of a class that a template completes: `seat-{{ seat }}`."""


@pytest.mark.parametrize("text", BY_COMPONENT)
def test_what_has_a_component_is_written_by_it_alone(text: str) -> None:
    writers = {path.name for path in TEMPLATES if text in path.read_text()}
    assert writers <= BY_COMPONENT[text]


def test_every_class_of_a_style_sheet_is_used() -> None:
    sources = [*TEMPLATES, *ARENA.rglob("*.py"), *(ARENA / "web").rglob("*.js"), *ARENA.rglob("*.svg")]
    words = {
        word
        for path in sources
        if "node_modules" not in path.parts
        for word in _WORD.findall(path.read_text(errors="replace"))
    }
    stems = {stem for path in TEMPLATES for stem in _STEM.findall(path.read_text())} | {
        "line-",
        "key-",
        "heat-",
    }
    unused = {
        f"{path.name}: .{name}"
        for path in STYLES
        for rule in re.findall(r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL))
        if not rule.lstrip().startswith("@")
        for name in _CLASS.findall(re.sub(r'"[^"]*"', "", rule))
        if name not in words
        and name not in MADE_BY_LIBRARIES
        and not any(name.startswith(stem) for stem in stems)
    }
    assert not unused, "\n".join(sorted(unused))


def test_cells_of_a_table_of_cards_have_their_headings() -> None:
    table = Markup(
        '<thead><tr><th>Bot</th><th class="number"><a>Elo <b>±</b></a></th></tr></thead>'
        "<tbody><tr><th>greedy</th><td class='number'>1500</td></tr></tbody>"
    )
    assert labelled(table).endswith(
        """<tr><th>greedy</th><td data-label="Elo ±" class='number'>1500</td></tr></tbody>"""
    )


@pytest.mark.browser
def test_a_pending_panel_fills_itself(page: Page) -> None:
    address = "/bots/lost_cities/cautious"
    page.goto(address)
    assert "Analysing" in page.locator("#style[data-pending]").inner_text()

    def answer(route: Route) -> None:
        text = route.fetch().text()
        done = text.replace(" data-pending", "").replace("Analysing its latest matches …", "It waits.")
        route.fulfill(status=200, content_type="text/html", body=done)

    page.evaluate("window.stayed = true")
    page.route(f"**{address}", answer)
    page.locator("#style:not([data-pending])").wait_for()
    assert "It waits." in page.locator("#style").inner_text()
    assert page.evaluate("window.stayed")
