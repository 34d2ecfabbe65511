"""Where records come from: a file, a folder of files, or the matches of a bot at an arena."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from arena.cli.support.door import Arena
from arena.core.errors import ArenaError, Refusal, RefusalKind, UsageError
from arena.devtools.record_files import find_records, read_text
from arena.games import registry
from arena.match.record import Record, RecordError, from_json
from arena.match.step_reference import StepReference
from arena.match.verification import verify

_PAGE = 50
_OPEN = "finished"
"""The state of a match whose record is public."""
_ABSENT = "absent"


class WrongRecord(ArenaError):  # noqa: N818 - it says what is the case
    """Raised when a record is not that of a right match."""


def read_record(file: Path) -> Record:
    """Read a record from a file, and check it.  Raises UsageError, WrongRecord."""
    try:
        text = read_text(file)
    except RecordError as error:
        raise UsageError(f"record {str(file)!r}: {error}; give a file that --records wrote") from error
    return _check(text, str(file))


def read_records(paths: Iterable[Path]) -> Iterator[Record]:
    """Read the records of files, and of all .json files in folders.  Raises UsageError, WrongRecord."""
    yield from map(read_record, find_records(paths))


def find_match(paths: Iterable[Path], at: StepReference, option: str) -> tuple[Record, Path]:
    """Return the record of the match that a reference names, given as an option, and its file.  Raises UsageError, WrongRecord."""
    files = list(find_records(paths))
    for file in sorted(
        files, key=lambda each: each.stem != at.match
    ):  # where files have the names of their matches
        record = read_record(file)
        if record.match == at.match:
            return record, file
    raise UsageError(f"{option} {str(at)!r}: none of the records is that of match {at.match}")


def read_bot_name(texts: Sequence[str]) -> tuple[str, str] | None:
    """Read GAME/NAME, a bot at an arena; return None where files or folders are given."""
    if len(texts) != 1 or Path(texts[0]).exists():
        return None
    game, slash, name = texts[0].partition("/")
    return (game, name) if slash and name and game in registry.GAMES and "/" not in name else None


def download_records(arena: Arena, game: str, name: str, most: int) -> Iterator[Record]:
    """Download at most `most` records of a bot's newest matches: those that are open and still stored."""
    found = 0
    for row in arena.bots.list_matches(game, name, limit=min(_PAGE, most)):
        if found == most:
            return
        if row.state != _OPEN or row.end == _ABSENT:
            continue
        try:
            data = arena.matches.download_record(row.tournament_id, row.set, row.match)
        except Refusal as refusal:
            if refusal.kind is not RefusalKind.GONE:
                raise
            continue  # it is no longer stored
        found += 1
        yield _check(data.decode(), f"match {row.id}")


def _check(text: str, where: str) -> Record:
    try:
        record = from_json(text)
    except ArenaError as error:
        raise WrongRecord(f"{where}: {error}") from error
    if wrong := verify(record):
        raise WrongRecord(f"{where}: {wrong}; only a right record can be played again")
    return record
