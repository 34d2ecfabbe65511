"""A tiny game with all that a game can have: hidden cards, talk, a simultaneous vote, a dummy, chance.

Two or three seats.  Option `rounds` (1 to 3, standard 2), option `talk` (0 to 2, standard 1).
The cards 1 … 9 are shuffled once; each seat is dealt one, the rest is the pile.  A round:

1. Up to `talk` rounds of talk among the seats that talk, until nobody speaks.
2. All seats vote at the same time, `vote A` or `vote B`; a seat whose card is 5 or more has only `vote B`.
3. The dummy turns up the next card of the pile: `turn 7`.  An odd card is a point for each `A`, an even one for `B`.
4. In turn, the seats with fewest points, if not all have as many, may take one: `take` or `leave`, in seat order.
5. The pile is shuffled: chance `mix`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from arena.games.chance import Stream
from arena.games.kernel import (
    HIDDEN,
    SILENCE,
    Action,
    Answer,
    Chance,
    Choice,
    Decision,
    DummyPlayed,
    Game,
    IllegalAction,
    Line,
    Option,
    Result,
    Setup,
    Step,
    Talk,
    TalkLimits,
    check_line,
    places,
)
from arena.v1 import match_pb2 as pb

LIMITS = TalkLimits(40, 2, ("promise", "ask"), ("A", "B"), ("this",))
_OPTIONS = (
    Option("rounds", 1, 3, 2, "rounds of votes"),
    Option("talk", 0, 2, 1, "rounds of talk before a vote"),
)


class TinyState(NamedTuple):
    """A whole position; `talked` is −1 once the talk is over, `takers` are the seats that may still take a point."""

    stream: Stream
    rounds: int
    talk: int
    talks: tuple[bool, ...]
    cards: tuple[int, ...]
    pile: tuple[int, ...]
    points: tuple[int, ...]
    round: int
    talked: int
    takers: tuple[int, ...]


class TinyView(NamedTuple):
    """The position as one seat may know it."""

    round: int
    card: int
    points: tuple[int, ...]


class Tiny(Game[TinyState, TinyView]):
    """The tiny game."""

    id: ClassVar[str] = "tiny"
    title: ClassVar[str] = "Tiny"
    rules_version: ClassVar[int] = 1
    variants: ClassVar[dict[str, range]] = {"standard": range(2, 4)}
    has_talk: ClassVar[bool] = True

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:
        return _OPTIONS

    def new(self, setup: Setup, seed: bytes) -> tuple[TinyState, tuple[Step, ...]]:
        deck, stream = Stream(seed).shuffle(range(1, 10))
        cards, pile = deck[: setup.seats], deck[setup.seats :]
        state = TinyState(
            stream=stream,
            rounds=setup.options["rounds"],
            talk=setup.options["talk"],
            talks=setup.talks,
            cards=cards,
            pile=pile,
            points=(0,) * setup.seats,
            round=0,
            talked=_start_talk(setup.options["talk"], setup.talks),
            takers=(),
        )
        return state, (Chance("deal", (*map(str, cards), " ".join(map(str, pile)))),)

    def to_act(self, state: TinyState) -> tuple[Decision, ...]:
        if state.round == state.rounds:
            return ()
        if state.takers:
            return (Choice(state.takers[0]),)
        if state.talked >= 0:
            return tuple(Talk(seat, state.talked, LIMITS) for seat, talks in enumerate(state.talks) if talks)
        return tuple(Choice(seat) for seat in range(len(state.cards)))

    def legal(self, state: TinyState, seat: int) -> tuple[Action, ...]:
        if state.takers:
            return ("take", "leave")
        return ("vote B",) if state.cards[seat] >= 5 else ("vote A", "vote B")

    def apply(self, state: TinyState, answers: Sequence[Answer]) -> tuple[TinyState, tuple[Step, ...]]:
        decisions = self.to_act(state)
        if len(decisions) != len(answers) or not decisions:
            raise IllegalAction(f"answers: must be {len(decisions)}")
        for decision, answer in zip(decisions, answers, strict=True):
            if isinstance(decision, Talk):
                if not isinstance(answer, Line):
                    raise IllegalAction(f"answer {answer!r}: must be a line")
                check_line(decision, answer, len(state.cards))
            elif answer not in self.legal(state, decision.seat):
                raise IllegalAction(f"action {answer!r}: is not legal")
        if state.takers:
            return _take(state, answers[0])
        if isinstance(decisions[0], Talk):
            ends = state.talked + 1 == state.talk or all(line == SILENCE for line in answers)
            return state._replace(talked=-1 if ends else state.talked + 1), ()
        return _vote(state, answers)

    def seen(self, step: Step, seat: int | None) -> Step | None:
        if not isinstance(step, Chance):
            return step
        if step.name == "mix":
            return None
        hidden = (
            group if to == seat else " ".join(HIDDEN for _ in group.split())
            for to, group in enumerate(step.outcome)
        )
        return Chance(step.name, tuple(hidden))

    def view(self, state: TinyState, seat: int) -> TinyView:
        return TinyView(state.round, state.cards[seat], state.points)

    def result(self, state: TinyState) -> Result | None:
        if state.round < state.rounds:
            return None
        return Result(state.points, places(state.points), "completed", {"cards": list(state.cards)})


TINY = Tiny()


def _start_talk(rounds: int, talks: tuple[bool, ...]) -> int:
    return 0 if rounds and any(talks) else -1


def _vote(state: TinyState, answers: Sequence[Answer]) -> tuple[TinyState, tuple[Step, ...]]:
    turned, pile = state.pile[0], state.pile[1:]
    right = "vote A" if turned % 2 else "vote B"
    points = tuple(has + (answer == right) for has, answer in zip(state.points, answers, strict=True))
    takers = tuple(seat for seat, has in enumerate(points) if has == min(points) < max(points))
    after = state._replace(pile=(*pile, turned), points=points, takers=takers)
    turn = DummyPlayed(f"turn {turned}")
    if takers:
        return after, (turn,)
    last, mix = _end_round(after)
    return last, (turn, *mix)


def _take(state: TinyState, answer: Answer) -> tuple[TinyState, tuple[Step, ...]]:
    seat, *others = state.takers
    points = tuple(has + (at == seat and answer == "take") for at, has in enumerate(state.points))
    after = state._replace(points=points, takers=tuple(others))
    return (after, ()) if others else _end_round(after)


def _end_round(state: TinyState) -> tuple[TinyState, tuple[Step, ...]]:
    pile, stream = state.stream.shuffle(state.pile)
    talked = _start_talk(state.talk, state.talks)
    after = state._replace(stream=stream, pile=pile, round=state.round + 1, talked=talked)
    return after, (Chance("mix", (" ".join(map(str, pile)),)),)


VIEW_TYPE = "arena.v1.Chance"
"""The tiny game has no message of its own: its view travels as numbers in the groups of a Chance."""


def encode(view: TinyView) -> bytes:
    return pb.Chance(name=f"{view.round} {view.card}", outcome=map(str, view.points)).SerializeToString()


def decode(data: bytes) -> TinyView:
    message = pb.Chance.FromString(data)
    number, card = map(int, message.name.split())
    return TinyView(number, card, tuple(map(int, message.outcome)))
