"""The rules of Land Unter (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import ClassVar, NamedTuple

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
from arena.games.land_unter import view
from arena.games.land_unter.state import (
    HAND,
    TRICKS,
    WATER,
    WEATHER,
    Cards,
    LandUnterState,
    Trick,
    count_lifebelts,
)
from arena.games.land_unter.view import LandUnterView
from arena.games.redaction import hide

_PLAY = ("", *[f"play {card}" for card in WEATHER])
_CARDS: dict[Answer, int] = {action: card for card, action in enumerate(_PLAY) if card}
_LAST_TWO = 2
"""With so many seats still in, or fewer, a round is over."""


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
        return tuple([_PLAY[card] for card in state.hands[seat]])

    def apply(
        self, state: LandUnterState, answers: Sequence[Answer]
    ) -> tuple[LandUnterState, tuple[Step, ...]]:
        """Play a trick; the last one of a round scores it and starts the next."""
        decisions = self.to_act(state)
        if len(answers) != len(decisions) or not decisions:
            raise IllegalAction(f"answers: {len(answers)} given, {len(decisions)} must be")
        cards = [0] * len(state.hands)
        hands = list(state.hands)
        for decision, action in zip(decisions, answers, strict=True):
            seat = decision.seat
            hand = hands[seat]
            card = _CARDS.get(action, 0)
            if card not in hand:
                allowed = ", ".join(self.legal(state, seat))
                raise IllegalAction(f"action {action!r} of seat {seat}: must be one of {allowed}")
            cards[seat] = card
            at = hand.index(card)
            hands[seat] = hand[:at] + hand[at + 1 :]
        return _end_trick(state, cards, hands)

    def seen(self, step: Step, seat: int | None) -> Step | None:
        """Show all but the others' hands, the rest, and the order of the water cards."""
        if not isinstance(step, Chance):
            return step
        own = seat if step.name == "deal" else None
        groups = (group if to == own else hide(group) for to, group in enumerate(step.outcome))
        return Chance(step.name, tuple(groups))

    def view(self, state: LandUnterState, seat: int) -> LandUnterView:
        """Show the position to a seat."""
        return view.build(state, seat)

    def result(self, state: LandUnterState) -> Result | None:
        """Add up the rounds."""
        if len(state.scores) < state.rounds:
            return None
        totals = tuple([sum(scores) for scores in zip(*state.scores, strict=True)])
        rounds: list[Json] = [list(scores) for scores in state.scores]
        return Result(totals, places(totals), "completed", {"rounds": rounds})


LAND_UNTER = LandUnter()

_CHOICES = {
    bits: tuple([Choice(seat) for seat in range(seats) if bits[seat]])
    for seats in range(3, 6)
    for bits in product((False, True), repeat=seats)
}


class Payment(NamedTuple):
    """What a payment did: who is in, the lifebelts and levels after it, who paid and who went out."""

    still_in: tuple[bool, ...]
    lifebelts: tuple[int, ...]
    levels: tuple[int, ...]
    paid: Cards
    went_out: Cards


def pay(still_in: tuple[bool, ...], lifebelts: tuple[int, ...], levels: tuple[int, ...]) -> Payment:
    """Charge the seats with the highest level; where all of them go out instead, the next highest, while three are in."""
    top = max(levels)
    payers = [seat for seat, level in enumerate(levels) if level == top]
    if top and all(lifebelts[seat] for seat in payers):  # as in most tricks
        left = tuple([belts - (seat in payers) for seat, belts in enumerate(lifebelts)])
        return Payment(still_in, left, levels, tuple(payers), ())
    return _pay_and_go_out(list(still_in), list(lifebelts), list(levels))


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
    lowest = min([level for level, here in zip(levels, still_in, strict=True) if here])
    return tuple(
        [
            belts + (level == lowest) if here else -1
            for here, belts, level in zip(still_in, lifebelts, levels, strict=True)
        ]
    )


def take_water(cards: Sequence[int], water: Cards) -> Cards:
    """Return the water card each seat takes: the highest weather card the lower one, the second highest the other."""
    took = [0] * len(cards)
    highest = max(cards)
    second = max([card for card in cards if card != highest])
    took[cards.index(highest)], took[cards.index(second)] = water
    return tuple(took)


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
    state: LandUnterState, cards: list[int], hands: list[Cards]
) -> tuple[LandUnterState, tuple[Step, ...]]:
    water = view.turned_up(state)
    took = take_water(cards, water)
    levels = tuple([new or old for new, old in zip(took, state.levels, strict=True)])
    still_in, lifebelts, levels, paid, went_out = pay(state.still_in, state.lifebelts, levels)
    for seat in went_out:
        hands[seat] = ()
    tricks = (*state.tricks, Trick(water, tuple(cards), took, paid, went_out))
    stream, rounds, dealt, rest, scores, last_round, pile, *_ = state
    ended = len(tricks) == TRICKS or sum(still_in) <= _LAST_TWO
    if ended:
        scores = (*scores, score_round(still_in, lifebelts, levels))
        if len(scores) < rounds:
            started, chance = _start_round(
                stream, rounds, dealt=dealt, rest=rest, scores=scores, last_round=tricks
            )
            return started, (chance,)
    after = LandUnterState(
        stream,
        rounds,
        dealt,
        rest,
        scores,
        last_round,
        pile,
        tricks,
        tuple(hands),
        still_in,
        lifebelts,
        levels,
    )
    return after, ()


def _write(cards: Cards) -> str:
    return " ".join(map(str, cards))
