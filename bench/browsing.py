"""The first page in a browser: all bytes that it takes, and how soon one can use it on a slow phone.

A page is interactive when its load event is over and no task of more than 50 ms runs on the main thread any more: the end of
the later of the two, from the start of the navigation (web.dev, Time to Interactive, without its network half).
"""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.figures import Figure

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"))
PHONE = (390, 844)
SLOWDOWN = 4
RUNS = 7
MAX_KB = 150.0
MAX_PAGE_S = 1.0
_QUIET_MS = 500
_WATCH = """
window.lastTask = 0;
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.lastTask = Math.max(window.lastTask, task.startTime + task.duration);
}).observe({type: "longtask", buffered: true});
"""
_INTERACTIVE = "Math.max(window.lastTask, performance.getEntriesByType('navigation')[0].loadEventEnd)"


@dataclass(frozen=True, slots=True)
class Visit:
    """One cold visit: bytes over the wire with all headers, by address, and milliseconds until it was interactive."""

    sizes: dict[str, int]
    interactive_ms: float


def measure(origin: str) -> list[Figure]:
    """Visit the start page of an arena some times, each time for the first time."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
        )
        visits = [_visit(browser, origin) for _ in range(RUNS)]
        browser.close()
    sizes = visits[-1].sizes
    largest = sorted(sizes.items(), key=lambda each: -each[1])[:3]
    named = ", ".join(f"{address.rpartition('/')[2] or '/'} {size / 1000:.1f}" for address, size in largest)
    times = [visit.interactive_ms / 1000 for visit in visits]
    return [
        Figure(
            "first page with everything",
            round(sum(sizes.values()) / 1000, 1),
            "KB",
            MAX_KB,
            at_least=False,
            note=f"over the wire, {len(sizes)} requests; largest: {named}",
        ),
        Figure(
            f"first page interactive, {PHONE[0]} px, {SLOWDOWN} × CPU slowdown",
            round(statistics.median(times), 2),
            "s",
            MAX_PAGE_S,
            at_least=False,
            note=f"median of {RUNS}, longest {max(times):.2f} s; load is over and no long task runs",
        ),
    ]


def _visit(browser: Browser, origin: str) -> Visit:
    context = browser.new_context(
        viewport={"width": PHONE[0], "height": PHONE[1]}, is_mobile=True, has_touch=True
    )
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}
    devtools.on(
        "Network.requestWillBeSent", lambda at: addresses.update({at["requestId"]: at["request"]["url"]})
    )
    devtools.on(
        "Network.loadingFinished",
        lambda at: sizes.update({addresses[at["requestId"]]: int(at["encodedDataLength"])}),
    )
    devtools.send("Network.enable")
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.add_init_script(_WATCH)
    page.goto(origin, wait_until="load")
    page.wait_for_timeout(_QUIET_MS)
    interactive_ms = float(page.evaluate(_INTERACTIVE))
    context.close()
    return Visit(sizes, interactive_ms)
