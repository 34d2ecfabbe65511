"""The wheel: all that the arena needs is in it, and where nothing else of it is installed it plays.

It is built from this checkout and installed into an environment of its own.  The packages that it asks for, and no others,
are linked there from the environment of the tests, so that no network is needed; the installer checks that they suffice.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from packaging.requirements import Requirement

from arena.web.docs import markdown_documents
from arena.web.ui.static_assets import CHARTS, REFERENCE
from tests.parts.arena_process import MARKS, RunningArena, clean_environment, command_line
from tests.patience import wait_until

ROOT = Path(__file__).parents[2]
UV = ROOT / ".tools" / "bin" / "uv"
PACKAGES = ("arena", "bots", "referee", "workers")
NOT_SHIPPED = {"__pycache__", "node_modules", "compiled_modules.txt"}
MODULES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["arena"]["compiled"]["modules"]
PLAYED_S = 60.0
"""How long the first match may take."""


@dataclass(frozen=True)
class Installed:
    """An environment that has the wheel."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    def run(self, *arguments: str, within: Path) -> str:
        """Run `arena` in a folder; what it printed."""
        done = subprocess.run(
            [self.folder / "bin" / "arena", *arguments],
            cwd=within,
            env=clean_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def build(folder: Path, **environment: str) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        env=os.environ | environment,
        check=True,
    )
    (found,) = folder.glob("bot_arena-*.whl")
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def compiled_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("compiled"), HATCH_BUILD_HOOKS_ENABLE="1")


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Installed:
    found = install(wheel)
    ours = [found.packages / name for name in PACKAGES]
    subprocess.run([found.python, "-m", "compileall", "-q", *ours], check=True)  # as pip does
    return found


