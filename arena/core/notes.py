"""Notes: what a bot thought of an answer, for its owner; and what they may hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from arena.core.translatable import mark, say

MAX_BYTES: Final = 1024
"""Of the message on the wire."""
MAX_CANDIDATES: Final = 16
MAX_NUMBERS: Final = 8
MAX_NAME_CHARS: Final = 40
MAX_TEXT_CHARS: Final = 200
MAX_VALUE: Final = 1e15

_SIZE = mark("notes of {size} bytes: at most {most} are allowed")
_CANDIDATES = mark("{given} candidates: at most {most} are allowed")
_ACTION = mark("candidate {action}: is not one of the legal actions")
_VALUE = mark("value of {name}: must be a finite number, from -1e15 to 1e15")
_NUMBERS = mark("{given} numbers: at most {most} are allowed")
_NAME = mark("name of a number: must have 1 to {most} printable characters")
_TEXT = mark("text: must have at most {most} characters, all of them printable")
PROBLEMS: Final = (_SIZE, _CANDIDATES, _ACTION, _VALUE, _NUMBERS, _NAME, _TEXT)
"""The messages of `find_problem`, so that a stored one can be shown in another language."""


class Candidate(NamedTuple):
    """An action that was considered, and its value on the bot's own scale."""

    action: str
    value: float


_TAG = re.compile(r"(?<!\S)#[\w-]+")


class Notes(NamedTuple):
    """The notes of a bot on one answer."""

    candidates: tuple[Candidate, ...] = ()
    numbers: tuple[tuple[str, float], ...] = ()
    """By name; each name once."""
    text: str = ""

    @property
    def tags(self) -> tuple[str, ...]:
        """Return the words of the text that begin with `#`, each once."""
        return tuple(dict.fromkeys(_TAG.findall(self.text)))


def find_problem(notes: Notes, size: int, legal: Collection[str]) -> str | None:
    """Return which limit notes of `size` bytes break, with an answer to a choice of `legal` actions; None if none."""
    return next(_problems(notes, size, legal), None)


def _problems(notes: Notes, size: int, legal: Collection[str]) -> Iterator[str]:
    candidates, numbers = notes.candidates, notes.numbers
    if size > MAX_BYTES:
        yield say(_SIZE, size=size, most=MAX_BYTES)
    if len(candidates) > MAX_CANDIDATES:
        yield say(_CANDIDATES, given=len(candidates), most=MAX_CANDIDATES)
    if len(numbers) > MAX_NUMBERS:
        yield say(_NUMBERS, given=len(numbers), most=MAX_NUMBERS)
    unknown = [each.action for each in candidates if each.action not in legal]
    if unknown:
        yield say(_ACTION, action=repr(unknown[0][:MAX_NAME_CHARS]))
    if not all(0 < len(name) <= MAX_NAME_CHARS and name.isprintable() for name, _ in numbers):
        yield say(_NAME, most=MAX_NAME_CHARS)
    wrong = [name for name, value in (*candidates, *numbers) if not -MAX_VALUE <= value <= MAX_VALUE]
    if wrong:  # NaN is among them
        yield say(_VALUE, name=repr(wrong[0]))
    if len(notes.text) > MAX_TEXT_CHARS or not notes.text.isprintable():
        yield say(_TEXT, most=MAX_TEXT_CHARS)
