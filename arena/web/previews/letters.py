"""The fonts of preview cards, and which letters they have.

What a font has is read from the table `cmap` of its file (OpenType 1.9, "cmap"), in the two formats that fonts with much of
Unicode come in: 4, for its first 65,536 letters, and 12.
"""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path

_FONTS = Path(__file__).parent / "fonts"
_MAIN = (_FONTS / "DejaVuSansCondensed.ttf", _FONTS / "DejaVuSansCondensed-Bold.ttf")
_EAST_ASIAN = _FONTS / "DroidSansFallback.ttf"
_BY_SEGMENTS, _BY_GROUPS = 4, 12


def fonts_for(text: str) -> tuple[Path, ...]:
    """Return the files of the fonts that a text is written in: that of East Asia, 4 MB, only where it is needed."""
    return _MAIN if _has_all(_MAIN[1], text) else (*_MAIN, _EAST_ASIAN)


def writable(text: str) -> str:
    """Return a text without the letters that no font has."""
    if _has_all(_MAIN[1], text):
        return text
    return "".join(each for each in text if _has_all(_MAIN[1], each) or _has_all(_EAST_ASIAN, each))


def _has_all(font: Path, text: str) -> bool:
    return letters_of(font).issuperset(map(ord, text))


@cache
def letters_of(font: Path) -> frozenset[int]:
    """Return the code points that a font draws.  Raises OSError for a file that cannot be read."""
    data = font.read_bytes()
    cmap = _table(data, b"cmap")
    (count,) = struct.unpack_from(">H", cmap, 2)
    found: set[int] = set()
    for number in range(count):
        (offset,) = struct.unpack_from(">I", cmap, 8 + 8 * number)
        (kind,) = struct.unpack_from(">H", cmap, offset)
        if kind == _BY_SEGMENTS:
            found |= _by_segments(cmap[offset:])
        elif kind == _BY_GROUPS:
            found |= _by_groups(cmap[offset:])
    return frozenset(found)


def _table(data: bytes, name: bytes) -> bytes:
    (count,) = struct.unpack_from(">H", data, 4)
    for number in range(count):
        tag, _, offset, length = struct.unpack_from(">4sIII", data, 12 + 16 * number)
        if tag == name:
            return data[offset : offset + length]
    return bytes(4)


def _by_segments(table: bytes) -> set[int]:
    (twice,) = struct.unpack_from(">H", table, 6)
    count = twice // 2

    def row(at: int) -> tuple[int, ...]:
        return struct.unpack_from(f">{count}H", table, 14 + at)

    ends, starts, deltas, offsets = row(0), row(twice + 2), row(2 * twice + 2), row(3 * twice + 2)
    found = set()
    for number, (start, end, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for letter in range(start, end + 1):
            if offset:  # counted from the position of the offset itself
                at = 16 + 3 * twice + 2 * number + offset + 2 * (letter - start)
                glyph = int.from_bytes(table[at : at + 2], "big")
            else:
                glyph = (letter + delta) & 0xFFFF
            if glyph:
                found.add(letter)
    return found - {0xFFFF}


def _by_groups(table: bytes) -> set[int]:
    (count,) = struct.unpack_from(">I", table, 12)
    groups = (struct.unpack_from(">III", table, 16 + 12 * number) for number in range(count))
    return {letter for start, end, _ in groups for letter in range(start, end + 1)}