def install(wheel: Path) -> Installed:
    found = Installed(wheel.parent / "venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", found.folder], check=True)
    for place in needed("bot-arena"):
        here = found.packages / place.name
        if place.suffix == ".dist-info":  # the installer follows no links to these
            shutil.copytree(place, here, dirs_exist_ok=True)
        elif not here.exists():
            here.symlink_to(place)
    command: list[str | Path] = [
        UV,
        "pip",
        "install",
        "--quiet",
        "--offline",
        "--no-index",
        "--python",
        found.python,
        wheel,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return found


def needed(name: str) -> Iterator[Path]:
    """Return what is installed of all packages that one needs, without those for developing."""
    known: set[str] = set()
    waiting = [Requirement(name)]
    while waiting:
        requirement = waiting.pop()
        if str(requirement) in known:
            continue
        known.add(str(requirement))
        found = distribution(requirement.name)
        if requirement.name != name:
            folder = Path(str(found.locate_file("")))
            tops = {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}
            yield from (folder / top for top in sorted(tops))
        for each in map(Requirement, found.requires or ()):
            extras = requirement.extras or {""}
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(each)


def test_all_files_of_the_packages_are_in_the_wheel_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == set(PACKAGES)
    ours = {
        file.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for file in (ROOT / package).rglob("*")
        if file.is_file() and file.suffix != ".so" and not NOT_SHIPPED & set(file.parts)
    }
    shared = {
        f"arena/share/{file.relative_to(ROOT).as_posix()}"
        for place in ("README.md", "LICENSE", "docs", "protos/arena", "tests/games/sixth")
        for file in [ROOT / place, *(ROOT / place).rglob("*")]
        if file.is_file() and not NOT_SHIPPED & set(file.parts)
    }
    licences = ("uplot/LICENSE", "rapidoc/LICENSE.txt", "rapidoc/dist/rapidoc-min.js.LICENSE.txt")
    charts = {f"arena/web/ui/npm/node_modules/{name}" for name in (*CHARTS, *REFERENCE, *licences)}
    found = {name for name in names if ".dist-info/" not in name}
    assert (ours | shared | charts) - found == set()
    # Of the charts' library there may be more files of the same kind.
    assert [name for name in found - ours - shared - charts if "/uplot/dist/" not in name] == []


def test_the_compiled_one_is_the_other_and_the_machine_code(wheel: Path, compiled_wheel: Path) -> None:
    with ZipFile(wheel) as plain, ZipFile(compiled_wheel) as compiled:
        names = [
            {name for name in each.namelist() if ".dist-info/" not in name} for each in (plain, compiled)
        ]
    added = names[1] - names[0]
    assert names[0] < names[1]
    assert {name.partition(".cpython-")[0] for name in added} == {
        "arena/compiled__mypyc",
        *[name.removesuffix(".py") for name in MODULES],
    }
    assert wheel.name.endswith("-py3-none-any.whl")
    assert re.search("-cp3[0-9]+-cp3[0-9]+-linux_", compiled_wheel.name)


def test_where_the_compiled_one_is_installed_it_is_used(compiled_wheel: Path, tmp_path: Path) -> None:
    printed = subprocess.run(
        [install(compiled_wheel).python, "-c", "import arena.games.kernel as kernel; print(kernel.__file__)"],
        cwd=tmp_path,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stdout.rstrip().endswith(".so")


def test_its_modules_are_not_those_of_the_checkout(installed: Installed, tmp_path: Path) -> None:
    program = "import json, sys, arena, bots, referee, workers; print(json.dumps([sys.path, *(each.__file__ for each in (arena, bots, referee, workers))]))"
    done = subprocess.run(
        [installed.python, "-c", program],
        cwd=tmp_path,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    path, *files = json.loads(done.stdout)
    assert files == [str(installed.packages / name / "__init__.py") for name in PACKAGES]
    assert [place for place in path if Path(place or tmp_path).is_relative_to(ROOT)] == []


def test_it_runs_an_arena_in_an_empty_folder(installed: Installed, tmp_path: Path) -> None:
    program = str(installed.folder / "bin" / "arena")
    with RunningArena(tmp_path / "data", workers=1, program=program, folder=tmp_path) as arena:
        for part in set(MARKS) - {"redis"}:
            assert all(command_line(pid).startswith(str(installed.python)) for pid in arena.pids(part))
        begin = ("tournament", "create", "lost_cities", "--bots", "greedy,random", "--option", "hands=1")
        installed.run(*begin, "--data", str(arena.data), within=tmp_path)
        with httpx.Client(base_url=f"http://127.0.0.1:{arena.port}", timeout=60) as browser:
            assert_is_served(browser)
            first_result(browser, arena)
        assert arena.stop() == 0


def assert_is_served(browser: httpx.Client) -> None:
    """Pages with what they refer to, the charts' library among it; the docs; what authors take home."""
    pages = [browser.get(address) for address in ("/", "/docs", "/games/lost_cities")]
    addresses = {address for page in pages for address in re.findall(r'["\s](/static/[^"\s]+)', page.text)}
    assert {".css", ".js", ".svg"} <= {Path(address).suffix for address in addresses}
    assert any("uPlot" in address for address in addresses)
    docs = {f"/docs/{name}" for name in ("start", *markdown_documents.names())}
    others = {"/docs/images/lost_cities.png", "/docs/records/lost_cities.json"}
    sdk = browser.get("/api/v1/sdk").json()
    files = {sdk["wheel"]["path"], sdk["protos"]["path"]}
    for address in [*addresses, *docs, *others, *files, "/games/lost_cities/rules?language=es"]:
        assert browser.get(address).status_code == 200, address


def first_result(browser: httpx.Client, arena: RunningArena) -> None:
    """Wait for a match of the one tournament that there is."""
    wait_until(
        lambda: browser.get("/api/v1/tournaments").json()[0]["matches_done"],
        f"a match is played\n{arena.output()}",
        within_s=PLAYED_S,
    )


@pytest.mark.parametrize(("language", "entry"), [("python", "bot.py"), ("typescript", "bot.ts")])
def test_it_begins_a_bot_in_each_language(
    installed: Installed, tmp_path: Path, language: str, entry: str
) -> None:
    installed.run("bot", "new", "mine", "--game", "lost_cities", "--language", language, within=tmp_path)
    assert (tmp_path / "mine" / entry).exists()
    if language == "typescript":
        assert (tmp_path / "mine" / "protos" / "arena" / "v1" / "lost_cities.proto").exists()
        return
    score = installed.run(
        *("match", "lost_cities", "mine", "greedy", "--sets", "1", "--option", "hands=1", "--json"),
        within=tmp_path,
    )
    assert [bot["faults"] for bot in json.loads(score)["bots"]] == [0, 0]
