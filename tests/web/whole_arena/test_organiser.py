"""An organiser in a real browser, with real parts: creates, watches, pauses, resumes, finishes, exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from arena.accounts import audit_log, users
from arena.accounts.actors import OPERATOR
from arena.reports.archive_verification import check
from tests.parts.arena_process import RunningArena, done
from tests.patience import wait_until
from tests.web.browser import running_browser, watch_for_trouble

if TYPE_CHECKING:
    from pathlib import Path

PASSWORD = "three or four words"
CYCLES = 100
WITHIN_MS = 90_000
"""How long the tournament may take on a busy machine: some five seconds otherwise."""


@pytest.mark.browser
def test_organiser_creates_watches_pauses_resumes_and_exports(arena: RunningArena, tmp_path: Path) -> None:
    store = arena.open_store()
    users.create(store, OPERATOR, "olga", "organiser", PASSWORD)
    with running_browser() as browser:
        page = browser.new_page(
            base_url=f"http://127.0.0.1:{arena.port}", viewport={"width": 1280, "height": 900}
        )
        trouble = watch_for_trouble(page)
        page.goto("/organise")
        page.get_by_role("textbox", name="Name").fill("olga")
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()

        page.get_by_role("link", name="New tournament").click()
        page.get_by_role("link", name="Lost Cities").last.click()
        page.get_by_label("Filter", exact=True).fill("greedy")
        page.get_by_role("button", name="All shown").click()
        page.get_by_label("Filter", exact=True).fill("random")
        page.get_by_role("button", name="All shown").click()
        page.get_by_label("Cycles", exact=True).fill(str(CYCLES))
        page.get_by_label("hands", exact=True).fill("1")
        page.get_by_label("Name", exact=True).fill("Olga's Cup")
        page.get_by_text("Save as draft").click()
        page.locator("[data-verdict]").get_by_text(f"{2 * CYCLES} matches").wait_for()
        page.get_by_role("button", name="Create").click()

        page.get_by_role("button", name="Start").click()
        page.get_by_role("button", name="Pause").click()
        page.locator(".tag.paused").first.wait_for()
        number = int(page.url.rpartition("/")[2])
        assert done(store, number) < 2 * CYCLES
        page.get_by_role("button", name="Resume").click()
        page.evaluate("window.stayed = true")
        page.locator(".tag.finished").first.wait_for(timeout=WITHIN_MS)
        page.get_by_text("The tournament is over").wait_for()
        assert page.evaluate("window.stayed"), "the page follows by itself"
        assert page.locator("[data-done]").first.inner_text() == str(2 * CYCLES)

        with page.expect_download() as download:
            page.locator(".data-menu summary").last.click()
            page.get_by_role("link", name="everything (zip)").click()
        download.value.save_as(tmp_path / "cup.zip")
        page.goto("/organise")
        assert "Olga's Cup" in page.locator("#tournaments-over").inner_text()
        assert not trouble
    assert check(tmp_path / "cup.zip", lambda _done, _total: None).matches == 2 * CYCLES
    wait_until(lambda: done(store, number) == 2 * CYCLES, "all is played")
    log = [row.action for row in audit_log.listing(store, OPERATOR) if row.subject == f"tournament/{number}"]
    assert log[::-1] == [f"tournament.{verb}" for verb in ("create", "start", "pause", "resume")]
    store.close()
