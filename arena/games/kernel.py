"""The kernel of a game: its verbs, the decisions it asks for, and the steps of a match.

    new ──▶ State ──to_act──▶ Decisions ──(answers)──▶ apply ──▶ State ──▶ … ──▶ result

States are immutable values.  Chance is part of the state (`arena.games.chance`), time is not.  Actions are
strings in the notation of the game's page, everywhere: here, on the wire, in the record, in logs and tests.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, final

from arena.core.errors import ArenaError, UsageError
from arena.games.values import Value, mypyc_attr

Action: TypeAlias = str
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

HIDDEN = "?"
"""Placeholder for a card or an argument that a seat may not see, in the steps that `seen` returns."""


class SetupError(UsageError):
    """Raised when a match is asked for with a variant, seat count or option that the game does not have."""


class IllegalAction(ArenaError):  # noqa: N818 - the field's own word for it
    """Raised when an answer is not one of the legal actions, or a line of talk breaks its limits."""


# --- decisions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TalkLimits:
    """Limits of a line of talk: bytes of UTF-8, claims, and the values each claim may name."""

    max_text_bytes: int
    max_claims: int
    kinds: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    whens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One seat must choose one of its legal actions."""

    seat: int


@dataclass(frozen=True, slots=True)
class Talk:
    """One seat may say one line, or keep silent; `round` counts the rounds of talk before a vote from 0."""

    seat: int
    round: int
    limits: TalkLimits


Decision: TypeAlias = Choice | Talk


@dataclass(frozen=True, slots=True)
class Claim:
    """A promise, request or threat about how a seat will vote (arena/games/lifeboats/docs/rules.md)."""

    kind: str
    seat: int
    vote: str
    when: str


@dataclass(frozen=True, slots=True)
class Line:
    """Something said: a text and claims.  Empty both, it is silence."""

    text: str = ""
    claims: tuple[Claim, ...] = ()


SILENCE = Line()
Answer: TypeAlias = Action | Line
"""An Action answers a Choice, a Line answers a Talk."""


# --- steps ----------------------------------------------------------------------------------------------------


@mypyc_attr(acyclic=True)
@final
class Chance(Value):
    """Outcome of chance: the groups of cards that the game's page names, each a string of names with spaces."""

    __slots__ = ("name", "outcome")
    __match_args__: ClassVar = ("name", "outcome")

    def __init__(self, name: str, outcome: tuple[str, ...]) -> None:
        self.name: Final = name
        self.outcome: Final = outcome


@mypyc_attr(acyclic=True)
@final
class Played(Value):
    """A seat's action; `together` numbers the simultaneous point it belongs to, if it does."""

    __slots__ = ("action", "seat", "together")
    __match_args__: ClassVar = ("seat", "action", "together")

    def __init__(self, seat: int, action: Action, together: int | None = None) -> None:
        self.seat: Final = seat
        self.action: Final = action
        self.together: Final = together


@mypyc_attr(acyclic=True)
@final
class DummyPlayed(Value):
    """A play that a rule makes without a seat."""

    __slots__ = ("action",)
    __match_args__: ClassVar = ("action",)

    def __init__(self, action: Action) -> None:
        self.action: Final = action


@mypyc_attr(acyclic=True)
@final
class Said(Value):
    """A line that was not silence."""

    __slots__ = ("line", "round", "seat")
    __match_args__: ClassVar = ("seat", "line", "round")

    def __init__(self, seat: int, line: Line, round: int) -> None:  # noqa: A002 - its name in the record
        self.seat: Final = seat
        self.line: Final = line
        self.round: Final = round


Step: TypeAlias = Chance | Played | DummyPlayed | Said

ENDS: Final = ("completed", "turn limit")
"""Ways in which a match may end by its rules."""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a match that ended by its rules: `end` is one of ENDS; places are 1 for the best."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    end: str
    detail: Mapping[str, Json]


# --- setting up -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """A number that a match may set: `low` to `high`, both included."""

    name: str
    low: int
    high: int
    standard: int
    meaning: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A checked choice of variant, seats and options: all options of the game are in it, in the page's order."""

    variant: str
    seats: int
    options: Mapping[str, int]
    talks: tuple[bool, ...]


