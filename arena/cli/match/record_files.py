"""Records as files of a folder, one a match."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from arena.core.errors import UsageError
from arena.referee_client import SeatNotesText


def make_folder(folder: Path) -> None:
    """Make the folder for records.  Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"records {str(folder)!r}: {error.strerror}; give a folder that can be written"
        ) from error


def write_record(folder: Path, match: str, text: str) -> None:
    """Write a record into its file, whole or not at all."""
    _write(folder, f"{match}.json", text)


def write_notes(folder: Path, match: str, notes: Iterable[SeatNotesText]) -> None:
    """Write what bots noted in a match beside its record, a line for each seat; no file if they noted nothing."""
    lines = [f'{{"seat":{each.seat},{each.text[1:]}' for each in notes]
    if lines:
        _write(folder, f"{match}.notes.jsonl", "\n".join(lines))


def _write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    draft = folder / f".{name}.{os.getpid()}"
    try:
        draft.write_text(text + "\n", encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
