"""The stored notes of bots in a match: a row for each seat, a document of `arena.match.seat_notes` in a zstd frame."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session
from zstandard import ZstdCompressor, ZstdDecompressor

from arena.match import seat_notes
from arena.match.seat_notes import SeatNotes
from arena.storage.schema import MatchNotes

_LEVEL = 9


def pack(text: str) -> bytes:
    """Return a document as the store has it."""
    return ZstdCompressor(level=_LEVEL, write_checksum=True).compress(text.encode())


def load(session: Session, result_id: int, seats: Collection[int]) -> dict[int, SeatNotes]:
    """Return the notes of these seats of a match, by seat; the others are not read."""
    if not seats:
        return {}
    query = select(MatchNotes.seat, MatchNotes.data).where(
        MatchNotes.result_id == result_id, MatchNotes.seat.in_(seats)
    )
    return {row.seat: _unpack(row.data) for row in session.execute(query)}


def _unpack(data: bytes) -> SeatNotes:
    return seat_notes.from_json(ZstdDecompressor().decompress(data).decode())
