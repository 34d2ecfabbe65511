"""Texts that can be shown in another language: English strings that remember their message and values.

say("{bot} has left: {why}", bot="greedy@1", why=…)      an ordinary str; a page translates the message, then fills it in
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


class Wording(str):
    """An English text with the message and the values that it was made of; `many` and `number` where it counts something."""

    __slots__ = ("many", "message", "number", "values")

    message: str
    values: dict[str, Any]
    many: str | None
    number: int

    def __str__(self) -> str:
        """Return the wording itself, so that an exception's text keeps its message and values."""
        return self


def mark(message: str) -> str:
    """Mark a text for the message catalogues and return it unchanged; it is translated when it is shown."""
    return message


def say(message: str, /, **values: object) -> Wording:
    """Make a text from a message (a literal, so that it can be extracted) and the values for its `{braces}`."""
    return _made(message, message, None, 1, values)


def say_many(one: str, many: str, number: int, /, **values: object) -> Wording:
    """Make a text with a count: `one` for 1, otherwise `many`; `{number}` is replaced by the number."""
    return _made(one if number == 1 else many, one, many, number, {"number": number, **values})


def recall(text: str, messages: Iterable[str]) -> str:
    """Find the message that a stored text was made from; a text that matches none stays unchanged."""
    for message in messages:
        names = re.findall(r"{(\w+)}", message)
        pattern = "(.+)".join(re.escape(part) for part in re.split(r"{\w+}", message))
        if found := re.fullmatch(pattern, text, re.DOTALL):
            return say(message, **dict(zip(names, found.groups(), strict=True)))
    return text


def _made(shown: str, message: str, many: str | None, number: int, values: dict[str, Any]) -> Wording:
    wording = Wording(shown.format(**values))
    wording.message, wording.values, wording.many, wording.number = message, values, many, number
    return wording
