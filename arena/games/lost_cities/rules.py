"""The rules of Lost Cities (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

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
from arena.games.lost_cities import view
from arena.games.lost_cities.state import (
    CARDS,
    CLOSES,
    COLOURS,
    DECK,
    HAND,
    KINDS,
    NAMES,
    NOBODY,
    SEATS,
    TURN_LIMIT,
    Cards,
    Deal,
    Hand,
    LostCitiesState,
    add_up,
)
from arena.games.lost_cities.view import LostCitiesView
from arena.games.redaction import hide

_OPTIONS = (Option("hands", 1, 9, 3, mark("hands in the match; the higher sum of their scores wins")),)

_TO_ACT: tuple[tuple[Decision, ...], ...] = (*[(Choice(seat),) for seat in range(SEATS)], ())
_PLAY = tuple(f"play {name}" for name in NAMES)
_DISCARD = tuple(f"discard {name}" for name in NAMES)
_PLACES: dict[Answer, tuple[bool, int]] = {
    f"{verb} {name}": (verb == "play", card) for name, card in CARDS.items() for verb in ("play", "discard")
}
_DRAW_PILE = "draw deck"
_DRAWS: dict[Answer, int] = {f"draw {letter}": colour for colour, letter in enumerate(COLOURS)}
# By a set of bits, bit c for a discard pile of colour c that may be drawn from.
_DRAWABLE = tuple(
    (_DRAW_PILE, *(f"draw {letter}" for colour, letter in enumerate(COLOURS) if bits >> colour & 1))
    for bits in range(32)
)

_make = tuple.__new__


class LostCities(Game[LostCitiesState, LostCitiesView]):
    """Two seats, in turn, hidden hands, push your luck."""

    id: ClassVar[str] = "lost_cities"
    title: ClassVar[str] = "Lost Cities"
    rules_version: ClassVar[int] = 1
    variants: ClassVar[dict[str, range]] = {"standard": range(2, 3)}

    def options(self, variant: str, seats: int) -> tuple[Option, ...]:  # noqa: ARG002 - the same for all
        """Return the one option: `hands`."""
        return _OPTIONS

    def new(self, setup: Setup, seed: bytes) -> tuple[LostCitiesState, tuple[Step, ...]]:
        """Deal the first hand, which seat 0 starts."""
        return _deal(Stream(seed), setup.options["hands"], (), 0)

    def to_act(self, state: LostCitiesState) -> tuple[Decision, ...]:
        """Name the one seat whose turn it is."""
        return _TO_ACT[state.seat]

    def legal(self, state: LostCitiesState, seat: int) -> tuple[Action, ...]:
        """List plays, then discards, in the order of the deck; or the draws, the draw pile first, then by colour."""
        if not state.placing:
            return _DRAWABLE[_drawable(state)]
        cards = dict.fromkeys(state.hands[seat])
        closed = state.closed[seat]
        return (*[_PLAY[card] for card in cards if card not in closed], *[_DISCARD[card] for card in cards])

    def apply(
        self, state: LostCitiesState, answers: Sequence[Answer]
    ) -> tuple[LostCitiesState, tuple[Step, ...]]:
        """Place a card or draw one; the last draw of a hand scores it and deals the next."""
        if state.seat == NOBODY or len(answers) != 1:
            raise IllegalAction(f"answers: {len(answers)} given, {int(state.seat != NOBODY)} must be")
        action = answers[0]
        return (_place(state, action), ()) if state.placing else _draw(state, action)

    def seen(self, step: Step, seat: int | None) -> Step | None:
        """Show all but the other hand and the draw pile of a deal."""
        if not isinstance(step, Chance):
            return step
        groups = (group if to == seat else hide(group) for to, group in enumerate(step.outcome))
        return Chance(step.name, tuple(groups))

    def view(self, state: LostCitiesState, seat: int) -> LostCitiesView:
        """Show the position to a seat."""
        return view.build(state, seat)

    def result(self, state: LostCitiesState) -> Result | None:
        """Add up the hands; one that ended by the turn limit makes that the end of the match."""
        if state.seat != NOBODY:
            return None
        past = state.deal.past
        scores = state.deal.totals
        end = "turn limit" if any(hand.limited for hand in past) else "completed"
        hands: list[Json] = [
            {"scores": list(hand.scores), "starter": hand.starter, "turns": hand.turns} for hand in past
        ]
        return Result(scores, places(scores), end, {"hands": hands})


LOST_CITIES = LostCities()


def score_expedition(cards: Cards) -> int:
    """Score the cards of one expedition: −20 for the start, times investments, 20 for eight cards or more."""
    if not cards:
        return 0
    ranks = [card % KINDS for card in cards]
    numbers = sum(rank + 1 for rank in ranks if rank)
    return (numbers - 20) * (1 + ranks.count(0)) + (20 if len(cards) >= 8 else 0)


def _deal(
    stream: Stream, hand_limit: int, past: tuple[Hand, ...], starter: int
) -> tuple[LostCitiesState, tuple[Step, ...]]:
    deck, stream = stream.shuffle(DECK)
    first, second, pile = deck[:HAND], deck[HAND : 2 * HAND], deck[2 * HAND :]
    state = LostCitiesState(
        deal=Deal(stream, hand_limit, past, add_up(past), starter, pile),
        turn=0,
        seat=starter,
        placing=True,
        discarded=-1,
        hands=(tuple(sorted(first)), tuple(sorted(second))),
        known=((), ()),
        expeditions=((),) * (SEATS * len(COLOURS)),
        closed=(frozenset(), frozenset()),
        discards=((),) * len(COLOURS),
        drawn=0,
    )
    groups = tuple(" ".join([NAMES[card] for card in group]) for group in (first, second, pile))
    return state, (Chance("deal", groups),)


# The two verbs below make every state but the first of a hand.  What they do without calls (`_make`, helpers for a
# seat's part of a pair) is worth a quarter of their time.


def _place(state: LostCitiesState, action: Answer) -> LostCitiesState:
    deal, turn, seat, _, discarded, hands, known, expeditions, closed, discards, drawn = state
    plays, card = _PLACES.get(action, (False, -1))
    hand = hands[seat]
    if card not in hand or (plays and card in closed[seat]):
        raise IllegalAction(f"action {action!r}: must be one of {', '.join(LOST_CITIES.legal(state, seat))}")
    at = card // KINDS
    if plays:
        if card % KINDS:
            shut = closed[seat] | CLOSES[card]
            closed = (closed[0], shut) if seat else (shut, closed[1])
        at += 5 * seat
        expeditions = (*expeditions[:at], (*expeditions[at], card), *expeditions[at + 1 :])
    else:
        discards = (*discards[:at], (*discards[at], card), *discards[at + 1 :])
        discarded = card
    if card in known[seat]:
        kept = _without(known[seat], card)
        known = (known[0], kept) if seat else (kept, known[1])
    at = hand.index(card)
    hand = hand[:at] + hand[at + 1 :]
    hands = (hands[0], hand) if seat else (hand, hands[1])
    return _make(
        LostCitiesState,
        (deal, turn, seat, False, discarded, hands, known, expeditions, closed, discards, drawn),
    )


def _draw(state: LostCitiesState, action: Answer) -> tuple[LostCitiesState, tuple[Step, ...]]:
    deal, turn, seat, _, discarded, hands, known, expeditions, closed, discards, drawn = state
    if action == _DRAW_PILE:
        card = deal.pile[drawn]
        drawn += 1
    else:
        colour = _DRAWS.get(action, -1)
        if colour < 0 or not discards[colour] or (discarded >= 0 and discarded // KINDS == colour):
            raise IllegalAction(
                f"action {action!r}: must be one of {', '.join(LOST_CITIES.legal(state, seat))}"
            )
        card = discards[colour][-1]
        discards = (*discards[:colour], discards[colour][:-1], *discards[colour + 1 :])
        learnt = tuple(sorted((*known[seat], card)))
        known = (known[0], learnt) if seat else (learnt, known[1])
    hand = tuple(sorted((*hands[seat], card)))
    hands = (hands[0], hand) if seat else (hand, hands[1])
    turn += 1
    after = _make(
        LostCitiesState,
        (deal, turn, 1 - seat, True, -1, hands, known, expeditions, closed, discards, drawn),
    )
    if drawn < len(deal.pile) and turn < TURN_LIMIT:
        return after, ()
    return _end_hand(after)


def _end_hand(state: LostCitiesState) -> tuple[LostCitiesState, tuple[Step, ...]]:
    deal = state.deal
    points = [score_expedition(cards) for cards in state.expeditions]
    scores = (sum(points[:5]), sum(points[5:]))
    limited = state.drawn < len(deal.pile)
    past = (*deal.past, Hand(scores, deal.starter, state.turn, limited))
    if len(past) == deal.hand_limit:
        return state._replace(deal=deal._replace(past=past, totals=add_up(past)), seat=NOBODY), ()
    first, second = add_up(past)
    starter = 1 - deal.starter if first == second else int(first < second)
    return _deal(deal.stream, deal.hand_limit, past, starter)


def _drawable(state: LostCitiesState) -> int:
    red, green, white, blue, yellow = state.discards
    bits = (
        (1 if red else 0)
        | (2 if green else 0)
        | (4 if white else 0)
        | (8 if blue else 0)
        | (16 if yellow else 0)
    )
    return bits if state.discarded < 0 else bits & ~(1 << state.discarded // KINDS)


def _without(cards: Cards, card: int) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
