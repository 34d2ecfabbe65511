"""The puzzle of a day as its page shows it: a position as one seat saw it, its choices with their chances, what bots choose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING

from arena.games import registry
from arena.reports import match_views
from arena.reports.insights import puzzle_search, stored_chances
from arena.reports.puzzles import stored_puzzles
from arena.web.boards import Scene, action_words, seat_scene_of
from arena.web.matches.opened_records import open_match

if TYPE_CHECKING:
    from datetime import date

    from arena.games.kernel import Action
    from arena.match.choice_chances import ChoiceEstimate
    from arena.reports.match_details import MatchPage
    from arena.reports.puzzles.stored_puzzles import StoredPuzzle
    from arena.storage import Store
    from arena.web.matches.stepper import Course

_GREEDY = "greedy"
_SHOWN = 6
"""Number of best choices that are shown, besides the reader's and the one that was played."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A decision of a match: the position after the point `number`, the seat that decides, what it may and did play."""

    stored: StoredPuzzle
    match: MatchPage
    course: Course
    number: int
    seat: int
    legal: tuple[Action, ...]
    played: Action
    choices: tuple[ChoiceEstimate, ...]
    """The legal actions with their chances, the best first."""

    @property
    def day(self) -> date:
        """Return the day whose puzzle it is."""
        return self.stored.day

    @property
    def name(self) -> str:
        """Return the name of the bot that decided."""
        return self.course.names[self.seat]

    @property
    def best(self) -> ChoiceEstimate:
        """Return the best choice."""
        return self.choices[0]

    @property
    def gap(self) -> float:
        """Return how far the chance of the best choice is above that of the second."""
        return self.choices[0].share - self.choices[1].share

    @property
    def is_clear(self) -> bool:
        """Return whether exactly one choice is right."""
        return puzzle_search.is_clear(self.choices)

    @property
    def task(self) -> str:
        """Return what the seat has to do."""
        rules, state = registry.find(self.match.game), self.course.replay.points[self.number].state
        return action_words.task(self.match.game, rules.view(state, self.seat), self.seat, self.legal)

    @property
    def greedy(self) -> Action | None:
        """Return what the house bot greedy would choose."""
        return next((bot.action for bot in self.stored.bots if bot.bot == _GREEDY), None)

    @property
    def finders(self) -> tuple[str, ...]:
        """Return the house bots that find the best choice."""
        return tuple(bot.bot for bot in self.stored.bots if bot.action == self.best.action)

    def is_right(self, action: Action) -> bool:
        """Return whether an action is the best, or as good as it where none is clearly the best."""
        found = next(each for each in self.choices if each.action == action)
        if self.is_clear:
            return action == self.best.action
        return self.best.share - found.share <= hypot(self.best.error, found.error)

    def shown(self, answer: Action) -> tuple[ChoiceEstimate, ...]:
        """Return the choices to show to a reader who has answered."""
        besides = {answer, self.played, self.greedy}
        return tuple(each for at, each in enumerate(self.choices) if at < _SHOWN or each.action in besides)

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
    """Return the puzzle of a day, or the last one before it, None if there is none; and the games that have puzzles.

    Without a game, each day has its own.
    """
    stored = {puzzle.game: puzzle for puzzle in stored_puzzles.of_day(store, day)}
    games = tuple(stored)
    wanted = game or (games[day.toordinal() % len(games)] if games else "")
    return (_open(store, stored[wanted]) if wanted in stored else None), games


def _open(store: Store, stored: StoredPuzzle) -> Puzzle | None:
    """Return a puzzle with its position; None where the record is no longer kept, or played by other rules."""
    tournament_id, set_number, match_number, number, seat = stored.choice
    match = match_views.page(store, tournament_id, set_number, match_number)
    course = open_match(match).course
    estimates = stored_chances.OF_CHOICES.load(store, *stored.choice)
    if course is None or not estimates:
        return None
    legal = tuple(registry.find(match.game).legal(course.replay.points[number].state, seat))
    played = course.replay.chosen(number).get(seat)
    if played is None or {each.action for each in estimates} != set(legal):
        return None
    ranked = tuple(sorted(estimates, key=lambda each: -each.share))
    return Puzzle(stored, match, course, number, seat, legal, played, ranked)
