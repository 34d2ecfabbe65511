"""Notes of a seat's bot in a match, step by step; and their JSON document (docs/record.md, *Notes*).

They are stored separately: the record is the same with and without notes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from arena.core.notes import PROBLEMS, Candidate, Notes
from arena.core.translatable import mark, recall

TOO_MANY = mark("more than {notes} notes or {size} bytes of them in one match: the later ones are dropped")


@dataclass(frozen=True, slots=True)
class SeatNotes:
    """The notes of a seat in a match."""

    steps: tuple[tuple[int, Notes], ...] = ()
    """The number of the record's step that the action is, and the notes on it; in order."""
    dropped: int = 0
    """Number of notes that broke a limit."""
    reason: str = ""
    """Which limit the first of them broke; empty if none did."""


def to_json(notes: SeatNotes) -> str:
    """Write the document of a seat's notes."""
    steps = [{"step": step, **_fields(noted)} for step, noted in notes.steps]
    return _dump({"steps": steps, "dropped": notes.dropped, "reason": notes.reason})


def one_to_json(noted: Notes) -> str:
    """Write the notes on one action, as the document of a seat has them, without the step."""
    return _dump(_fields(noted))


def _fields(noted: Notes) -> dict[str, object]:
    return {
        "candidates": [[each.action, each.value] for each in noted.candidates],
        "numbers": dict(noted.numbers),
        "text": noted.text,
    }


def _dump(document: dict[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def in_words(reason: str) -> str:
    """Return why notes were dropped, as a text that can be translated."""
    return recall(reason, (*PROBLEMS, TOO_MANY))


def from_json(text: str) -> SeatNotes:
    """Read a document that `to_json` wrote."""
    document = json.loads(text)
    return SeatNotes(
        tuple(
            (
                each["step"],
                Notes(
                    tuple(Candidate(action, value) for action, value in each["candidates"]),
                    tuple(each["numbers"].items()),
                    each["text"],
                ),
            )
            for each in document["steps"]
        ),
        document["dropped"],
        document["reason"],
    )
