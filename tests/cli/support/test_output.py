"""What commands print: text of others cannot command the terminal, and output that cannot be written is named."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.progress import Progress, TextColumn
from rich.table import Table

from arena.accounts.tokens import TokenRow
from arena.cli.support import terminal_tables
from arena.cli.support.json_output import print_json
from arena.cli.support.output import PlainConsole, echo
from arena.competition.qualification.submissions import VersionRow
from arena.core.foreign_text import clean
from arena.reports.bot_logs import LogRow
from arena.service.composed_answers import Bot
from tests.cli.running import run
from tests.test_layout import ROOT

ARENA = str(Path(sys.executable).parent / "arena")
HOSTILE = "a\x1b[31mb\x07c\u202ed\x9be\x08f\rg\u2066h\x7fi"
"""ESC, BEL, right-to-left override, CSI as one letter, backspace, carriage return, isolate, DEL."""
UNSAFE = "\x1b\x07\u202e\x9b\x08\r\u2066\x7f"


def print_line(console: PlainConsole) -> None:
    console.print(HOSTILE)


def print_title_and_cells(console: PlainConsole) -> None:
    table = Table(title=HOSTILE, caption=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    console.print(table)


def print_progress(console: PlainConsole) -> None:
    with Progress(TextColumn("{task.description}", markup=False), console=console) as bar:
        bar.add_task(HOSTILE)


def print_versions(console: PlainConsole) -> None:
    row = VersionRow("x", "mine", HOSTILE, HOSTILE, HOSTILE, None, None, 0, {}, {}, files_kept=True)
    console.print(terminal_tables.versions([row]))


def print_listed_bots(console: PlainConsole) -> None:
    row = Bot(
        "lost_cities",
        "m",
        "1",
        "d",
        "s",
        HOSTILE,
        verified=False,
        declared=HOSTILE,
        plays={},
        suspended_in={},
    )
    console.print(terminal_tables.bots([row]))


def print_logs(console: PlainConsole) -> None:
    fault = ("fault", 1, "crash", HOSTILE, None, 0)
    row = LogRow(1, 0, 0, "m", 0, HOSTILE, *fault, 1, 1.0, 1.0, 0, 0.0, record_kept=True, output_kept=True)
    console.print(terminal_tables.logs([row]))


def print_tokens(console: PlainConsole) -> None:
    console.print(terminal_tables.tokens([TokenRow("t", HOSTILE, (HOSTILE,), 0, None, None)]))


@pytest.mark.parametrize(
    "printing",
    [
        *(print_line, print_title_and_cells, print_progress, print_versions, print_listed_bots, print_logs),
        print_tokens,
    ],
)
@pytest.mark.parametrize("variable", ["FORCE_COLOR", "NO_COLOR"])
def test_no_unsafe_letter_reaches_a_console(
    printing: Callable[[PlainConsole], None], variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    out = StringIO()
    console = PlainConsole(pipe_width=200)
    console.file, console.width = out, 400
    printing(console)
    shown = out.getvalue()
    assert "\\u001b[31m" in shown.replace("\n", "")
    for letter in UNSAFE.replace("\x1b", "").replace("\r", ""):
        assert letter not in shown
    assert "\x1b[31m" not in shown, "rich's own codes may be there, the text's may not"


@pytest.mark.parametrize("err", [False, True])
def test_no_unsafe_letter_is_echoed(*, err: bool, capsys: pytest.CaptureFixture[str]) -> None:
    echo(HOSTILE, err=err)
    echo(f"{HOSTILE} \ud800")
    said = capsys.readouterr()
    assert "\\u001b[31mb\\u0007c\\u202ed\\u009be" in (said.err if err else said.out)
    assert set(UNSAFE).isdisjoint(said.out + said.err)


def test_json_has_them_escaped_and_means_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({HOSTILE: [HOSTILE, "ñ\n\t"]})
    said = capsys.readouterr().out
    assert set(UNSAFE).isdisjoint(said)
    assert json.loads(said) == {HOSTILE: [HOSTILE, "ñ\n\t"]}


def test_an_error_that_names_a_hostile_value_is_clean() -> None:
    done = run("match", "lost_cities", "greedy", HOSTILE)
    assert done.code == 2
    assert set(UNSAFE).isdisjoint(done.error)
    wrong = run("match", f"--{HOSTILE}")
    assert wrong.code == 2
    assert "No such option" in wrong.error
    assert set(UNSAFE).isdisjoint(wrong.error)


def test_letters_of_all_languages_stay() -> None:
    for text in ("plain", "ñandú", "Łódź 日本 עברית", "a\tb\nc", "🂡"):
        assert clean(text) == text


def modules() -> Iterator[Path]:
    yield from (path for path in sorted((ROOT / "arena/cli").rglob("*.py")) if path.name != "output.py")


def bypasses(path: Path) -> Iterator[str]:
    """Yield the calls by which a module prints past `arena.cli.support.output`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        named = {each.arg for each in node.keywords}
        if (
            called in {"print", "pprint", "Console", "click.echo", "click.secho", "click.echo_via_pager"}
            or called.startswith(("sys.stdout.write", "sys.stderr.write", "sys.stdout.buffer", "rich.print"))
            or (called == "Progress" and "console" not in named)
            or (called == "TextColumn" and "markup" not in named and "{task" in ast.unparse(node))
        ):
            yield f"line {node.lineno}: {called}"


@pytest.mark.parametrize("path", list(modules()), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_command_prints_past_the_shared_printer(path: Path) -> None:
    assert not list(bypasses(path)), "use echo and PlainConsole of arena.cli.support.output"


def test_the_search_for_bypasses_finds_them(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("print(1)\nclick.echo(1)\nProgress()\necho(1)\nConsole(stderr=True)\n")
    assert [line.partition(": ")[2] for line in bypasses(tmp_path / "x.py")] == [
        *("print", "click.echo", "Progress", "Console")
    ]


def _ended(command: tuple[str, ...], out: int) -> tuple[int, str]:
    done = subprocess.run([ARENA, *command], stdout=out, stderr=subprocess.PIPE, timeout=60, check=False)
    return done.returncode, done.stderr.decode()


@pytest.fixture
def records(tmp_path: Path) -> Path:
    for number in range(3):
        (tmp_path / f"{number}.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_reader_that_has_gone_ends_a_command_quietly(records: Path, options: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert _ended(("verify", str(records), *options), writing) == (141, "")
    finally:
        os.close(writing)


def test_a_reader_of_a_table_that_has_gone_ends_a_command_quietly(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("set,bots,places\ns,a b,1 2\n")
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert _ended(("ratings", "fit", str(tmp_path / "results.csv")), writing) == (141, "")
    finally:
        os.close(writing)


@pytest.mark.parametrize("command", [("verify", "{}"), ("verify", "{}", "--json"), ("match", "--help")])
def test_a_full_disk_is_named(records: Path, command: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        code, said = _ended(tuple(each.format(records) for each in command), full.fileno())
    assert (code, said.count("\n")) == (1, 1)
    assert said.startswith("arena: output: No space left on device")
