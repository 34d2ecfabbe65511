"""The reference of the API: drawn by RapiDoc in a browser, a list of operations without scripts."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

import pytest

from arena.client import RemoteArena
from arena.web.http import openapi_document
from arena.web.http.security_headers import POLICY, STYLED_POLICY
from arena.web.ui import static_assets
from tests.web.browser import watch_for_trouble

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser

MOST_BYTES = 60_000
"""Weight of the page itself; the renderer comes once for each release, as it is cached for ever."""
RENDERER_BYTES = 230_000
"""Weight of the renderer, compressed: the one exception to what pages may weigh."""


@pytest.fixture(scope="module")
def document(client: TestClient) -> Mapping[str, Any]:
    """The OpenAPI document."""
    read: Mapping[str, Any] = client.get("/openapi.json").json()
    return read


def test_the_list_without_scripts_names_every_operation(
    client: TestClient, document: Mapping[str, Any]
) -> None:
    page = client.get("/reference").text
    for method, path, operation in openapi_document.operations(document):
        assert f"<code>{method} {path}</code> {operation['summary']}" in page.replace("&#39;", "'")


def test_every_operation_is_in_a_group_that_is_described(document: Mapping[str, Any]) -> None:
    groups = {tag["name"] for tag in document["tags"]}
    assert {tag for _, _, each in openapi_document.operations(document) for tag in each["tags"]} == groups


def test_every_operation_is_shown_by_curl(document: Mapping[str, Any]) -> None:
    for _, _, operation in openapi_document.operations(document):
        assert operation["x-codeSamples"][0]["source"].startswith("curl ")


def test_samples_in_python_call_methods_that_the_client_has(document: Mapping[str, Any]) -> None:
    arena = RemoteArena("https://arena.example.org")
    for _, path, operation in openapi_document.operations(document):
        for sample in operation["x-codeSamples"][1:]:
            calls = [node for node in ast.walk(ast.parse(sample["source"])) if isinstance(node, ast.Call)]
            call = next(each for each in calls if ast.unparse(each.func).startswith("arena."))
            _, noun, name = ast.unparse(call.func).split(".")
            signature = inspect.signature(getattr(getattr(arena, noun), name))
            signature.bind(*call.args, **{str(each.arg): each.value for each in call.keywords}), path


def test_samples_of_operations_that_need_a_token_send_one(document: Mapping[str, Any]) -> None:
    for _, path, operation in openapi_document.operations(document):
        for sample in operation["x-codeSamples"]:
            assert ("token" in sample["source"].lower().replace("/tokens", "")) >= (
                "security" in operation
            ), path


def test_this_page_alone_may_have_styles_of_its_renderer(client: TestClient) -> None:
    header = "content-security-policy"
    assert client.get("/reference").headers[header] == STYLED_POLICY
    assert client.get("/docs").headers[header] == POLICY
    assert "script-src 'self';" in STYLED_POLICY


def test_the_renderer_is_loaded_here_only_and_cached_for_ever(client: TestClient) -> None:
    assert static_assets.has_reference(), "make setup"
    address = static_assets.address("rapidoc-min.js")
    assert address in client.get("/reference").text
    assert address not in client.get("/docs/api").text
    assert "immutable" in client.get(address).headers["cache-control"]


def test_the_page_is_light_but_for_its_renderer(client: TestClient) -> None:
    packed = {"Accept-Encoding": "gzip"}
    assert int(client.get("/reference", headers=packed).headers["content-length"]) < MOST_BYTES
    renderer = client.get(static_assets.address("rapidoc-min.js"), headers=packed)
    assert int(renderer.headers["content-length"]) < RENDERER_BYTES


@pytest.mark.browser
def test_an_operation_has_menu_curl_python_and_an_example_answer(browser: Browser, origin: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    trouble = watch_for_trouble(page)
    page.goto(f"{origin}/reference#get-/api/v1/tournaments/-tournament_id-")
    page.get_by_role("heading", name="Show a tournament", exact=True).wait_for()
    page.get_by_text(f"curl {origin}/api/v1/tournaments/1").wait_for()
    page.get_by_role("button", name="Python").click()
    page.get_by_text("arena.tournaments.show").wait_for()
    page.get_by_text('"standings"').first.wait_for()
    assert page.get_by_role("navigation", name="Operations").get_by_text("Create a tournament").count()
    assert trouble == []
    page.close()


@pytest.mark.browser
def test_groups_stand_below_each_other_on_a_phone(browser: Browser, origin: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{origin}/reference")
    page.get_by_text("Tournaments: creating").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


@pytest.mark.browser
def test_groups_open_without_scripts(browser: Browser, origin: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{origin}/reference")
    page.get_by_text("Tournaments: creating").click()
    assert page.get_by_text("POST /api/v1/tournaments", exact=True).is_visible()
    page.context.close()