State = TypeVar("State")
View = TypeVar("View")


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(ABC, Generic[State, View]):
    """A set of rules.  All verbs are pure: equal arguments give equal results, on any machine."""

    id: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    """Changes whenever the same seed and actions would give another match."""

    variants: ClassVar[Mapping[str, range]]
    """Variant → the seat counts it is played with; the first is the standard one."""

    has_talk: ClassVar[bool] = False
    """Whether the game has talk: only then does the record say which seats talk."""

    @abstractmethod
    def options(self, variant: str, seats: int) -> tuple[Option, ...]:
        """Name the options of a variant with that many seats, in the page's order."""

    @abstractmethod
    def new(self, setup: Setup, seed: bytes) -> tuple[State, tuple[Step, ...]]:
        """Set up a match from its 32-byte seed; the steps are what chance did before the first decision."""

    @abstractmethod
    def to_act(self, state: State) -> tuple[Decision, ...]:
        """Name the decisions that are open, in seat order: several are simultaneous, none means it is over."""

    @abstractmethod
    def legal(self, state: State, seat: int) -> tuple[Action, ...]:
        """List the legal actions of a seat that has a Choice, in an order fixed by the rules; never empty."""

    @abstractmethod
    def apply(self, state: State, answers: Sequence[Answer]) -> tuple[State, tuple[Step, ...]]:
        """Resolve the open decisions, given one answer for each of `to_act(state)` in its order.

        The steps are those that followed without a choice: chance and the dummy's plays.  Raises IllegalAction,
        with nothing changed, where an answer is not legal.
        """

    @abstractmethod
    def seen(self, step: Step, seat: int | None) -> Step | None:
        """Return what a seat learns of a step when it happens, hidden parts as `?`, or None if nothing at all.

        Seat None is the public: what every seat may see.
        """

    @abstractmethod
    def view(self, state: State, seat: int) -> View:
        """Show the position now as that seat may know it: bounded in size, no history."""

    @abstractmethod
    def result(self, state: State) -> Result | None:
        """Return the result, or None while decisions are open."""

    def check(self, state: State, answers: Sequence[Answer]) -> None:
        """Check that there is one answer for each open decision, of its kind, and each action legal.

        It refuses what `apply` refuses, so a game's `apply` may begin with it; faster rules check as they go along.  What a
        line of talk may hold is for `check_line` to say.  Raises IllegalAction naming what would have been right.
        """
        decisions = self.to_act(state)
        if len(answers) != len(decisions) or not decisions:
            raise IllegalAction(f"answers: {len(answers)} given, {len(decisions)} must be")
        for decision, answer in zip(decisions, answers, strict=True):
            if isinstance(decision, Talk):
                if not isinstance(answer, Line):
                    raise IllegalAction(f"answer {answer!r} of seat {decision.seat}: must be a line of talk")
            elif answer not in (legal := self.legal(state, decision.seat)):
                raise IllegalAction(
                    f"action {answer!r} of seat {decision.seat}: must be one of {', '.join(legal)}"
                )

    def setup(
        self,
        seats: int,
        *,
        variant: str | None = None,
        options: Mapping[str, int] | None = None,
        talks: Sequence[bool] | None = None,
    ) -> Setup:
        """Check and complete the choice of variant, seats and options.  Raises SetupError."""
        variant = next(iter(self.variants)) if variant is None else variant
        if variant not in self.variants:
            raise SetupError(f"variant {variant!r}: {self.id} has {', '.join(self.variants)}")
        if seats not in self.variants[variant]:
            allowed = " or ".join(str(count) for count in self.variants[variant])
            raise SetupError(f"seats {seats}: {self.id} ({variant}) is played with {allowed}")
        known = {option.name: option for option in self.options(variant, seats)}
        chosen = {name: option.standard for name, option in known.items()}
        for name, value in (options or {}).items():
            if name not in known:
                has = ", ".join(known) or "no options"
                raise SetupError(f"option {name!r}: {self.id} ({variant}) has {has}")
            if not known[name].low <= value <= known[name].high:
                raise SetupError(f"option {name}={value}: must be {known[name].low} to {known[name].high}")
            chosen[name] = value
        spoken = tuple(talks) if talks is not None else (False,) * seats
        if len(spoken) != seats:
            raise SetupError(f"talks {spoken}: must be one for each of the {seats} seats")
        return Setup(variant, seats, chosen, spoken)


AnyGame: TypeAlias = Game[Any, Any]


def advance(
    game: Game[State, View], state: State, answers: Sequence[Answer], together: int
) -> tuple[State, tuple[Step, ...], int]:
    """Resolve one point and write it down: the new state, the steps in the record's order, the next `together`.

    `together` is the number that a simultaneous point gets if this is one.  Raises IllegalAction.
    """
    decisions = game.to_act(state)
    after, followed = game.apply(state, answers)
    number = together if len(decisions) > 1 and isinstance(decisions[0], Choice) else None
    steps: list[Step] = []
    for decision, answer in zip(decisions, answers, strict=True):
        if isinstance(answer, Line):
            if isinstance(decision, Talk) and answer != SILENCE:
                steps.append(Said(decision.seat, answer, decision.round))
        else:
            steps.append(Played(decision.seat, answer, number))
    return after, (*steps, *followed), together if number is None else together + 1


_SHOWN = 40
"""Characters of a claim that is wrong in a message: a bot may send thousands."""


def check_line(talk: Talk, line: Line, seats: int) -> None:
    """Check a line of talk against the limits of its decision.  Raises IllegalAction naming what is wrong."""
    limits = talk.limits
    size = len(line.text.encode("utf-8", "surrogatepass"))
    if size > limits.max_text_bytes:
        raise IllegalAction(
            f"text of {size} bytes: at most {limits.max_text_bytes} bytes of UTF-8 are allowed"
        )
    for character in line.text:
        if character < " " or "\x7f" <= character <= "\x9f" or 0xD800 <= ord(character) <= 0xDFFF:
            raise IllegalAction(f"text: the control character {character!r} is not allowed")
    if len(line.claims) > limits.max_claims:
        raise IllegalAction(f"claims: {len(line.claims)} given, at most {limits.max_claims} are allowed")
    for claim in line.claims:
        if claim.seat not in range(seats):
            raise IllegalAction(f"claim seat {claim.seat}: must be 0 to {seats - 1}")
        for name, value, allowed in (
            ("kind", claim.kind, limits.kinds),
            ("vote", claim.vote, limits.votes),
            ("when", claim.when, limits.whens),
        ):
            if value not in allowed:
                raise IllegalAction(f"claim {name} {value[:_SHOWN]!r}: must be one of {', '.join(allowed)}")


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """Rank scores, higher first, equal scores sharing the better place: (5, 9, 5) → (2, 1, 2)."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)
