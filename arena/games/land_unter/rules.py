"""The rules of Land Unter (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import ClassVar, Final, final

from arena.core.translatable import mark
from arena.games.chance import Stream
from arena.games.kernel import (
    Action,
    Answer,
    Chance,
    Choice,
    Decision,
    Game,
    IllegalAction,
    Json,
    Option,
    Result,
    Setup,
    Step,
    places,
)
from arena.games.land_unter import view_builder
from arena.games.land_unter.state import (
    HAND,
    TRICKS,
    WATER,
    WEATHER,
    Cards,
    LandUnterState,
    count_lifebelts,
    turned_up,
)
from arena.games.land_unter.view import LandUnterView, Trick
from arena.games.redaction import hide
from arena.games.tuples import append
from arena.games.values import Value, mypyc_attr

_NAMES: Final = tuple(map(str, range(len(WEATHER) + 1)))
_PLAY: Final = ("", *[f"play {card}" for card in WEATHER])
_CARDS: Final[dict[Answer, int]] = {action: card for card, action in enumerate(_PLAY) if card}
_LAST_TWO: Final = 2
"""Number of remaining seats with which, or with fewer, a round is over."""

_make: Final = tuple.__new__  # what the class itself has made of it takes twice as long

# By who is still in.
_CHOICES: Final[dict[tuple[bool, ...], tuple[Decision, ...]]] = {
    bits: tuple([Choice(seat) for seat in range(seats) if bits[seat]])
    for seats in range(3, 6)
    for bits in product((False, True), repeat=seats)
}


@mypyc_attr(allow_interpreted_subclasses=True)
class LandUnter(Game[LandUnterState, LandUnterView]):
    """Three to five seats, simultaneous choices, hidden hands that go round the table."""

    id: ClassVar[str] = "land_unter"
    title: ClassVar[str] = "Land Unter"
    rules_version: ClassVar[int] = 1
    variants: ClassVar[dict[str, range]] = {"standard": range(3, 6)}

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:  # noqa: ARG002 - one variant
        """Return the one option: `rounds`."""
        return (
            Option(
                "rounds", 1, seats, seats, mark("rounds in the match; in each the hands go on to the left")
            ),
        )

    def new(self, setup: Setup, seed: bytes) -> tuple[LandUnterState, tuple[Step, ...]]:
        """Deal the weather cards, once for the whole match, and shuffle the water of the first round."""
        deck, stream = Stream(seed).shuffle(WEATHER)
        groups = [deck[HAND * seat : HAND * (seat + 1)] for seat in range(setup.seats)]
        rest = deck[HAND * setup.seats :]
        deal = Chance("deal", tuple([_write(group) for group in (*groups, rest)]))
        hands = tuple([tuple(sorted(group)) for group in groups])
        state, water = _start_round(stream, setup.options["rounds"], dealt=hands, rest=rest)
        return state, (deal, water)

    def to_act(self, state: LandUnterState) -> tuple[Decision, ...]:
        """Name all seats still in."""
        if len(state.scores) == state.rounds:
            return ()
        return _CHOICES[state.still_in]

    def legal(self, state: LandUnterState, seat: int) -> tuple[Action, ...]:
        """List the cards in hand, ascending."""
        return tuple(_PLAY[card] for card in state.hands[seat])

    def apply(
        self, state: LandUnterState, answers: Sequence[Answer]
    ) -> tuple[LandUnterState, tuple[Step, ...]]:
        """Play a trick; the last one of a round scores it and starts the next."""
        decisions = self.to_act(state)
        if len(answers) != len(decisions) or not decisions:
            raise IllegalAction(f"answers: {len(answers)} given, {len(decisions)} must be")
        cards = [0] * len(state.hands)
        hands = list(state.hands)
        for at, decision in enumerate(decisions):
            seat, action = decision.seat, answers[at]
            card = _CARDS.get(action, 0)
            left = tuple([other for other in hands[seat] if other != card])
            if len(left) == len(hands[seat]):
                allowed = ", ".join(self.legal(state, seat))
                raise IllegalAction(f"action {action!r} of seat {seat}: must be one of {allowed}")
            cards[seat] = card
            hands[seat] = left
        return _end_trick(state, tuple(cards), hands)

    def seen(self, step: Step, seat: int | None) -> Step | None:
        """Show all but the others' hands, the rest, and the order of the water cards."""
        if not isinstance(step, Chance):
            return step
        own = seat if step.name == "deal" else None
        groups = [group if to == own else hide(group) for to, group in enumerate(step.outcome)]
        return Chance(step.name, tuple(groups))

    def view(self, state: LandUnterState, seat: int) -> LandUnterView:
        """Show the position to a seat."""
        return view_builder.build(state, seat)

    def result(self, state: LandUnterState) -> Result | None:
        """Add up the rounds."""
        if len(state.scores) < state.rounds:
            return None
        totals = tuple([sum(scores) for scores in zip(*state.scores, strict=True)])
        rounds: list[Json] = [list(scores) for scores in state.scores]
        return Result(totals, places(totals), "completed", {"rounds": rounds})


LAND_UNTER: Final = LandUnter()


