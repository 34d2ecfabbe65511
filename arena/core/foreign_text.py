"""Text that others wrote: read however an editor has saved it, and shown so that it cannot command a terminal."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import IO

from arena.core.errors import UsageError
from arena.core.translatable import say

_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
    (codecs.BOM_UTF8, "UTF-8-SIG"),
)
"""Marks at the beginning of a text, and the codec that reads it without the mark."""

_UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the direction of text (Unicode Standard Annex 9)
    "\u2028\u2029"  # what ends a line or paragraph
    "\ud800-\udfff"  # halves of letters, which no encoding has
    "]"
)


class UnreadableText(UsageError):  # noqa: N818 - it says what is the case
    """Raised when bytes are no text, or a text in an encoding that is not ours; the message is a reason, without the file's name."""


def decode(data: bytes) -> str:
    """Return a text without its byte order mark, its lines ended by a line feed.  Raises UnreadableText."""
    codec = marked_encoding(data) or "UTF-8"
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableText(
            say(
                "it is not text in {encoding}: byte {byte} in line {line}; save it as UTF-8",
                encoding=codec.removesuffix("-SIG"),
                byte=f"0x{data[error.start]:02x}",
                line=line,
            )
        ) from error
    if "\0" in text:
        found = "UTF-16" if data.count(b"\0") * 3 >= len(data) else "binary data"
        raise UnreadableText(say("it is {encoding} and not text in UTF-8; save it as UTF-8", encoding=found))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def marked_encoding(data: bytes) -> str | None:
    """Return the encoding that a byte order mark names, such as UTF-16; None where there is no mark."""
    return next((codec for mark, codec in _MARKS if data.startswith(mark)), None)


def read(file: Path) -> str:
    """Read the text of a file.  Raises OSError, UnreadableText."""
    return decode(file.read_bytes())


def read_opened(file: IO[bytes]) -> str:
    """Read the text of an opened file, stdin too.  Raises UsageError naming the file."""
    try:
        return decode(file.read())
    except UnreadableText as error:
        raise UsageError(f"file {file.name!r}: {error}") from error
    except OSError as error:
        raise UsageError(f"file {file.name!r}: {error.strerror}; name a file that can be read") from error


def clean(text: str) -> str:
    r"""Return a text for a terminal: its control and direction characters are written as JSON escapes them, such as `\u001b`.

    So a JSON document stays what it is: it has such characters inside of its strings only.
    """
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
