"""Notes of bots in a match, for readers with access to them.

    the match is not public    no reader
    it is                      the owner of the bot; all, if the owner has made the bot's notes public

A bot without an owner is the operator's: for those who have the scope `admin`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import select

from arena.competition.matches import stored_notes
from arena.match.seat_notes import SeatNotes
from arena.reports.match_details import MatchPage, NotedCandidate, NotesOfSeat, StepNotes
from arena.storage import Store
from arena.storage.schema import Bot, MatchResult


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader of a match, if signed in."""

    user_id: int
    is_admin: bool


def of_match(store: Store, match: MatchPage, reader: Reader | None) -> tuple[NotesOfSeat, ...]:
    """Return what this reader may read of what bots noted in a match, by seat."""
    if match.state != "finished":  # which it is when it is open to all
        return ()
    seats: dict[str, list[int]] = defaultdict(list)
    for seat in match.seats:
        seats[seat.bot].append(seat.seat)
    with store.read() as session:
        bots = select(Bot.name, Bot.owner_id, Bot.notes_public).where(
            Bot.game == match.game, Bot.name.in_(seats)
        )
        public = {
            seat: row.notes_public
            for row in session.execute(bots)
            if row.notes_public or _owns(reader, row.owner_id)
            for seat in seats[row.name]
        }
        if not public:
            return ()
        result_id = session.scalar(
            select(MatchResult.id).where(
                MatchResult.tournament_id == match.tournament_id,
                MatchResult.set_number == match.set,
                MatchResult.match_number == match.match,
            )
        )
        found = {} if result_id is None else stored_notes.load(session, result_id, public.keys())
    return tuple(of_seat(seat, notes, public=public[seat]) for seat, notes in sorted(found.items()))


def own_seats(store: Store, match: MatchPage, reader: Reader | None) -> tuple[int, ...]:
    """List the seats of a match whose bots are the reader's."""
    if reader is None:
        return ()
    with store.read() as session:
        bots = select(Bot.name, Bot.owner_id).where(
            Bot.game == match.game, Bot.name.in_([seat.bot for seat in match.seats])
        )
        own = {row.name for row in session.execute(bots) if _owns(reader, row.owner_id)}
    return tuple([seat.seat for seat in match.seats if seat.bot in own])


def _owns(reader: Reader | None, owner_id: int | None) -> bool:
    if reader is None:
        return False
    return reader.is_admin if owner_id is None else owner_id == reader.user_id


def of_seat(seat: int, found: SeatNotes, *, public: bool) -> NotesOfSeat:
    """Return the notes of a seat as pages and the API have them."""
    steps = tuple(
        StepNotes(
            step,
            tuple(NotedCandidate(each.action, each.value) for each in notes.candidates),
            dict(notes.numbers),
            notes.text,
        )
        for step, notes in found.steps
    )
    return NotesOfSeat(seat, public, found.dropped, found.reason, steps)
