"""The docs are pages: every text of docs/, with links between pages that lead somewhere, and the rules in both languages."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from arena.games.registry import GAMES
from arena.web.docs import markdown_documents
from arena.web.ui.languages import LANGUAGES

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser

PAGES = [
    *(f"/docs/{name}" for name in sorted({"start", *markdown_documents.names()})),
    *(f"/games/{game}/rules?language={language}" for game in GAMES for language in LANGUAGES),
]


def test_index_names_every_page_of_the_docs(client: TestClient) -> None:
    page = client.get("/docs").text
    for address in PAGES:
        assert f'href="{address.partition("?")[0]}"' in page


@pytest.mark.parametrize("address", PAGES)
def test_links_of_a_page_lead_to_headings_that_are_there(client: TestClient, address: str) -> None:
    page = client.get(address).text
    for target in re.findall(r'href="([^"?]*#[^"]+)"', page):
        path, _, anchor = target.partition("#")
        other = client.get(path).text if path else page
        assert f'id="{anchor}"' in other, target


def test_rules_are_answered_in_the_reader_s_language(client: TestClient) -> None:
    answer = client.get("/games/lost_cities/rules", headers={"Accept-Language": "es"})
    assert answer.headers["content-language"] == "es"
    assert '<h2 id="reglas">Reglas</h2>' in answer.text
    assert '<a class="button" href="?language=en" hreflang="en" lang="en">English</a>' in answer.text


def test_rules_in_another_language_than_the_page_say_so(client: TestClient) -> None:
    page = client.get("/games/lost_cities/rules", params={"language": "es"}).text
    assert '<html lang="en">' in page
    assert '<article class="panel prose" lang="es">' in page


def test_rules_in_a_language_that_there_is_not_are_refused(client: TestClient) -> None:
    answer = client.get("/games/lost_cities/rules", params={"language": "tlh"})
    assert answer.status_code == 404
    assert "the rules are available in en, es" in answer.text


def test_pictures_and_records_are_served_and_kept_by_the_browser(client: TestClient) -> None:
    for address, media_type in (
        ("/docs/images/lifeboats.png", "image/png"),
        ("/docs/images/lifeboats.webp", "image/webp"),
        ("/docs/records/lifeboats.json", "application/json"),
    ):
        answer = client.get(address)
        assert answer.headers["content-type"] == media_type
        again = client.get(address, headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304


@pytest.mark.parametrize("address", ["/docs/images/nothing.png", "/docs/nothing/x.png", "/docs/nothing"])
def test_what_is_not_there_is_not_found(client: TestClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_remarks_of_an_annotated_match_stand_out(client: TestClient) -> None:
    page = client.get("/games/land_unter/rules").text
    assert '<span class="remark">Water 5 and 6.' in page
    assert "tests/test_docs.py" not in page


def test_docs_are_there_for_programs(client: TestClient) -> None:
    assert client.get("/api/v1/docs").json()["names"][:3] == ["adapting", "adding-a-game", "api"]
    rules = client.get("/api/v1/docs/games/land_unter", params={"language": "es"}).json()
    assert (rules["title"], rules["language"]) == ("Land Unter", "es")
    assert rules["markdown"].startswith("# Land Unter")
    assert client.get("/api/v1/docs/nothing").json()["code"] == "not_found"


@pytest.mark.parametrize("address", PAGES)
def test_no_heading_skips_a_level(client: TestClient, address: str) -> None:
    main = client.get(address).text.partition("<main")[2]
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", main)]
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def test_every_page_has_the_menu_with_itself_marked(client: TestClient) -> None:
    for address in ("/docs/bots", "/games/lost_cities/rules"):
        page = client.get(address).text
        assert f'<a href="{address}" aria-current="page">' in page
        assert 'href="/docs/runbook"' in page


def test_pages_lead_to_the_one_before_and_the_next(client: TestClient) -> None:
    way: list[str] = []
    address: str | None = "/games/lost_cities/rules"
    while address:
        way.append(address)
        page = client.get(address).text
        if len(way) > 1:
            assert f'rel="prev" href="{way[-2]}"' in page
        found = re.search(r'rel="next" href="([^"]+)"', page)
        address = found and found[1]
    assert {each.partition("?")[0] for each in PAGES} == set(way)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("language", "words"), [("en", "Scoring, by example."), ("es", "con un ejemplo.")])
def test_rules_begin_with_an_example_of_scoring(
    client: TestClient, game: str, language: str, words: str
) -> None:
    rules = client.get(f"/games/{game}/rules", params={"language": language}).text.partition("<h2")[2]
    assert words in rules[:200]


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_menu_and_contents_open_on_a_phone(browser: Browser, origin: str, scripts: bool) -> None:  # noqa: FBT001 - a parameter
    context = browser.new_context(
        base_url=origin, viewport={"width": 390, "height": 844}, java_script_enabled=scripts
    )
    page = context.new_page()
    page.goto("/docs/bots")
    menu = page.get_by_role("navigation", name="All pages")
    assert not menu.is_visible()
    page.get_by_role("button", name="All pages").click()
    menu.get_by_role("link", name="The bot protocol").click()
    page.wait_for_url("**/docs/protocol")
    page.get_by_role("button", name="On this page").click()
    assert page.get_by_role("navigation", name="On this page").get_by_role("link", name="Clocks").is_visible()
    context.close()


@pytest.mark.browser
def test_menu_page_and_contents_stand_side_by_side_on_a_desk(browser: Browser, origin: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{origin}/docs/bots")
    boxes = [page.locator(place).bounding_box() for place in ("#docs-menu", ".prose", "#docs-contents")]
    lefts = [box["x"] for box in boxes if box]
    assert lefts == sorted(lefts)
    assert len({round(box["y"] / 20) for box in boxes if box}) == 1
    page.close()
