"""`arena view`: records of files in a real browser, served on this machine or as one file."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from arena.games import registry
from tests.cli.running import run
from tests.parts.arena_process import ARENA, clean_environment
from tests.web.browser import running_browser, watch_for_trouble

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LAND_UNTER = registry.package("land_unter").folder / "docs" / "match.json"
LOST_CITIES = registry.package("lost_cities").folder / "docs" / "match.json"


@dataclass(frozen=True)
class Viewing:
    """A folder of records, and where it is shown."""

    folder: Path
    origin: str
    process: subprocess.Popen[str]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def viewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewing]:
    folder = tmp_path_factory.mktemp("records")
    shutil.copy(LAND_UNTER, folder / "a.json")
    shutil.copy(LOST_CITIES, folder / "b.json")
    (folder / "c.json").write_text('{"format": "arena-match/1"}')
    with subprocess.Popen(
        [ARENA, "view", str(folder), "--no-browser"],
        stdout=subprocess.PIPE,
        env=clean_environment(),
        text=True,
    ) as process:
        assert process.stdout is not None
        yield Viewing(folder, process.stdout.readline().split()[0], process)
        process.terminate()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    trouble = watch_for_trouble(page)
    yield page
    context.close()
    assert not trouble


@pytest.mark.browser
def test_record_is_stepped_through_by_any_eyes(page: Page, viewing: Viewing) -> None:
    page.goto(f"{viewing.origin}records/2?point=3")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector('.position[data-point="4"][data-view="all"]')
    page.click("[data-eye='1']")
    page.wait_for_selector('.position[data-point="4"][data-view="1"]')


@pytest.mark.browser
def test_list_leads_to_each_record_and_each_to_the_next(page: Page, viewing: Viewing) -> None:
    page.goto(viewing.origin)
    page.get_by_role("link", name="a", exact=True).click()
    page.click("[rel=next]")
    page.wait_for_url("**/records/2")
    assert "b.json" in page.locator("main").inner_text()


@pytest.mark.browser
def test_page_is_loaded_again_when_its_file_is_written_again(page: Page, viewing: Viewing) -> None:
    written = viewing.folder / "a.json"
    page.goto(f"{viewing.origin}records/1?point=2")
    draft = written.with_suffix(".draft")
    draft.write_text(
        written.read_text().replace('"bot":"', '"bot":"new-', 1).replace('"bot": "', '"bot": "new-', 1)
    )
    draft.replace(written)
    page.wait_for_selector("h1:has-text('new-')")
    assert page.url.endswith("?point=2")


def test_a_step_is_shown_with_its_reference(viewing: Viewing) -> None:
    record = json.loads(LOST_CITIES.read_text())
    at = next(number for number, step in enumerate(record["steps"]) if step.get("seat") == 1)
    shown = httpx.get(f"{viewing.origin}records/2?step={at}").text
    told = shown.partition('<p class="told">')[2].partition("</p>")[0]
    assert f"{record['match']}:{at}" in told
    assert record["steps"][at]["action"] in told
    assert "What the bots thought" not in shown


@pytest.mark.browser
def test_notes_beside_the_record_are_shown_and_follow_the_board(page: Page, viewing: Viewing) -> None:
    record = json.loads(LOST_CITIES.read_text())
    first, later, *_ = (number for number, step in enumerate(record["steps"]) if step.get("seat") == 0)
    folder = viewing.folder / "noted"
    folder.mkdir()
    shutil.copy(LOST_CITIES, folder / "m.json")
    steps = [
        {
            "step": at,
            "candidates": [[record["steps"][at]["action"], 0.5]],
            "numbers": {"win": at},
            "text": f"<b>{at}</b>",
        }
        for at in (first, later)
    ]
    (folder / "m.notes.jsonl").write_text(
        json.dumps({"seat": 0, "steps": steps, "dropped": 0, "reason": ""}) + "\n"
    )
    out = folder / "m.html"
    done = run("view", str(folder), "--at", f"{record['match']}:{first}", "--out", str(out))
    assert done.code == 0, done.error
    page.goto(out.as_uri())
    noted = page.locator("[data-now-noted]")
    assert f"<b>{first}</b>" in noted.inner_text()
    while f"<b>{later}</b>" not in noted.inner_text():
        page.keyboard.press("ArrowRight")
    (folder / "m.notes.jsonl").write_text("nonsense\n")
    refused = run("view", str(folder), "--out", str(out))
    assert refused.code == 1
    assert "m.notes.jsonl: line 1 is not the notes of a seat" in refused.error


def test_a_broken_record_among_others_says_why_it_cannot_be_shown(viewing: Viewing) -> None:
    shown = httpx.get(f"{viewing.origin}records/3").text
    assert "This record cannot be shown: match: " in shown


def test_other_names_of_the_machine_get_nothing(viewing: Viewing) -> None:
    assert httpx.get(viewing.origin, headers={"Host": "arena.example.org"}).status_code == 400


@pytest.mark.browser
def test_one_file_holds_the_page_with_all_its_boards(page: Page, tmp_path: Path) -> None:
    out = tmp_path / "match.html"
    assert run("view", str(LAND_UNTER), "--out", str(out)).code == 0
    assert "/static/" not in out.read_text()
    page.goto(out.as_uri())
    page.locator("#board").focus()
    page.keyboard.press("End")
    page.wait_for_selector(f'.position[data-point="{page.locator("#board").get_attribute("data-final")}"]')
    page.click("[data-eye=public]")
    page.wait_for_selector('.position[data-view="public"]')


def test_interrupt_ends_it_without_an_error(tmp_path: Path) -> None:
    command = [ARENA, "view", str(LOST_CITIES), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment(), text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.kill(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (0, "")


def test_what_cannot_be_shown_is_refused_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    for arguments, code, message in (
        ((str(broken),), 1, "record: must be JSON"),
        ((str(tmp_path / "none.json"),), 2, "there is no such file or folder"),
        ((str(LOST_CITIES), str(LAND_UNTER), "--out", "x.html"), 2, "out: takes one record, there are 2"),
        ((str(LOST_CITIES), "--at", "37"), 2, "at '37': must be MATCH:STEP"),
        ((str(LOST_CITIES), "--at", "abc:37"), 2, "at abc:37: none of the records is that of match abc"),
    ):
        done = run("view", *arguments, "--no-browser")
        assert (done.code, done.error.count("\n")) == (code, 1)
        assert message in done.error
