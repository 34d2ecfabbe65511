"""The rules of Lost Cities (docs/rules.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

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
from arena.games.lost_cities import view_builder
from arena.games.lost_cities.state import (
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
    fits,
)
from arena.games.lost_cities.view import LostCitiesView
from arena.games.redaction import hide
from arena.games.tuples import Item, append, drop, find, insert
from arena.games.values import mypyc_attr

_OPTIONS: Final = (Option("hands", 1, 9, 3, mark("hands in the match; the higher sum of their scores wins")),)

_TO_ACT: Final[tuple[tuple[Decision, ...], ...]] = (*[(Choice(seat),) for seat in range(SEATS)], ())
_PLAY: Final = tuple(f"play {name}" for name in NAMES)
_DISCARD: Final = tuple(f"discard {name}" for name in NAMES)
_PLACEMENTS: Final[dict[Answer, int]] = {action: number for number, action in enumerate(_PLAY + _DISCARD)}
_COLOUR: Final = tuple(card // KINDS for card in range(len(NAMES)))
_DRAW_PILE: Final = "draw deck"
_DRAWS: Final[dict[Answer, int]] = {f"draw {letter}": colour for colour, letter in enumerate(COLOURS)}
# By a set of bits, bit c for a discard pile of colour c that may be drawn from.
_DRAWABLE: Final = tuple(
    (_DRAW_PILE, *[f"draw {letter}" for colour, letter in enumerate(COLOURS) if bits >> colour & 1])
    for bits in range(32)
)


@mypyc_attr(allow_interpreted_subclasses=True)
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
        actions: list[Action] = []
        expeditions = state.expeditions[seat]
        hand = state.hands[seat]
        before = -1
        for card in hand:
            if card != before and fits(card, expeditions[_COLOUR[card]]):  # equal cards lie side by side
                actions.append(_PLAY[card])
            before = card
        before = -1
        for card in hand:
            if card != before:
                actions.append(_DISCARD[card])
            before = card
        return tuple(actions)

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
        groups = [group if to == seat else hide(group) for to, group in enumerate(step.outcome)]
        return Chance(step.name, tuple(groups))

    def view(self, state: LostCitiesState, seat: int) -> LostCitiesView:
        """Show the position to a seat."""
        return view_builder.build(state, seat)

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


LOST_CITIES: Final = LostCities()


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
        expeditions=(((),) * len(COLOURS),) * SEATS,
        discards=((),) * len(COLOURS),
        drawn=0,
    )
    groups = tuple(" ".join([NAMES[card] for card in group]) for group in (first, second, pile))
    return state, (Chance("deal", groups),)


def _place(state: LostCitiesState, action: Answer) -> LostCitiesState:
    seat = state.seat
    hand = state.hands[seat]
    number = _PLACEMENTS.get(action, -1)
    plays = number < len(_PLAY)
    card = number if plays else number - len(_PLAY)
    held = find(hand, card)
    if held < 0:
        raise _illegal(state, action)
    after = state.copy()
    after.placing = False
    colour = _COLOUR[card]
    if plays:
        expeditions = state.expeditions[seat]
        if not fits(card, expeditions[colour]):
            raise _illegal(state, action)
        mine = _put_pile(expeditions, colour, append(expeditions[colour], card))
        after.expeditions = _put(state.expeditions, seat, mine)
    else:
        after.discards = _put_pile(state.discards, colour, append(state.discards[colour], card))
        after.discarded = card
    known = state.known[seat]
    at = find(known, card)
    if at >= 0:
        after.known = _put(state.known, seat, drop(known, at))
    after.hands = _put(state.hands, seat, drop(hand, held))
    return after


def _draw(state: LostCitiesState, action: Answer) -> tuple[LostCitiesState, tuple[Step, ...]]:
    seat = state.seat
    pile = state.deal.pile
    after = state.copy()
    if action == _DRAW_PILE:
        card = pile[state.drawn]
        after.drawn += 1
    else:
        colour = _DRAWS.get(action, -1)
        if colour < 0 or not state.discards[colour] or colour == state.discarded // KINDS:
            raise _illegal(state, action)
        discards = state.discards[colour]
        card = discards[-1]
        after.discards = _put_pile(state.discards, colour, discards[:-1])
        after.known = _put(state.known, seat, insert(state.known[seat], card))
    after.hands = _put(state.hands, seat, insert(state.hands[seat], card))
    after.turn += 1
    after.seat = 1 - seat
    after.placing = True
    after.discarded = -1
    if after.drawn < len(pile) and after.turn < TURN_LIMIT:
        return after, ()
    return _end_hand(after)


def _end_hand(state: LostCitiesState) -> tuple[LostCitiesState, tuple[Step, ...]]:
    deal = state.deal
    points = [sum([score_expedition(cards) for cards in piles]) for piles in state.expeditions]
    scores = (points[0], points[1])
    limited = state.drawn < len(deal.pile)
    past = (*deal.past, Hand(scores, deal.starter, state.turn, limited))
    if len(past) == deal.hand_limit:
        after = state.copy()
        after.deal = deal.replace(past=past, totals=add_up(past))
        after.seat = NOBODY
        return after, ()
    first, second = add_up(past)
    starter = 1 - deal.starter if first == second else int(first < second)
    return _deal(deal.stream, deal.hand_limit, past, starter)


def _drawable(state: LostCitiesState) -> int:
    piles = state.discards  # by place: to take it apart makes an iterator, compiled, too
    bits = (
        (1 if piles[0] else 0)
        | (2 if piles[1] else 0)
        | (4 if piles[2] else 0)
        | (8 if piles[3] else 0)
        | (16 if piles[4] else 0)
    )
    return bits if state.discarded < 0 else bits & ~(1 << state.discarded // KINDS)


def _put_pile(piles: tuple[Cards, ...], colour: int, pile: Cards) -> tuple[Cards, ...]:
    """Return the piles by colour with another for one colour: a list in between would take twice as long."""
    if colour == 0:
        return pile, piles[1], piles[2], piles[3], piles[4]
    if colour == 1:
        return piles[0], pile, piles[2], piles[3], piles[4]
    if colour == 2:
        return piles[0], piles[1], pile, piles[3], piles[4]
    if colour == 3:
        return piles[0], piles[1], piles[2], pile, piles[4]
    return piles[0], piles[1], piles[2], piles[3], pile


def _illegal(state: LostCitiesState, action: Answer) -> IllegalAction:
    return IllegalAction(
        f"action {action!r}: must be one of {', '.join(LOST_CITIES.legal(state, state.seat))}"
    )


def _put(pair: tuple[Item, ...], seat: int, item: Item) -> tuple[Item, ...]:
    """Return what is by seat with another for one seat."""
    return (pair[0], item) if seat else (item, pair[1])
