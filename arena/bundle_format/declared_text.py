"""The text of a version that a bot declares in its `Hello`: remote bots play under it."""

from __future__ import annotations

MAX_BYTES = 64
_FORBIDDEN = " @,/"
"""They part versions from bots, bots from each other, and the steps of a path."""


def may_be_version(text: str) -> bool:
    """Whether a text can be the name of a version: 1 to 64 bytes, printable, without blanks, `@`, `,` and `/`."""
    return (
        0 < len(text.encode()) <= MAX_BYTES
        and text.isprintable()
        and not any(letter in _FORBIDDEN for letter in text)
    )
