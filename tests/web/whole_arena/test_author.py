"""An author in a real browser, with real parts: registers, fails, mends his bot, enters a tournament; all on a phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import FilePayload

from arena.accounts import invitations
from arena.accounts.actors import OPERATOR
from arena.competition import creation
from arena.competition.drafts import TournamentSpec
from referee.sandbox import command
from tests.bundle_format.uploads import BOT
from tests.parts.arena_process import RunningArena
from tests.web.browser import running_browser, watch_for_trouble

if TYPE_CHECKING:
    from playwright.sync_api import Page

VERDICT_MS = 60_000
"""How long a qualification may take on a busy machine: some two seconds otherwise."""
BROKEN = BOT.replace("return", "raise RuntimeError('no such file as my_weights.bin')\n        return")


@pytest.mark.browser
def test_author_registers_fails_mends_his_bot_and_enters_a_tournament(arena: RunningArena) -> None:
    if not command.find():
        pytest.skip("needs bubblewrap: apt-get install bubblewrap libseccomp2")
    store = arena.open_store()
    cup = creation.create(store, TournamentSpec("lost_cities", (), begin="open", name="Open Cup"))
    invitation = invitations.invite(store, OPERATOR).invitation
    with running_browser() as browser:
        page = browser.new_page(
            base_url=f"http://127.0.0.1:{arena.port}", viewport={"width": 390, "height": 844}
        )
        trouble = watch_for_trouble(page)
        page.goto(f"/register?invitation={invitation}")
        page.get_by_label("Name").fill("grace")
        page.get_by_label("Password").fill("five whole words")
        page.get_by_role("button", name="Create my account").click()
        page.get_by_role("link", name="Submit your first bot").click()
        page.get_by_label("Game").first.select_option("lost_cities")
        upload(page, BROKEN)
        page.get_by_text("Not qualified.").wait_for(timeout=VERDICT_MS)
        verdict = page.locator("[data-part=now]").inner_text()
        assert re.search(r"It crashed (while starting|in match \d of 2)", verdict)
        assert "RuntimeError: no such file as my_weights.bin" in verdict
        upload(page, BOT)
        page.get_by_role("button", name="Enter Open Cup").click(timeout=VERDICT_MS)
        page.get_by_text("The bot has been entered.").wait_for()
        assert page.locator("[data-part=now]").inner_text().startswith("Version 2")
        page.goto(f"/tournaments/{cup}")
        assert page.locator("#standings tbody th").all_inner_texts() == ["mine v2"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert not trouble
    store.close()


def upload(page: Page, program: str) -> None:
    file: FilePayload = {"name": "mine.py", "mimeType": "text/x-python", "buffer": program.encode()}
    page.get_by_label("File").set_input_files(files=[file])
    page.get_by_role("button", name="Upload and qualify").click()
