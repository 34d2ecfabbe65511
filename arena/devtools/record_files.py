"""Records as files of a folder, one a match."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.core.foreign_text import UnreadableText
from arena.match import seat_notes
from arena.match.record import RecordError
from arena.match.seat_notes import SeatNotes
from arena.referee_client import SeatNotesText

_FULL = {errno.ENOSPC, errno.EDQUOT}


def make_folder(folder: Path) -> None:
    """Make the folder for records.  Raises UsageError."""
    with _named(folder):
        folder.mkdir(parents=True, exist_ok=True)


def write_record(folder: Path, match: str, text: str) -> None:
    """Write a record into its file, whole or not at all.  Raises UsageError."""
    _write(folder, f"{match}.json", text)


def write_notes(folder: Path, match: str, notes: Iterable[SeatNotesText]) -> None:
    """Write the bots' notes of a match next to its record, a line for each seat; no file without notes.  Raises UsageError."""
    lines = [f'{{"seat":{each.seat},{each.text[1:]}' for each in notes]
    if lines:
        _write(folder, f"{match}.notes.jsonl", "\n".join(lines))


def notes_file(record: Path) -> Path:
    """Return where the notes of a record's match are, whether there are any or not."""
    return record.with_name(f"{record.name.removesuffix('.json')}.notes.jsonl")


def read_notes(record: Path) -> dict[int, SeatNotes]:
    """Read the notes on a record's match, by seat; empty if there is no file of them.  Raises RecordError."""
    file = notes_file(record)
    if not file.is_file():
        return {}
    found = {}
    for number, line in enumerate(read_text(file).splitlines(), 1):
        try:
            found[int(json.loads(line)["seat"])] = seat_notes.from_json(line)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise RecordError(
                f"{file}: line {number} is not the notes of a seat ({error!r}); docs/record.md has their form"
            ) from error
    return found


def _write(folder: Path, name: str, text: str) -> None:
    draft = folder / f".{name}.{os.getpid()}"
    with _named(folder):
        try:
            draft.write_text(text + "\n", encoding="utf-8")
            draft.replace(folder / name)
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """Turn an error of the file system into one that names the folder.  Raises UsageError."""
    try:
        yield
    except OSError as error:
        remedy = (
            "make room there, or give another folder"
            if error.errno in _FULL
            else "give a folder that can be written"
        )
        raise UsageError(f"records {str(folder)!r}: {error.strerror}; {remedy}") from error


def find_records(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that are named, and of a folder all that end in .json, by name.  Raises UsageError."""
    for path in paths:
        if path.is_dir():
            files = sorted(
                (each for each in path.glob("*.json") if not each.name.startswith(".")),
                key=lambda each: (each.stem, each),  # a match comes before what was played on from it
            )
            if not files:
                raise UsageError(f"{path}: there is no record in it; records are files that end in .json")
            yield from files
        elif path.exists():
            yield path
        else:
            raise UsageError(f"{path}: there is no such file or folder")


def read_text(file: Path) -> str:
    """Read a file.  Raises RecordError."""
    try:
        return foreign_text.read(file)
    except UnreadableText as error:
        raise RecordError(f"cannot be read: {error}") from error
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}") from error