@mypyc_attr(acyclic=True)
@final
class Payment(Value):
    """Result of a payment: the remaining seats, the lifebelts and levels after it, the seats that paid and those that went out."""

    __slots__ = ("levels", "lifebelts", "paid", "still_in", "went_out")

    def __init__(
        self,
        still_in: tuple[bool, ...],
        lifebelts: tuple[int, ...],
        levels: tuple[int, ...],
        paid: Cards,
        went_out: Cards,
    ) -> None:
        self.still_in: Final = still_in
        self.lifebelts: Final = lifebelts
        self.levels: Final = levels
        self.paid: Final = paid
        self.went_out: Final = went_out


def pay(still_in: tuple[bool, ...], lifebelts: tuple[int, ...], levels: tuple[int, ...]) -> Payment:
    """Charge the seats with the highest level; where all of them go out instead, the next highest, while three are in."""
    top = 0
    for level in levels:
        top = max(top, level)
    left = list(lifebelts)
    paid: list[int] = []
    for seat, level in enumerate(levels):
        if level == top:
            if not top or not left[seat]:
                return _pay_and_go_out(list(still_in), list(lifebelts), list(levels))
            left[seat] -= 1
            paid.append(seat)
    return Payment(still_in, tuple(left), levels, tuple(paid), ())  # as in most tricks


def _pay_and_go_out(still_in: list[bool], lifebelts: list[int], levels: list[int]) -> Payment:
    paid: list[int] = []
    went_out: list[int] = []
    top = max(levels)
    while top and not paid and sum(still_in) > _LAST_TWO:
        for seat in [seat for seat, level in enumerate(levels) if level == top]:
            if lifebelts[seat]:
                lifebelts[seat] -= 1
                paid.append(seat)
            else:
                still_in[seat] = False
                levels[seat] = 0
                went_out.append(seat)
        top = max(levels)
    return Payment(tuple(still_in), tuple(lifebelts), tuple(levels), tuple(paid), tuple(sorted(went_out)))


def score_round(
    still_in: tuple[bool, ...], lifebelts: tuple[int, ...], levels: tuple[int, ...]
) -> tuple[int, ...]:
    """Score a round: lifebelts, and one more for the lowest level of those still in; −1 for who went out."""
    lowest = min([level for seat, level in enumerate(levels) if still_in[seat]])
    return tuple(
        [lifebelts[seat] + (level == lowest) if still_in[seat] else -1 for seat, level in enumerate(levels)]
    )


def take_water(cards: Cards, water: Cards) -> Cards:
    """Return the water card each seat takes: the highest weather card the lower one, the second highest the other."""
    highest = second = 0
    for card in cards:
        if card > highest:
            highest, second = card, highest
        elif card > second:
            second = card
    lower, higher = water[0], water[1]
    return tuple(lower if card == highest else higher if card == second else 0 for card in cards)


def _start_round(
    stream: Stream,
    rounds: int,
    *,
    dealt: tuple[Cards, ...],
    rest: Cards,
    scores: tuple[tuple[int, ...], ...] = (),
    last_round: tuple[Trick, ...] = (),
) -> tuple[LandUnterState, Chance]:
    water, stream = stream.shuffle(WATER)
    number = len(scores)
    seats = len(dealt)
    hands = tuple([dealt[(seat - number) % seats] for seat in range(seats)])
    state = LandUnterState(
        stream=stream,
        rounds=rounds,
        dealt=dealt,
        rest=rest,
        scores=scores,
        last_round=last_round,
        water=water,
        tricks=(),
        hands=hands,
        still_in=(True,) * seats,
        lifebelts=tuple([count_lifebelts(hand) for hand in hands]),
        levels=(0,) * seats,
    )
    return state, Chance("water", (_write(water),))


def _end_trick(
    state: LandUnterState, cards: Cards, hands: list[Cards]
) -> tuple[LandUnterState, tuple[Step, ...]]:
    """End a trick; the hands are those after it, and those of who goes out are taken from the list."""
    water = turned_up(state)
    took = take_water(cards, water)
    levels = tuple([level or state.levels[seat] for seat, level in enumerate(took)])
    payment = pay(state.still_in, state.lifebelts, levels)
    for seat in payment.went_out:
        hands[seat] = ()
    after = state.copy()
    after.tricks = append(state.tricks, _make(Trick, (water, cards, took, payment.paid, payment.went_out)))
    after.hands = tuple(hands)
    after.still_in = payment.still_in
    after.lifebelts = payment.lifebelts
    after.levels = payment.levels
    if len(after.tricks) < TRICKS and after.still_in.count(True) > _LAST_TWO:
        return after, ()
    after.scores = (*state.scores, score_round(after.still_in, after.lifebelts, after.levels))
    if len(after.scores) == state.rounds:
        return after, ()
    started, water_cards = _start_round(
        state.stream,
        state.rounds,
        dealt=state.dealt,
        rest=state.rest,
        scores=after.scores,
        last_round=after.tricks,
    )
    return started, (water_cards,)


def _write(cards: Cards) -> str:
    return " ".join([_NAMES[card] for card in cards])
