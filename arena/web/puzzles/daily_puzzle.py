"""Choosing the puzzle of a day: the same match, decision and seat for all who ask, drawn by the date.

The matches are the newest ones that were stored before the day began (UTC), or the first ones of a new arena.  Of a match a
decision in the middle is taken, with several choices: the house's search's, if it played, or the winner's.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from arena.competition.matches.outcomes import FAULT_END
from arena.games import registry
from arena.reports import match_views
from arena.web.boards import Scene, seat_scene_of
from arena.web.matches.opened_records import open_match

if TYPE_CHECKING:
    from arena.games.kernel import Action
    from arena.reports.match_details import MatchPage
    from arena.storage import Store
    from arena.web.matches.stepper import Course

SEARCH = "search"
"""The house bot of each game that thinks ahead."""
_MATCHES = 100
"""The most matches that a day's puzzle is drawn from."""
_TRIES = 10
"""The most records that are opened for it: some may be stored no longer, or have no decision to ask for."""
_MIDDLE = (0.15, 0.85)
_CHOICES = 3
"""The fewest legal actions of a decision that is worth asking for."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A decision of a match: the position after the point `number`, the seat that decides, what it may and did play."""

    day: date
    match: MatchPage
    course: Course
    number: int
    seat: int
    legal: tuple[Action, ...]
    played: Action

    @property
    def name(self) -> str:
        """Return the name of the bot that decided."""
        return self.course.names[self.seat]

    @property
    def by_search(self) -> bool:
        """Return whether the house's search decided."""
        return self.match.seats[self.seat].bot == SEARCH

    def scene(self, *, answered: bool) -> Scene:
        """Return the position as the seat saw it: with choices to answer by, or with the action played marked."""
        point = self.course.replay.points[self.number]
        scene = seat_scene_of(
            self.match.game,
            point.state,
            self.seat,
            self.course.names,
            after=point.steps,
            said=self.course.replay.talk(self.number),
            chosen=self.played if answered else None,
        )
        return replace(scene, answerable=not answered)


def find(store: Store, day: date, game: str | None) -> tuple[Puzzle | None, tuple[str, ...]]:
    """Return the puzzle of a day, None if no match gives one, and the games that there are puzzles of.

    Without a game, each day has its own.
    """
    midnight = datetime.combine(day, time(), UTC).timestamp()
    rows = [row for row in match_views.stored_before(store, midnight, _MATCHES) if row.end != FAULT_END]
    games = tuple(sorted({row.game for row in rows}))
    wanted = game or (games[day.toordinal() % len(games)] if games else "")
    ranked = sorted((row for row in rows if row.game == wanted), key=lambda row: _rank(day, row.id))
    for row in ranked[:_TRIES]:
        match = match_views.page(store, row.tournament_id, row.set, row.match)
        course = open_match(match).course
        if course is not None and (found := _decision(day, match, course)) is not None:
            return found, games
    return None, games


def _rank(day: date, match_id: str) -> bytes:
    return hashlib.sha256(f"{day} {match_id}".encode()).digest()


def _decision(day: date, match: MatchPage, course: Course) -> Puzzle | None:
    """Choose a decision of a match by the day."""
    rules, final = registry.find(match.game), course.replay.final
    chance = random.Random(_rank(day, match.id))
    numbers = [number for number in range(final) if _MIDDLE[0] * final <= number <= _MIDDLE[1] * final]
    chance.shuffle(numbers)
    for number in numbers:
        state, chosen = course.replay.points[number].state, course.replay.chosen(number)
        for seat in _seats(match):
            legal = rules.legal(state, seat) if seat in chosen else ()
            if len(legal) >= _CHOICES and chosen[seat] in legal:
                return Puzzle(day, match, course, number, seat, legal, chosen[seat])
    return None


def _seats(match: MatchPage) -> Sequence[int]:
    """Return the seats whose decisions are worth asking for."""
    searching = [each.seat for each in match.seats if each.bot == SEARCH]
    return searching or [each.seat for each in match.seats if each.place == 1]
