"""Records of matches from files, folders of files, and archives of tournaments, with the notes saved with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.core.foreign_text import UnreadableText
from arena.core.notes import Notes
from arena.match import seat_notes
from arena.match.record import Record, RecordError, from_json

_MAX_RECORD_BYTES = 64 << 20


Noted = Mapping[int, Notes]
"""Notes of a match, by the step of the action that they belong to."""


def read_records(paths: Sequence[Path]) -> Iterator[tuple[Record, Noted]]:
    """Yield the records of files, of the .json files of folders, and of archives, in the order of their names.

    Each comes with its bots' notes, if MATCH.notes.jsonl exists in the same folder.  Raises UsageError for a file that is no record.
    """
    for path in paths:
        if path.is_dir():
            files = sorted(path.glob("*.json"))
            if not files:
                raise UsageError(
                    f"records {str(path)!r}: there is no record in it; records are files that end in .json"
                )
            yield from (_read(file) for file in files)
        elif path.suffix == ".zip":
            yield from _read_archive(path)
        else:
            yield _read(path)


def _read(file: Path) -> tuple[Record, Noted]:
    try:
        record = _parse(foreign_text.read(file), str(file))
    except (OSError, UnreadableText) as error:
        raise UsageError(f"record {str(file)!r}: cannot be read: {error}") from error
    return record, _read_notes(file.with_suffix(".notes.jsonl"))


def _read_notes(file: Path) -> Noted:
    if not file.exists():
        return {}
    try:
        seats = [seat_notes.from_json(line) for line in foreign_text.read(file).splitlines()]
    except (OSError, UnreadableText, ValueError, LookupError, TypeError) as error:
        raise UsageError(f"notes {str(file)!r}: cannot be read: {error!r}") from error
    return {step: noted for seat in seats for step, noted in seat.steps}


def _read_archive(file: Path) -> Iterator[tuple[Record, Noted]]:
    try:
        with ZipFile(file) as archive:
            names = sorted(name for name in archive.namelist() if name.startswith("records/"))
            if not names:
                raise UsageError(
                    f"archive {str(file)!r}: has no records; those of a tournament open when it is over"
                )
            for name in names:
                if archive.getinfo(name).file_size > _MAX_RECORD_BYTES:
                    raise UsageError(f"archive {str(file)!r}: {name} is larger than a record can be")
                yield _parse(archive.read(name).decode(), f"{file}: {name}"), {}
    except (OSError, BadZipFile, UnicodeDecodeError) as error:
        raise UsageError(f"archive {str(file)!r}: cannot be read: {error}") from error


def _parse(text: str, where: str) -> Record:
    try:
        return from_json(text)
    except RecordError as error:
        raise UsageError(f"record {where!r}: {error}") from error
