"""A real browser: Debian's Chromium without its windows, which asks nobody but us and starts in half the time."""

from __future__ import annotations

import asyncio
import atexit
import functools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"))
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--renderer-process-limit=1",  # starting one for each page takes a fifth of a page's time
)


@contextmanager
def running_browser() -> Iterator[Browser]:
    """Use Chromium; skip the test where there is none (in CI a skip is a failure).

    It is started once for this process.  Playwright marks its event loop as the thread's running one, and leaves the
    mark when a call returns: between two uses it is taken away, since asyncio refuses to run another loop there.
    """
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not there: apt-get install chromium-headless-shell")
    before = asyncio._get_running_loop()
    browser, loop = _started()
    asyncio._set_running_loop(loop)
    others = list(browser.contexts)
    try:
        yield browser
    finally:
        for context in browser.contexts:
            if context not in others:
                context.close()
        asyncio._set_running_loop(before)


@functools.cache
def _started() -> tuple[Browser, asyncio.AbstractEventLoop]:
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=_FLAGS)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        asyncio._set_running_loop(loop)
        browser.close()
        playwright.stop()

    atexit.register(stop)
    return browser, loop


def watch_for_trouble(page: Page) -> list[str]:
    """Collect what the page complains of: errors of scripts, and all that its policy refuses."""
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    return trouble
