"""`arena verify`: deals and plays records again."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
from rich.progress import Progress

from arena.cli.support.json_output import json_option, print_json
from arena.cli.support.output import PlainConsole, echo
from arena.core.errors import UsageError
from arena.devtools.record_files import find_records, read_text
from arena.match.record import RecordError, from_json
from arena.match.verification import Discrepancy, verify
from arena.reports.archive_verification import check

_EXAMPLES = """\b
Examples:
  arena verify out
  arena verify out/gzpqumnkarjxzyev.json --json
  arena verify --tournament tournament.zip
"""


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="FILE|DIR...")
@click.option(
    "--tournament",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="EXPORT.zip",
    help="Check a whole tournament: commitment, schedule, deals, moves, scores, and the table.",
)
@json_option
def command(paths: tuple[Path, ...], *, tournament: Path | None, as_json: bool) -> None:
    """Deal and replay records, and say where they are wrong.

    Prints `ok` or the first discrepancy with its step (counted from 0) for each record; of a DIR, all its .json
    files.  The exit code is 1 if anything is wrong.
    """
    if bool(paths) == (tournament is not None):
        raise UsageError("give records to check, or --tournament EXPORT.zip")
    if tournament is not None:
        _check_tournament(tournament, as_json=as_json)
        return
    checked = []
    for file in list(find_records(paths)):
        wrong = _check(file)
        checked.append((file, wrong))
        if not as_json:
            echo(f"{file}: {wrong or 'ok'}")
    if as_json:
        print_json([_to_document(file, wrong) for file, wrong in checked])
    if any(wrong for _, wrong in checked):
        sys.exit(1)


def _check_tournament(file: Path, *, as_json: bool) -> None:
    wrong = ""
    with Progress(console=PlainConsole(stderr=True), transient=True) as bar:
        task = bar.add_task("matches", total=None)
        try:
            verdict = check(file, lambda done, total: bar.update(task, completed=done, total=total))
        except UsageError as error:
            wrong = str(error)
    if as_json:
        found = {"file": str(file), "ok": not wrong, "message": wrong or None}
        print_json(found if wrong else found | asdict(verdict))
    elif wrong:
        echo(f"{file}: {wrong}")
    else:
        echo(f"{file}: ok: {verdict.name}, {verdict.matches} matches, {verdict.records} records played again")
        if verdict.not_kept:
            echo(
                f"{verdict.not_kept} records are no longer stored: the moves of these matches cannot be checked, "
                "their results are only added up."
            )
        echo(
            f"The secret fits the commitment {verdict.commitment}; deals, schedule and table follow from it."
        )
    if wrong:
        sys.exit(1)


def _check(file: Path) -> Discrepancy | None:
    try:
        return verify(from_json(read_text(file)))
    except RecordError as error:
        return Discrepancy(None, str(error))


def _to_document(file: Path, wrong: Discrepancy | None) -> dict[str, object]:
    return {
        "file": str(file),
        "ok": wrong is None,
        "step": wrong.step if wrong else None,
        "message": wrong.message if wrong else None,
    }
