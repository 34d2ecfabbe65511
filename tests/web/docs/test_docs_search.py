"""Search in the docs and rules: what is found, in which order, and what is marked; and in a browser, copying of code."""

from __future__ import annotations

import html
import os
import re
from typing import TYPE_CHECKING

import pytest

from arena.web.docs import code_blocks, docs_search
from tests.web.browser import watch_for_trouble

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser


def first(query: str, language: str = "en") -> str:
    """Return the address of the best section that a query finds."""
    return docs_search.search(query, language).pages[0].sections[0].address


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("elo", "/docs/ratings"),
        ("rating", "/docs/ratings"),
        ("timeout", "/docs/protocol#clocks"),
        ("time control", "/docs/"),
        ("how do I submit", "/docs/bots#submitting-it"),
        ("upload", "/docs/bots"),
        ("tokn", "/docs/protocol"),
        ("knockot", "/docs/organising#formats"),
        ("docker", "/docs/containers"),
        ("suspensions", "/docs/organising#suspensions"),
        ("cloc", "/docs/protocol#clocks"),
        ("bottle", "/games/bottle_imp/rules"),
        ("tournament create", "/docs/organising"),
        ("backup", "/docs/store"),
    ],
)
def test_a_query_finds_first_what_is_meant(query: str, page: str) -> None:
    assert first(query).startswith(page)


def test_a_word_that_is_nowhere_is_replaced_by_one_that_is_spelt_alike() -> None:
    assert docs_search.search("tokn", "en").corrected == ("token",)
    assert docs_search.search("token", "en").corrected == ()


def test_the_sections_of_a_page_stand_together() -> None:
    found = docs_search.search("clock", "en").pages
    assert len({page.address for page in found}) == len(found)
    assert all(each.address.startswith(page.address) for page in found for each in page.sections)


def test_a_page_title_counts_for_its_sections() -> None:
    assert first("organising suspended") == "/docs/organising#suspensions"
    assert first("glossary elo") == "/docs/glossary"


def test_words_that_are_nowhere_together_are_found_apart() -> None:
    assert first("clocks quetzalcoatl")


def test_rules_are_found_in_the_readers_language_without_accents() -> None:
    found = docs_search.search("puntuacion", "es").pages
    assert found
    assert found[0].language == "es"


@pytest.mark.parametrize("query", ["", "   ", "<>&!", "-" * 100, '"', "***", "xqzzyvwk"])
def test_a_query_without_known_words_finds_nothing(query: str) -> None:
    assert docs_search.search(query, "en").pages == ()


@pytest.mark.parametrize(
    "query", ['"elo', "elo OR", "NEAR(elo", "title:elo", "elo*", "(elo)", "-elo", "elo'"]
)
def test_a_query_is_words_and_no_language(query: str) -> None:
    assert docs_search.search(query, "en").pages


def test_words_are_marked_and_the_rest_is_escaped() -> None:
    assert docs_search._marked("a <b> \x02Clock\x03") == "a &lt;b&gt; <mark>Clock</mark>"


def test_results_are_on_a_page_without_scripts(client: TestClient) -> None:
    page = client.get("/docs/search", params={"q": "suspensions"}).text
    assert '<a href="/docs/organising#suspensions"><mark>Suspensions</mark></a>' in page


def test_a_query_that_is_too_long_is_refused(client: TestClient) -> None:
    assert client.get("/docs/search", params={"q": "x" * 101}).status_code == 422


def test_a_console_tells_prompt_command_and_output_apart() -> None:
    drawn = code_blocks.highlight("$ arena <x> \\\n    --more\ndone\n", "console")
    assert drawn == (
        '<span class="prompt">$ </span><span class="command">arena &lt;x&gt; \\</span>\n'
        '<span class="command">    --more</span>\n<span class="output">done</span>\n'
    )


def test_code_is_coloured_and_stays_the_same_text() -> None:
    source = 'def f(x: int) -> str:\n    return "<a>"  # why\n'
    drawn = code_blocks.highlight(source, "python")
    assert '<span class="code-keyword">def</span>' in drawn
    assert html.unescape(re.sub("<[^>]+>", "", drawn)) == source


def test_the_same_in_several_languages_stands_one_after_the_other_without_scripts(client: TestClient) -> None:
    page = client.get("/docs/bots").text
    assert re.findall('data-language="([a-z]+)"><p class="tab-name">([^<]+)', page) == [
        ("python", "Python"),
        ("typescript", "TypeScript"),
    ]


@pytest.mark.browser
def test_a_chosen_language_is_remembered_on_the_next_page_that_has_it(browser: Browser, origin: str) -> None:
    context = browser.new_context(base_url=origin)
    page = context.new_page()
    trouble = watch_for_trouble(page)
    page.goto("/docs/bots")
    page.get_by_role("tab", name="Python").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tabpanel", name="TypeScript").is_visible()
    assert page.get_by_role("tabpanel", name="Python").count() == 0
    page.goto("/docs/protocol")
    assert (
        page.get_by_role("tab", name="Python").get_attribute("aria-selected") == "true"
    )  # it has no TypeScript
    page.goto("/docs/bots")
    assert page.get_by_role("tab", name="TypeScript").get_attribute("aria-selected") == "true"
    if pictures := os.environ.get("ARENA_TEST_PICTURES"):
        page.get_by_role("tab", name="TypeScript").scroll_into_view_if_needed()
        page.screenshot(path=f"{pictures}/docs-tabs.png")
    assert trouble == []
    context.close()


@pytest.mark.browser
def test_code_is_copied_without_prompts_and_docs_are_searched_while_typing(
    browser: Browser, origin: str
) -> None:
    context = browser.new_context(base_url=origin, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    trouble = watch_for_trouble(page)
    page.goto("/docs/bots")
    page.locator(".code .copy").first.click()
    page.locator(".code .copy").first.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == (
        "arena bot new my-bot --game lost_cities\narena match my-bot greedy --sets 20"
    )
    page.keyboard.press("/")
    page.keyboard.type("suspensions")
    page.locator(".found a").first.wait_for()
    if pictures := os.environ.get("ARENA_TEST_PICTURES"):
        page.screenshot(path=f"{pictures}/docs-typing.png")
    page.locator(".found ul a").first.click()
    page.wait_for_url("**/docs/organising#suspensions")
    assert trouble == []
    context.close()
