"""What those hear who do not see a page: the tree that Chromium gives to screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.conftest import Cast

pytestmark = pytest.mark.browser


class Heard:
    """The parts of a page in the order in which they are read, each with its role and its name."""

    def __init__(self, page: Page) -> None:
        devtools = page.context.new_cdp_session(page)
        nodes = devtools.send("Accessibility.getFullAXTree")["nodes"]
        self._by_id = {node["nodeId"]: node for node in nodes}
        self._root = nodes[0]

    def under(self, role: str, name: str) -> list[tuple[str, str]]:
        """List what is read of the first part with a role whose name begins so."""
        for node in self._walk(self._root):
            if self._role(node) == role and self._name(node).startswith(name):
                return [
                    (self._role(each), self._name(each))
                    for each in self._walk(node)
                    if not each.get("ignored")
                ]
        heard = sorted({(self._role(each), self._name(each)) for each in self._by_id.values()})
        raise AssertionError(f"no {role} {name!r} among {heard[:80]}")

    def all(self, role: str) -> list[str]:
        """List the names of all parts with a role."""
        return [self._name(node) for node in self._walk(self._root) if self._role(node) == role]

    def _walk(self, node: dict[str, object]) -> list[dict[str, object]]:
        below = [self._by_id[each] for each in node.get("childIds", []) if each in self._by_id]  # type: ignore[attr-defined]
        return [node, *(each for child in below for each in self._walk(child))]

    @staticmethod
    def _role(node: dict[str, object]) -> str:
        return str(node.get("role", {}).get("value", ""))  # type: ignore[attr-defined]

    @staticmethod
    def _name(node: dict[str, object]) -> str:
        return str(node.get("name", {}).get("value", "")).strip()  # type: ignore[attr-defined]


def words(heard: list[tuple[str, str]]) -> str:
    """Join the texts of a part as they are read."""
    return " ".join(name for role, name in heard if role == "StaticText")


def test_a_board_is_heard_with_its_players_and_whose_move_it_is(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=60")
    board = words(Heard(page).under("region", "Board"))
    for name in ("random", "cautious"):
        assert name in board, board
    assert "to move" in board


def test_a_move_is_heard_in_words_with_the_one_who_made_it(page: Page, cast: Cast) -> None:
    page.goto(f"/tournaments/{cast.finished}/sets/1/matches/0?point=60")
    links = [name for name in Heard(page).all("link") if "play" in name or "discard" in name]
    assert len(links) > 10
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('[data-status]').textContent.includes('61 /')")
    spoken = page.locator("[data-status]").inner_text()
    assert any(name in spoken for name in ("random", "greedy", "cautious")), spoken


@pytest.mark.parametrize("width", [390, 1280])
def test_a_table_stays_a_table_as_cards_on_a_phone(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/tournaments")
    heard = Heard(page).under("table", "")
    roles = [role for role, _ in heard]
    assert roles.count("row") >= 4
    assert "rowheader" in roles
    assert next(name for role, name in heard if role == "rowheader").startswith("Talking Cup")
    assert roles.count("cell") >= 4 * 4


def test_a_table_of_ratings_says_which_column_sorts_it(page: Page) -> None:
    page.goto("/games/lost_cities")
    headings = Heard(page).all("columnheader")
    assert any("Bot" in heading for heading in headings), headings
    assert page.locator("th[aria-sort]").count() >= 1


def test_every_region_and_every_button_has_a_name(page: Page, cast: Cast) -> None:
    for address in (
        "/",
        "/tournaments/1",
        f"/tournaments/{cast.talk}/sets/0/matches/0?point=30",
        "/games/lost_cities",
    ):
        page.goto(address)
        heard = Heard(page)
        for role in ("button", "region", "link", "table", "img", "navigation"):
            names = heard.all(role)
            assert role == "table" or all(names), (address, role, names)
