"""Records of matches from where they lie: files, folders of files, and archives of tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from arena.core.errors import UsageError
from arena.match.record import Record, RecordError, from_json

_MAX_RECORD_BYTES = 64 << 20


def read_records(paths: Sequence[Path]) -> Iterator[Record]:
    """Yield the records of files, of the .json files of folders, and of archives, in the order of their names.

    Raises UsageError for what is none.
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


def _read(file: Path) -> Record:
    try:
        return _parse(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"record {str(file)!r}: cannot be read: {error}") from error


def _read_archive(file: Path) -> Iterator[Record]:
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
                yield _parse(archive.read(name).decode(), f"{file}: {name}")
    except (OSError, BadZipFile, UnicodeDecodeError) as error:
        raise UsageError(f"archive {str(file)!r}: cannot be read: {error}") from error


def _parse(text: str, where: str) -> Record:
    try:
        return from_json(text)
    except RecordError as error:
        raise UsageError(f"record {where!r}: {error}") from error
