"""The units of `deploy/systemd`, as systemd itself reads them, and their settings, as the arena does."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from arena.core.settings import Settings
from arena.referee_client.control_credentials import KEY_VARIABLE
from tests.cli.running import run
from tests.parts.arena_process import ARENA

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
UNITS = sorted(file.name for file in FOLDER.iterdir() if file.suffix in {".service", ".timer", ".target"})
SERVICES = [name for name in UNITS if name.endswith(".service")]
PROGRAM = "/opt/bot-arena/bin/arena"
BESIDE = {KEY_VARIABLE, "ARENA_LOG_FILE", "OTEL_EXPORTER_OTLP_ENDPOINT", "ARENA_COMPILED"}
"""What is read from the environment and is no field of Settings."""
ALLOCATOR = "LD_PRELOAD|PYTHONMALLOC|MALLOC_CONF"
CHOSEN = {"ARENA_DATABASE_URL", "ARENA_REDIS_URL", "ARENA_CONTROL", "ARENA_SECRET", KEY_VARIABLE}
"""What an operator has to fill in; all else stands there as it is without a line."""


def settings_of(file: str) -> dict[str, tuple[bool, str, str]]:
    """Read an environment file: of each variable whether it is set, its value, and what stands above it."""
    found = {}
    for block in (FOLDER / file).read_text().split("\n\n"):
        *words, line = block.strip().splitlines()
        name, _, value = line.removeprefix("#").partition("=")
        found[name] = (not line.startswith("#"), value, " ".join(word.removeprefix("# ") for word in words))
    return found


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units in a folder, with a program that is there; those with an instance have number 1."""
    for name in UNITS:
        text = (FOLDER / name).read_text().replace(PROGRAM, ARENA)
        (tmp_path / name.replace("@.", "@1.")).write_text(text)
    return tmp_path


def analyze(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is missing: apt-get install systemd")
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_takes_each_line_of_a_unit(installed: Path, unit: str) -> None:
    done = analyze("verify", f"./{unit.replace('@.', '@1.')}", folder=installed)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("unit", SERVICES)
def test_a_part_is_open_to_little(installed: Path, unit: str) -> None:
    # A referee makes sandboxes, so it is left what they are made of.
    limit = "45" if "referee" in unit else "20"
    done = analyze(
        *("security", "--offline=yes", "--no-pager", f"--threshold={limit}"),
        f"./{unit.replace('@.', '@1.')}",
        folder=installed,
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("unit", SERVICES)
def test_the_arena_has_the_command_and_its_options(unit: str) -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", (FOLDER / unit).read_text(), re.MULTILINE)
    program, *words = shlex.split(line)
    assert program == PROGRAM
    options = [word for word in words if word.startswith("--")]
    if "$REFEREE_OPTIONS" in words:
        options += re.findall(r"--\S+", settings_of_referee())
    command = [word for word in words if word.isalpha()]
    done = run(*command, "--help")
    assert (done.code, done.error) == (0, "")
    assert [option for option in options if option not in done.out] == []


def as_written(default: object) -> str:
    """Write a setting's default as an environment variable has it."""
    if isinstance(default, bool):
        return "on" if default else "off"
    return "" if default is None else str(default)


def settings_of_referee() -> str:
    (line,) = re.findall(r"^REFEREE_OPTIONS=(.*)$", (FOLDER / "referee.env").read_text(), re.MULTILINE)
    return str(line)


@pytest.mark.parametrize("unit", ["arena-web.service", "arena-worker@.service", "arena-referee@.service"])
def test_a_part_that_hangs_or_dies_is_started_again(unit: str) -> None:
    lines = (FOLDER / unit).read_text().splitlines()
    assert {"Type=notify", "WatchdogSec=30", "Restart=always", "StartLimitIntervalSec=0"} <= set(lines)


def test_all_parts_take_their_memory_in_the_same_way_as_the_image() -> None:
    units = {
        unit: dict(
            re.findall(rf"^Environment=({ALLOCATOR})=(.*)$", (FOLDER / unit).read_text(), re.MULTILINE)
        )
        for unit in SERVICES
        if "Type=notify" in (FOLDER / unit).read_text()
    }
    image = (FOLDER.parent / "container" / "Containerfile").read_text()
    of_image = dict(re.findall(rf"\b({ALLOCATOR})=(\S+)", image))
    assert len(units) == 3
    assert len(of_image) == 3
    assert all(found == of_image for found in units.values())


def test_each_part_has_a_user_of_its_own() -> None:
    users = {unit: re.findall(r"^User=(.*)$", (FOLDER / unit).read_text(), re.MULTILINE) for unit in SERVICES}
    made = re.findall(r"^u (\S+)", (FOLDER / "sysusers.conf").read_text(), re.MULTILINE)
    assert sorted({name for names in users.values() for name in names}) == sorted(made)
    assert (
        len({*users["arena-web.service"], *users["arena-worker@.service"], *users["arena-referee@.service"]})
        == 3
    )


def test_every_setting_is_in_the_environment_file() -> None:
    fields = {f"ARENA_{name}".upper(): field for name, field in Settings.model_fields.items()}
    written = settings_of("arena.env")
    written.pop(next(iter(written)))  # what stands at its head
    assert set(written) == {*fields, *BESIDE}
    assert {name for name, (is_set, _, _) in written.items() if is_set} == CHOSEN
    for name, field in fields.items():
        if name not in CHOSEN and name != "ARENA_DATA":
            _, value, words = written[name]
            assert words == " ".join(textwrap.wrap(field.description or "", 116))
            assert value == as_written(field.default)


def test_the_lines_behind_a_comment_sign_are_what_holds_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Settings()
    for name, (is_set, value, _) in settings_of("arena.env").items():
        if not is_set and name.startswith("ARENA_"):
            monkeypatch.setenv(name, value)
    assert Settings() == plain
