"""The notes of a seat as a document."""

from __future__ import annotations

from arena.core.notes import Candidate, Notes
from arena.match import seat_notes
from arena.match.seat_notes import SeatNotes

NOTED = SeatNotes(
    (
        (3, Notes((Candidate("play R2", 0.25), Candidate("discard B9", -1e15)), (("win", 0.6),), "¡Vamos!")),
        (7, Notes(text="no numbers")),
    ),
    dropped=2,
    reason="17 candidates: at most 16 are allowed",
)


def test_notes_are_read_as_they_were_written() -> None:
    assert seat_notes.from_json(seat_notes.to_json(NOTED)) == NOTED


def test_notes_that_were_all_dropped_are_read_as_they_were_written() -> None:
    assert seat_notes.from_json(seat_notes.to_json(SeatNotes(dropped=1))) == SeatNotes(dropped=1)
