"""The notes of a bot on a decision, until they are sent with the answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from arena.core.notes import MAX_CANDIDATES, Candidate, Notes, find_problem
from arena.games.kernel import Action
from arena.v1 import bot_pb2


class Notepad:
    """The notes on one decision so far.  Mutable: the bot may add to them until it has chosen."""

    __slots__ = ("_numbers", "_text", "_values")

    def __init__(self) -> None:
        self._values: dict[Action, float] = {}
        self._numbers: dict[str, float] = {}
        self._text = ""

    def add(self, values: Mapping[Action, float], numbers: Mapping[str, float], text: str) -> None:
        """Add to the notes; a later value or text replaces an earlier one."""
        self._values.update((action, float(value)) for action, value in values.items())
        self._numbers.update((name, float(value)) for name, value in numbers.items())
        self._text = text or self._text

    def notes(self, chosen: Action) -> Notes:
        """Return the notes; of more candidates than are allowed the chosen one and those of the highest values."""
        rated = sorted(self._values, key=lambda action: (action != chosen, -self._values[action]))
        candidates = tuple([Candidate(action, self._values[action]) for action in rated[:MAX_CANDIDATES]])
        return Notes(candidates, tuple(self._numbers.items()), self._text)

    def message(self, chosen: Action, legal: Collection[Action]) -> tuple[bot_pb2.Notes, str | None]:
        """Return the message, and which limit it breaks, if any: then it must not be sent."""
        notes = self.notes(chosen)
        message = bot_pb2.Notes(
            candidates=[bot_pb2.Candidate(action=action, value=value) for action, value in notes.candidates],
            numbers=self._numbers,
            text=self._text,
        )
        return message, find_problem(notes, message.ByteSize(), legal)
