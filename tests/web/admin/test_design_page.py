"""The page of all components: what each looks like in its states."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from arena.accounts import sessions, users
from arena.accounts.actors import OPERATOR
from arena.web.auth.api_auth import COOKIE
from tests.web.access import ACCESS
from tests.web.browser import watch_for_trouble
from tests.web.layout_faults import layout_faults

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.web.conftest import Cast

pytestmark = pytest.mark.browser

PASSWORD = "three or four words"


@pytest.fixture(scope="module")
def cookie(cast: Cast) -> str:
    users.create(cast.store, OPERATOR, "designer", "admin", PASSWORD)
    return sessions.begin(cast.store, ACCESS.secret, "designer", PASSWORD).cookie


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_component_fits_in_every_state(
    browser: Browser, origin: str, cookie: str, width: int, colours: Literal["light", "dark"]
) -> None:
    context = browser.new_context(
        base_url=origin, viewport={"width": width, "height": 900}, color_scheme=colours
    )
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": origin}])
    page = context.new_page()
    trouble = watch_for_trouble(page)
    page.goto("/design")
    page.locator("[data-drawn]").first.wait_for()
    found = layout_faults(page)
    if folder := os.environ.get("ARENA_TEST_PICTURES"):
        page.screenshot(path=str(Path(folder) / f"design-{width}-{colours}.png"), full_page=True)
    assert page.locator("main > section > .panel, main > section .halves > .panel").count() > 15
    assert not found, "\n".join(found)
    assert trouble == []
