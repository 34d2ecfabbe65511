"""Notes of the bots in a match, taken down as they come with the answers, for the report of the match."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from arena.core.notes import Candidate, Notes, find_problem
from arena.core.translatable import say
from arena.games.kernel import Action, Played
from arena.match.record import RecordedStep
from arena.match.seat_notes import TOO_MANY, SeatNotes
from arena.v1 import bot_pb2

MAX_SEAT_BYTES = 128 * 1024
"""The most bytes of notes that are kept of one seat in one match, as they are on the wire."""
MAX_SEAT_NOTES = 2_000
"""The most decisions of one seat in one match whose notes are kept."""


@dataclass(slots=True)
class _Taken:
    """The notes of one seat so far."""

    notes: list[tuple[int, Notes]] = field(default_factory=list)
    """With the number of steps that the match had at the time."""
    bytes: int = 0
    dropped: int = 0
    reason: str = ""


class NoteTaker:
    """The notes of one match.  Mutable."""

    def __init__(self) -> None:
        self._seats: dict[int, _Taken] = {}

    def take(self, seat: int, step_count: int, legal: Collection[Action], message: bot_pb2.Notes) -> None:
        """Take down what a seat notes on its choice of `legal` actions, or count it as dropped.

        `step_count` is the number of steps that have been recorded before the choice.
        """
        size = message.ByteSize()
        if not size:
            return
        taken = self._seats.setdefault(seat, _Taken())
        notes = _read(message)
        problem = find_problem(notes, size, legal)
        if problem is None and (taken.bytes + size > MAX_SEAT_BYTES or len(taken.notes) >= MAX_SEAT_NOTES):
            problem = say(TOO_MANY, notes=MAX_SEAT_NOTES, size=MAX_SEAT_BYTES)
        if problem is not None:
            taken.dropped += 1
            taken.reason = taken.reason or problem
            return
        taken.bytes += size
        taken.notes.append((step_count, notes))

    def by_seat(self, steps: Sequence[RecordedStep]) -> Iterator[tuple[int, SeatNotes]]:
        """Yield the notes of each seat that noted anything in a match that had these steps.

        Notes on a choice that was not carried out, since a fault ended the match before, are left out.
        """
        for seat, taken in sorted(self._seats.items()):
            found = [(_step_of(seat, before, steps), notes) for before, notes in taken.notes]
            kept = tuple([(step, notes) for step, notes in found if step is not None])
            if kept or taken.dropped:
                yield seat, SeatNotes(kept, taken.dropped, taken.reason)


def _step_of(seat: int, start: int, steps: Sequence[RecordedStep]) -> int | None:
    """Find the step that a seat's choice became: the first that it played from number `start` on."""
    for number in range(start, len(steps)):
        step = steps[number].step
        if isinstance(step, Played) and step.seat == seat:
            return number
    return None


def _read(message: bot_pb2.Notes) -> Notes:
    candidates = tuple([Candidate(each.action, each.value) for each in message.candidates])
    return Notes(candidates, tuple(sorted(message.numbers.items())), message.text)
