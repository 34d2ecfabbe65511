"""A bot: a class with one method, `choose`, and what it is given to choose from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

from arena.games.kernel import SILENCE, Action, Line, Step, TalkLimits
from arena.sdk.notepad import Notepad

View = TypeVar("View")


@dataclass(frozen=True, slots=True)
class Match:
    """The facts that stay the same through a match."""

    id: str
    game: str
    variant: str
    options: Mapping[str, int]
    seat: int
    """Your seat, from 0."""
    seats: int
    random: Random
    """Seeded from the match's bot seed: a bot that draws from nothing else can be played again exactly."""


class Clock(NamedTuple):
    """Your time, in milliseconds: what is left in the bank, and how long this decision may take."""

    bank_ms: int
    limit_ms: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match: places are 1 for the best; scores are empty and `fault` says what was wrong after a fault.

    `end` is `completed`, `turn limit`, `fault`, or `called off` if the arena broke the match off without result.
    """

    places: tuple[int, ...]
    scores: tuple[int, ...]
    end: str
    fault: str = ""


class Decision(Generic[View]):
    """A decision that is yours.

    The view and the history are decoded when they are first looked at, so what a bot does not use costs nothing.
    """

    __slots__ = ("_history", "_match", "_view", "clock", "legal", "limits", "notepad")

    def __init__(
        self,
        match: Match,
        *,
        legal: tuple[Action, ...],
        clock: Clock,
        view: Callable[[], View],
        history: Callable[[], tuple[Step, ...]],
        limits: TalkLimits | None = None,
    ) -> None:
        self._match = match
        self._view: Callable[[], View] | tuple[View] = view
        self._history: Callable[[], tuple[Step, ...]] | tuple[Step, ...] = history
        self.legal = legal
        """The legal actions, in the notation of the game's page; empty if this is an ask for talk."""
        self.clock = clock
        self.limits = limits
        """The limits of a line, if this is an ask for talk."""
        self.notepad: Notepad | None = None
        """The notes so far; None if there are none."""

    def note(
        self, values: Mapping[Action, float] | None = None, /, *, text: str = "", **numbers: float
    ) -> None:
        """Note what you think, for yourself: shown next to the board once the match is open to all.

        `values` rates actions on any scale, the highest is the best; 16 are kept at most, the chosen one among them.
        `numbers`, 8 at most, are plotted over the match; `text` is a line of up to 200 characters.  Call it again to add
        more.  Notes over 1 KB in all are dropped, and the program's output says so; the choice counts all the same.
        Nothing is noted on talk.
        """
        if self.notepad is None:
            self.notepad = Notepad()
        self.notepad.add(values or {}, numbers, text)

    @property
    def view(self) -> View:
        """The position as your seat may know it: the `View` of `arena.games.<game>.view`."""
        if not isinstance(self._view, tuple):
            self._view = (self._view(),)
        return self._view[0]

    @property
    def history(self) -> tuple[Step, ...]:
        """All that your seat has seen since the match began; what it may not see is shown as `?`."""
        if not isinstance(self._history, tuple):
            self._history = self._history()
        return self._history

    @property
    def match(self) -> str:
        """The match's id; the same in all decisions of a match, so it can be the key of what a bot remembers."""
        return self._match.id

    @property
    def game(self) -> str:
        """The game's id."""
        return self._match.game

    @property
    def variant(self) -> str:
        """The variant that is played."""
        return self._match.variant

    @property
    def options(self) -> Mapping[str, int]:
        """Every option of the game with its value in this match."""
        return self._match.options

    @property
    def seat(self) -> int:
        """Your seat, from 0."""
        return self._match.seat

    @property
    def seats(self) -> int:
        """The number of seats of the match."""
        return self._match.seats

    @property
    def random(self) -> Random:
        """The match's own source of random numbers, seeded from its bot seed."""
        return self._match.random


def bot_of(given: object) -> Bot[Any]:
    """Return the bot that is given, or make it of its class, if that takes no arguments.  Raises TypeError."""
    bot = given
    if isinstance(given, type) and issubclass(given, Bot):
        try:
            signature(given).bind()
        except TypeError as error:
            name = given.__name__
            raise TypeError(
                f"{name} is a class: make a bot of it, such as {name}(…), since its __init__ takes arguments ({error})"
            ) from None
        bot = given()
    if not isinstance(bot, Bot):
        raise TypeError(f"{given!r}: must be a bot: an object of a class that derives from arena.sdk.Bot")
    return bot


class Bot(ABC, Generic[View]):
    """Plays matches, one or several at a time, all in this one object.

    An exception in any of its methods ends the process: the match is lost as a `crash`, with the traceback's end in
    its message.
    """

    name: str = ""
    """Its name in logs; the class's name if empty."""
    version: str = "1"
    """Its version where it runs elsewhere: 64 bytes at most, without blanks, `@`, `,` and `/`."""
    games: tuple[str, ...] = ()
    """The ids of the games that it plays; empty for all."""
    variants: tuple[str, ...] = ()
    """The variants of them that it plays, such as `("standard",)`; empty for all.  The others are never given to it."""
    seat_counts: tuple[int, ...] = ()
    """The numbers of seats that it plays with, such as `(3, 4)`; empty for all."""
    talks: bool = False
    """Whether it wants to be asked to talk, in games that have talk."""
    matches_at_once: int = 1
    """Matches that may have an open decision at the same time; the clock of each runs."""

    @abstractmethod
    def choose(self, decision: Decision[View]) -> str:
        """Choose one of `decision.legal`."""

    def say(self, decision: Decision[View]) -> Line:  # noqa: ARG002 - for bots that talk
        """Return a line to say, or silence.  Called only if `talks` is true."""
        return SILENCE

    def on_start(self, match: Match) -> None:
        """Take note that a match begins.  Not called again when it goes on after a lost connection."""

    def on_end(self, match: Match, outcome: Outcome) -> None:
        """Take note that a match is over."""
