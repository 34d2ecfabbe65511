"""`arena view`: the boards of records that are files, in the browser, without an arena."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from arena.cli.support.game_options import time_option
from arena.cli.support.output import echo
from arena.core.errors import ArenaError, UsageError
from arena.match.clock import parse_time_control
from arena.match.step_reference import StepReference, read_reference
from arena.web.local_records.local_record_page import write_page
from arena.web.local_records.local_records_app import create_local_app, serve_local
from arena.web.local_records.record_shelf import RecordFile, RecordShelf
from arena.web.server.web_address import listen
from arena.web.ui.languages import LANGUAGES

_HOST = "127.0.0.1"
_EXAMPLES = """\b
Examples:
  arena view records/gzpqumnkarjxzyev.json
  arena view records
  arena view records --at gzpqumnkarjxzyev:37
  arena view records/gzpqumnkarjxzyev.json --out match.html
"""


class CannotShow(ArenaError):  # noqa: N818 - it says what is the case
    """Raised when the only record cannot be read or drawn."""


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE|DIR...")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="PORT",
    help="The port.  [default: a free one]",
)
@click.option("--no-browser", is_flag=True, help="Print the address only.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Write the page of one record into a file that needs no server, and end.",
)
@click.option("--at", metavar="MATCH:STEP", help="Open the record of this match, at this step.")
@click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default=next(iter(LANGUAGES)),
    show_default=True,
    help="The language of --out; a served page is in the browser's.",
)
@time_option("The match's time control.")
def command(
    *,
    paths: tuple[Path, ...],
    port: int,
    no_browser: bool,
    out: Path | None,
    at: str | None,
    language: str,
    time: str,
) -> None:
    """Show records in the browser, without an arena.

    The board is shown step by step, through the eyes of any seat.  Of a DIR all its .json files are listed.  The page is loaded again when its file changes, and the list when files
    come.  It is served on this machine alone until Ctrl-C.
    """
    parse_time_control(time)
    shelf = RecordShelf(paths, time)
    files = shelf.files()
    reference = None if at is None else read_reference(at, "at")
    if reference is not None:
        files = (_find(shelf, files, reference),)
    if len(files) == 1 and (trouble := shelf.open(files[0]).trouble):
        raise CannotShow(f"{files[0].path}: {trouble}")
    if out is not None:
        if len(files) > 1:
            raise UsageError(f"out: takes one record, there are {len(files)}")
        step = 0 if reference is None else reference.step
        _write(out, write_page(files[0], shelf.open(files[0]), language, step))
        echo(f"written: {out}")
        return
    with suppress(KeyboardInterrupt), listen(_HOST, port) as listener:
        address = f"http://{_HOST}:{listener.getsockname()[1]}"
        address += "/" if reference is None else f"{files[0].address}?step={reference.step}#board"

        def tell() -> None:
            echo(f"{address} (Ctrl-C ends)")
            if not no_browser:
                webbrowser.open(address)

        serve_local(create_local_app(shelf), listener, tell)


def _find(shelf: RecordShelf, files: Sequence[RecordFile], at: StepReference) -> RecordFile:
    """Return the file of a match that has the step.  Raises UsageError."""
    for file in files:
        record = shelf.open(file).record
        if record is not None and record.match == at.match:
            if at.step >= len(record.steps):
                raise UsageError(f"at {at}: the match has the steps 0 to {len(record.steps) - 1}")
            return file
    raise UsageError(f"at {at}: none of the records is that of match {at.match}")


def _write(out: Path, page: str) -> None:
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"out {str(out)!r}: {error.strerror}; give a file that can be written") from error
