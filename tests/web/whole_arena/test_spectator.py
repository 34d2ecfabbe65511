"""A spectator in a real browser follows a tournament of a whole arena, live, to its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from tests.parts.arena_process import ARENA, RunningArena, clean_environment
from tests.web.browser import running_browser, watch_for_trouble

if TYPE_CHECKING:
    from pathlib import Path

END_MS = 100_000
BOTS = ("greedy", "random", "rusher")
CYCLES = 10
MATCHES = 3 * 2 * CYCLES
NOTE_PROGRESS = """() => {
  const value = () => document.querySelector("[data-part=progress] progress").value;
  window.seen = [value()];
  new MutationObserver(() => { if (value() !== seen.at(-1)) seen.push(value()); })
    .observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Writes down every value that the progress bar shows, for as long as the page is not loaded again."""


def _create(data: Path) -> int:
    command = (
        *(ARENA, "tournament", "create", "lost_cities", "--bots", ",".join(BOTS), "--option", "hands=1"),
        *("--cycles", str(CYCLES), "--name", "Live Cup", "--data", str(data), "--json"),
    )
    answer = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, timeout=60, env=clean_environment()
    ).stdout
    number: int = json.loads(answer)["id"]
    return number


def _stop_workers(arena: RunningArena) -> None:
    """Stop the workers while none is writing, so that the page is open before anything is played."""
    with closing(arena.open_store()) as store, store.write() as session:
        session.execute(
            select(1)
        )  # begins the transaction: a worker stopped in one would keep it from everybody
        for pid in arena.pids("worker"):
            os.kill(pid, signal.SIGSTOP)


def _continue_workers(arena: RunningArena) -> None:
    for pid in arena.pids("worker"):
        os.kill(pid, signal.SIGCONT)


@pytest.mark.browser
def test_spectator_follows_a_tournament_live_to_its_end(arena: RunningArena) -> None:
    with running_browser() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        trouble = watch_for_trouble(page)
        try:
            _stop_workers(arena)
            page.goto(f"http://127.0.0.1:{arena.port}/tournaments/{_create(arena.data)}")
            page.evaluate(NOTE_PROGRESS)
            _continue_workers(arena)
            page.wait_for_selector("[data-part=progress] .tag.finished", timeout=END_MS)
            page.wait_for_selector("[data-part=standings] :text('final')")
            seen = page.evaluate("window.seen")
            assert (seen[0], seen[-1]) == (0, MATCHES)
            assert len(seen) > 2
            assert seen == sorted(seen)
            rows = page.locator("#standings tbody tr")
            assert sorted(rows.locator("th").all_inner_texts()) == [f"{bot} v1" for bot in sorted(BOTS)]
            assert rows.locator("td:nth-last-child(2)").all_inner_texts() == [str(4 * CYCLES)] * len(BOTS)
            assert not trouble
        finally:
            _continue_workers(arena)
