"""Plays the matches of `arena match` through a referee of its own."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from pathlib import Path

from arena.core.errors import ArenaError
from arena.referee_client import Failed, Finished, Order, Postponed, Referee, SeatNotesText

_ATTEMPTS = 3


class NotPlayed(ArenaError):  # noqa: N818 - it says what happened
    """Raised when a match could not be played: a bot is not there, or the referee failed again and again."""


async def play(address: str, orders: Sequence[Order]) -> AsyncGenerator[Finished, None]:
    """Play all matches, those again at which the platform failed, and yield them as they end.

    Raises NotPlayed, RefereeUnreachable.
    """
    pending: Mapping[str, Order] = {order.match: order for order in orders}
    reason = ""
    async with Referee(address) as referee:
        for _ in range(_ATTEMPTS):
            again: dict[str, Order] = {}
            async for report in referee.play(pending.values()):
                match report:
                    case Finished():
                        yield report
                    case Postponed():
                        seat = pending[report.match].seats[report.seat]
                        raise NotPlayed(f"bot {seat.bot!r}: {report.reason}")
                    case Failed():
                        again[report.match] = pending[report.match]
                        reason = report.reason
            pending = again
            if not pending:
                return
    raise NotPlayed(f"match {next(iter(pending))}: the referee failed {_ATTEMPTS} times: {reason}")


def write_record(folder: Path, match: str, text: str) -> None:
    """Write a record into its file, whole or not at all."""
    _write(folder, f"{match}.json", text)


def write_notes(folder: Path, match: str, notes: Iterable[SeatNotesText]) -> None:
    """Write what bots noted in a match beside its record, a line for each seat; no file if they noted nothing."""
    lines = [f'{{"seat":{each.seat},{each.text[1:]}' for each in notes]
    if lines:
        _write(folder, f"{match}.notes.jsonl", "\n".join(lines))


def _write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    draft = folder / f".{name}.{os.getpid()}"
    try:
        draft.write_text(text + "\n", encoding="utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
