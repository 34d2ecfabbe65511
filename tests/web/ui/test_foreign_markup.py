"""Text from elsewhere is never markup: records, names, talk and file names full of tags are shown as text and run nothing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jinja2 import Environment, nodes

import arena
from arena.games import registry
from arena.web.analysis.loss_page import draw_page
from tests.analysis.test_losses import found
from tests.cli.running import run
from tests.parts.arena_process import ARENA, clean_environment
from tests.web.browser import running_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEMPLATES = sorted(Path(arena.__file__).parent.rglob("*.html"))
TRANSLATING = {"_", "gettext", "ngettext", "pgettext", "npgettext"}
HOSTILE = "</script></title><script>document.body.dataset.ran=1</script><img src=x onerror=document.body.dataset.ran=1>%(a)s{b}"
RECORD = registry.package("lifeboats").docs / "match.json"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_translate_only_literals_by_underscore(template: Path) -> None:
    """What `_` returns is markup, so a variable would not be escaped; the filter `tell` translates variables."""
    tree = Environment(extensions=["jinja2.ext.i18n"], autoescape=True).parse(template.read_text())
    variables = [
        call.lineno
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name)
        and call.node.name in TRANSLATING
        and not all(isinstance(each, nodes.Const) for each in call.args[:1])
    ]
    assert not variables


def hostile_record() -> dict[str, Any]:
    record: dict[str, Any] = json.loads(RECORD.read_text())
    for seat in record["seats"]:
        seat["bot"], seat["version"] = HOSTILE, HOSTILE
    for step in record["steps"]:
        if "say" in step:
            step["say"]["text"] = HOSTILE
    return record


def broken_record() -> dict[str, Any]:
    record = hostile_record()
    record["result"] = {
        "places": [3, 1, 1],
        "end": "fault",
        "fault": {"seat": 0, "kind": "crash", "message": HOSTILE},
    }
    record["steps"] = record["steps"][:8]
    return record


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def ran(page: Page) -> bool:
    """Return whether a script of the foreign text has run, or one of its tags is an element of the page."""
    page.wait_for_load_state()
    found: bool = page.evaluate(
        "'ran' in document.body.dataset || !!document.querySelector('[onerror], img[src=x]')"
    )
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foreign")
    name = HOSTILE.replace("/", "")[:60]
    (folder / f"a {name}.json").write_text(json.dumps(hostile_record()))
    (folder / "b.json").write_text(json.dumps(broken_record()))
    (folder / "c.json").write_text(json.dumps(hostile_record() | {"variant": HOSTILE}))
    (folder / "d.json").write_text(json.dumps(hostile_record() | {"game": HOSTILE}))
    return folder


@pytest.fixture
def origin(folder: Path) -> Iterator[str]:
    """Serve the records on this machine and return the address."""
    command = [ARENA, "view", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=clean_environment(), text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[0]
        process.terminate()


@pytest.mark.browser
def test_served_records_show_foreign_text_as_text(page: Page, origin: str) -> None:
    for path in ("", "records/1", "records/1?point=4", "records/2", "records/3", "records/4"):
        page.goto(origin + path)
        assert "<script>document.body" in page.locator("main").inner_text()
        assert not ran(page)


@pytest.mark.browser
@pytest.mark.parametrize("record", ["a", "b"])
def test_a_written_record_shows_foreign_text_as_text(
    page: Page, folder: Path, tmp_path: Path, record: str
) -> None:
    (path,) = folder.glob(f"{record}*.json")
    assert run("view", str(path), "--out", str(tmp_path / "match.html")).code == 0
    page.goto((tmp_path / "match.html").as_uri())
    page.locator("#board").focus()
    page.keyboard.press("End")
    page.wait_for_selector(f'.position[data-point="{page.locator("#board").get_attribute("data-final")}"]')
    assert not ran(page)


def test_the_end_of_a_record_is_one_of_the_known_ones(tmp_path: Path) -> None:
    record = hostile_record()
    record["result"]["end"] = HOSTILE
    (tmp_path / "match.json").write_text(json.dumps(record))
    done = run("view", str(tmp_path / "match.json"), "--out", str(tmp_path / "match.html"))
    assert done.code == 1
    assert "result.end: must be one of completed, turn limit, fault" in done.error


def analysis(_: Path) -> str:
    match = found("land_unter")
    losses = tuple(
        replace(loss, decision=replace(loss.decision, bots=(HOSTILE,) * 3, match=HOSTILE))
        for loss in match.losses
    )
    return draw_page([replace(match, losses=losses)])


def profile(folder: Path) -> str:
    name = "<img src=x onerror=document.body.dataset.ran=1>.py"
    (folder / name).write_text(
        "from arena.sdk import Bot, run\n"
        "class Slow(Bot):\n"
        f"    name = {HOSTILE[:30]!r}\n"
        "    def choose(self, decision):\n"
        "        sum(range(30_000))\n"
        "        return decision.legal[0]\n"
        "run(Slow())\n"
    )
    command = [
        ARENA,
        "match",
        "lost_cities",
        name,
        "greedy",
        "--option",
        "hands=1",
        "--profile",
        "profile.html",
    ]
    subprocess.run(command, cwd=folder, env=clean_environment(), check=True, capture_output=True)
    return (folder / "profile.html").read_text()


@pytest.mark.browser
@pytest.mark.parametrize("draw", [analysis, profile])
def test_reports_show_foreign_text_as_text(page: Page, tmp_path: Path, draw: Any) -> None:
    (tmp_path / "report.html").write_text(draw(tmp_path))
    page.goto((tmp_path / "report.html").as_uri())
    assert "onerror=" in page.locator("body").inner_text()
    assert not ran(page)


def written(tmp_path: Path) -> str:
    assert run("view", str(RECORD), "--out", str(tmp_path / "match.html")).code == 0
    return (tmp_path / "match.html").read_text()


@pytest.mark.browser
@pytest.mark.parametrize("draw", [written, analysis, profile])
def test_the_policy_of_a_written_page_runs_no_script_that_slipped_in(
    page: Page, tmp_path: Path, draw: Any
) -> None:
    raw = f"<script>document.body.dataset.ran=1</script><img src=x onerror=document.body.dataset.ran=1><p id=raw>{HOSTILE}"
    html = draw(tmp_path)
    cut = html.index("<h1>")
    (tmp_path / "page.html").write_text(html[:cut] + raw + html[cut:])
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("#raw").count() == 1
    page.wait_for_load_state()
    assert page.evaluate("'ran' in document.body.dataset") is False
