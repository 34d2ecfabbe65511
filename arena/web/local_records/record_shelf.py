"""The records that are looked at: files that are named, and those of folders as they come and go.

A file keeps its number as long as the program runs, so that its address stays; the folder is read at each request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from arena.bot_registry.bot_names import names_in_all
from arena.core.errors import UsageError
from arena.devtools.record_files import find_records, notes_file, read_notes, read_text
from arena.match.record import Ending, Participant, RecordError, from_json
from arena.reports.insights.visible_notes import of_seat
from arena.web.matches import shown_notes
from arena.web.matches.opened_records import OpenedRecord, open_text
from arena.web.matches.shown_notes import MatchNotes


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file as it is now; `mark` is another one when it has been written again, and empty if it is gone."""

    number: int
    path: Path
    mark: str

    @property
    def address(self) -> str:
        """Return the address of its page."""
        return f"/records/{self.number}"


@dataclass(frozen=True, slots=True)
class Summary:
    """A record in a list: its seats and its result, or the reason why it cannot be read."""

    game: str = ""
    seats: tuple[Participant, ...] = ()
    names: tuple[str, ...] = ()
    result: Ending | None = None
    trouble: str | None = None


class RecordShelf:
    """All files that are looked at.  Mutable: it numbers files as it meets them."""

    def __init__(self, paths: Sequence[Path], time: str) -> None:
        """Look at files and folders; `time` is the time control of their matches.  Raises UsageError where there is no record."""
        self._paths = tuple(paths)
        self._time = time
        self._numbers: dict[Path, int] = {}
        list(find_records(self._paths))

    def files(self) -> tuple[RecordFile, ...]:
        """List the files that are there now, in the order in which they were named."""
        found = []
        for path in self._paths:
            try:
                found += [each for each in find_records([path]) if each not in found]
            except UsageError:  # it was there at the start, and may come back
                continue
        return tuple(
            RecordFile(self._numbers.setdefault(path, len(self._numbers) + 1), path, _mark(path))
            for path in found
        )

    def find(self, number: int) -> RecordFile | None:
        """Return the file of a number, also one that is gone; None for a number that was never given."""
        known = {other: path for path, other in self._numbers.items()}
        path = known.get(number)
        return None if path is None else RecordFile(number, path, _mark(path))

    def open(self, file: RecordFile, address: str | None = None) -> OpenedRecord:
        """Open the record of a file; `address` is that of its page, if it is not served."""
        return _open(file.path, file.mark, file.address if address is None else address, self._time)


def open_notes(file: RecordFile, opened: OpenedRecord) -> MatchNotes | None:
    """Return the bots' notes on a match, from the file next to its record; None without one.  Raises RecordError."""
    if opened.course is None:
        return None
    seats = range(len(opened.course.names))
    found = [
        of_seat(seat, notes, public=False)
        for seat, notes in sorted(read_notes(file.path).items())
        if seat in seats
    ]
    noted = shown_notes.show(opened.course, found)
    return None if noted is None else replace(noted, seen="file")


def summarise(files: Sequence[RecordFile]) -> list[Summary]:
    """Read the records of a list; names have versions if the list has several of a bot."""
    read = [_summarise(file.path, file.mark) for file in files]
    called = names_in_all([each.seats for each in read])
    return [replace(each, names=found) for each, found in zip(read, called, strict=True)]


def _mark(path: Path) -> str:
    try:
        noted = notes_file(path)
        return _stamp(path) + (_stamp(noted) if noted.is_file() else "")
    except OSError:
        return ""


def _stamp(path: Path) -> str:
    found = path.stat()
    return f"{found.st_mtime_ns:x}-{found.st_size:x}"


@lru_cache(maxsize=24)
def _open(path: Path, _mark: str, address: str, time: str) -> OpenedRecord:
    try:
        text = read_text(path)
    except RecordError as error:
        return OpenedRecord(trouble=str(error))
    return open_text(text, address, time)


@lru_cache(maxsize=4096)
def _summarise(path: Path, _mark: str) -> Summary:
    try:
        record = from_json(read_text(path))
    except RecordError as error:
        return Summary(trouble=str(error))
    return Summary(record.game, tuple(record.seats), result=record.result)
