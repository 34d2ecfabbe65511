"""Nothing that a seat may not see reaches it: two matches that differ only in that look the same to the seat.

A pair is made by playing a random match up to some point, dealing again with the cards that the seat cannot know by then
in other places, and playing the same actions; the cards that stayed hidden were never played, so all of them are legal.
What is not in the states, the choices of others at the same point, is in tests/match/test_unrevealed.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games import codec as game_codec
from arena.games.bottle_imp.rules import BOTTLE_IMP
from arena.games.bottle_imp.state import OVER, PASSING, SUIT, BottleImpState
from arena.games.chance import Stream
from arena.games.kernel import Chance, Choice, Played, Step
from arena.games.land_unter.rules import LAND_UNTER
from arena.games.land_unter.state import LandUnterState, count_lifebelts
from arena.games.lifeboats import LIFEBOATS, sampler
from arena.games.lost_cities.rules import LOST_CITIES
from arena.games.lost_cities.state import CARDS, NAMES, LostCitiesState
from arena.games.teotlatolli.cards import SIGNS, gather, list_signs
from arena.games.teotlatolli.rules import TEOTLATOLLI
from arena.games.teotlatolli.state import Supply, TeotlatolliState
from tests.games.playing import Playout, Table, codec, play
from tests.games.tiny import TINY, TinyState


class Hidden(NamedTuple):
    """A match up to some point, and its twin: the state at its start and at the end, all steps."""

    start: Any
    state: Any
    steps: tuple[Step, ...]


def follow(playout: Playout, start: Any, opening: Sequence[Step], points: slice) -> Hidden:
    """Play the answers of a match from another state; the steps that nobody chose are those of the rules."""
    state, steps = start, list(opening)
    for point in playout.points[points]:
        chosen = [step for step in point.steps if isinstance(step, Played)]
        state, followed = playout.table.game.apply(state, point.answers)
        steps += [*chosen, *followed]
    return Hidden(start, state, tuple(steps))


def shuffle_places(items: Sequence[Any], places: Sequence[int], chooser: random.Random) -> list[Any]:
    """Shuffle the items at some places among these places."""
    shuffled, moved = list(items), [items[place] for place in places]
    chooser.shuffle(moved)
    for place, item in zip(places, moved, strict=True):
        shuffled[place] = item
    return shuffled


def lost_cities_twins(chooser: random.Random, seat: int, length: float) -> tuple[Hidden, Hidden]:
    playout = play(Table(LOST_CITIES, "standard", 2), chooser.randbytes(32), chooser, hands=1)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    deck = [CARDS[name] for name in " ".join(deal.outcome).split()]
    state: LostCitiesState = true.state
    # Hidden are the other hand less the cards known to be in it, and the rest of the pile.
    secret = list(state.hands[1 - seat])
    for card in state.known[1 - seat]:
        secret.remove(card)
    theirs = range(8 - 8 * seat, 16 - 8 * seat)
    drawn = range(16, 16 + state.drawn)
    hidden = list(range(16 + state.drawn, 60))
    mine = drawn_by(playout, points, seat)
    # Of equal cards the one that came last is taken to be still there, so that the others were there to be played.
    for place in (*[place for place in reversed(drawn) if place not in mine], *theirs):
        if deck[place] in secret:
            secret.remove(deck[place])
            hidden.append(place)
    assert not secret
    other = shuffle_places(deck, hidden, chooser)
    groups = (other[:8], other[8:16], other[16:])
    twin_deal = Chance("deal", tuple(" ".join(NAMES[card] for card in group) for group in groups))
    start: LostCitiesState = true.start
    twin_start = start._replace(
        hands=(tuple(sorted(groups[0])), tuple(sorted(groups[1]))),
        deal=start.deal._replace(pile=tuple(groups[2])),
    )
    return true, follow(playout, twin_start, (twin_deal,), points)


def drawn_by(playout: Playout, points: slice, seat: int) -> set[int]:
    """Return the places in the deck of the cards that a seat drew from the pile."""
    draws = [point.decisions[0].seat for point in playout.points[points] if point.answers == ("draw deck",)]
    return {16 + at for at, drawer in enumerate(draws) if drawer == seat}


def land_unter_twins(chooser: random.Random, seat: int, length: float) -> tuple[Hidden, Hidden]:
    seats = chooser.randint(max(3, seat + 1), 5)
    playout = play(Table(LAND_UNTER, "standard", seats), chooser.randbytes(32), chooser)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    deal, water = playout.opening
    assert isinstance(deal, Chance)
    deck = [int(name) for group in deal.outcome for name in group.split()]
    state: LandUnterState = true.state
    played = {int(step.action.split()[1]) for step in true.steps if isinstance(step, Played)}
    # The seat has held the hands dealt to it and to the seats on its right, one more in each round.
    last = min(len(state.scores), state.rounds - 1)
    held = {(seat - number) % seats for number in range(last + 1)}
    hidden = [
        place for place, card in enumerate(deck) if card not in played and min(place // 12, seats) not in held
    ]
    other = deck
    for group in (
        {0, 4},
        {1, 3},
        {2},
    ):  # lifebelts are open, so cards change places with cards that show as many
        other = shuffle_places(
            other, [place for place in hidden if (deck[place] - 1) // 12 in group], chooser
        )
    groups = [other[12 * at : 12 * at + 12] for at in range(seats)]
    rest = other[12 * seats :]
    twin_deal = Chance("deal", tuple(" ".join(map(str, group)) for group in (*groups, rest)))
    dealt = tuple(tuple(sorted(group)) for group in groups)
    assert [*map(count_lifebelts, dealt)] == [*map(count_lifebelts, true.start.dealt)]
    twin = follow(
        playout, true.start._replace(dealt=dealt, hands=dealt, rest=tuple(rest)), (twin_deal, water), points
    )
    # The water cards of this round that are still to be turned.
    turned = 2 * len(state.tricks) + 2
    order = shuffle_places(state.water, range(turned, 24), chooser)
    at, shuffle = [(at, step) for at, step in enumerate(twin.steps) if getattr(step, "name", "") == "water"][
        -1
    ]
    assert shuffle in true.steps
    steps = (*twin.steps[:at], Chance("water", (" ".join(map(str, order)),)), *twin.steps[at + 1 :])
    return true, Hidden(twin.start, twin.state._replace(water=tuple(order)), steps)


def bottle_imp_twins(chooser: random.Random, seat: int, length: float) -> tuple[Hidden, Hidden]:
    """Hidden cards change places with hidden cards of their colour, so that others follow colour as they did."""
    tables = [("standard", 3), ("standard", 4), ("lopaka", 2), ("bright_house", 2)]
    table = Table(BOTTLE_IMP, *chooser.choice([each for each in tables if each[1] > seat]))
    playout = play(table, chooser.randbytes(32), chooser, hands=1)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    hidden = hidden_in_bottle_imp(true.state, seat)
    other = {"?": "?"}
    for colour in {SUIT[card] for card in hidden}:
        cards = sorted(hidden & colour)
        shuffled = shuffle_places(cards, range(len(cards)), chooser)
        other |= {str(card): str(new) for card, new in zip(cards, shuffled, strict=True)}

    def rename(text: str) -> str:
        return " ".join(word if text.startswith("open") else other.get(word, word) for word in text.split())

    renamed = [
        replace(
            point,
            answers=tuple(map(rename, point.answers)),
            steps=tuple(
                replace(step, action=rename(step.action)) for step in point.steps if isinstance(step, Played)
            ),
        )
        for point in playout.points
    ]
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    groups = tuple(map(rename, deal.outcome))
    start: BottleImpState = true.start
    dealt = [tuple(map(int, group.split())) for group in groups]
    places = len(start.hands)
    twin_start = start._replace(
        hands=tuple(tuple(sorted(group)) for group in dealt[:places]),
        deal=start.deal._replace(rest=sum(dealt[places:], ())),
    )
    twin = replace(playout, points=tuple(renamed))
    return true, follow(twin, twin_start, (Chance("deal", groups),), points)


def hidden_in_bottle_imp(state: BottleImpState, seat: int) -> set[int]:
    """Return the cards that a seat has never seen: others' hands, and their part of the devil's trick."""
    if state.place == OVER:
        return set()
    deal, hands = state.deal, state.hands
    form, given = deal.form, deal.given
    unseen = {*deal.rest}
    for place, hand in enumerate(hands):
        later = place > 1 and form.variant == "bright_house" and len(given) < 2
        if later or form.sides[place] != seat:
            unseen |= {*hand}
    for verb, chosen in zip(form.verbs, given, strict=False):
        if verb != "open":
            unseen |= {card for other, card in enumerate(chosen) if other != seat}
    unseen -= {card for trick in state.tricks for card in trick.cards} | {*state.trick}
    if state.place != PASSING:
        unseen -= {*(hands[2] if form.variant == "lopaka" else ())}
        unseen -= {*hands[0], *hands[1]} if form.variant == "bright_house" else set()
    mine = [hand for place, hand in enumerate(hands) if form.sides[place] == seat]
    if form.variant == "bright_house" and len(given) < 2:
        mine = mine[:1]
    passed = [chosen[seat] for verb, chosen in zip(form.verbs, given, strict=False) if verb != "open"]
    return unseen - {card for hand in mine for card in hand} - {*passed}


@dataclass(frozen=True, slots=True)
class Scripted(Stream):
    """A stream that shuffles as it is told: the orders are those of the shuffles to come."""

    orders: tuple[tuple[int, ...], ...] = ()

    def shuffle(self, items: Sequence[Any]) -> tuple[tuple[Any, ...], Stream]:
        assert sorted(items) == sorted(self.orders[0])
        return self.orders[0], Scripted(self.seed, self.position, self.orders[1:])


def teotlatolli_twins(chooser: random.Random, seat: int, length: float) -> tuple[Hidden, Hidden]:
    """Hidden are what the other seat drew since the last shuffle and still holds, the reserve, and the gods to come."""
    playout = play(Table(TEOTLATOLLI, "standard", 2), chooser.randbytes(32), chooser)
    points = slice(0, int(len(playout.points) * length))
    true = follow(playout, playout.points[0].state, playout.opening, points)
    state: TeotlatolliState = true.state
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    orders = [tuple(map(SIGNS.index, " ".join(deal.outcome[:3]).split()))]
    theirs = [*range(6 - 6 * seat, 12 - 6 * seat)]
    for point, after in zip(playout.points[points], [*playout.states()[1:]], strict=False):
        taken = [range(point.state.drawn, after.drawn)]
        if isinstance(point.steps[-1], Chance):
            orders.append(after.supply.reserve)
            theirs, taken = [], [range(after.drawn)]
        if point.decisions[0].seat != seat and point.answers == ("draw",):
            theirs += [place + 12 * (len(orders) == 1) for part in taken for place in part]
    drawn = state.drawn + 12 * (len(orders) == 1)
    hidden = list(range(drawn, len(orders[-1])))
    # Of equal cards the one that came last is taken to be still there, so that the others were there to be played.
    secret = list(list_signs(state.hands[1 - seat]))
    for place in reversed(theirs):
        if orders[-1][place] in secret:
            secret.remove(orders[-1][place])
            hidden.append(place)
    orders[-1] = tuple(shuffle_places(orders[-1], hidden, chooser))
    came = len(state.gods) + sum(map(len, state.completed))
    gods = tuple(shuffle_places(state.supply.gods, range(came, 20), chooser))
    deck = orders[0]
    groups = [" ".join([SIGNS[sign] for sign in part]) for part in (deck[:6], deck[6:12], deck[12:])]
    start = true.start._replace(
        supply=Supply(Scripted(bytes(32), 0, tuple(orders[1:])), deck[12:], gods),
        hands=(gather(deck[:6]), gather(deck[6:12])),
    )
    opening = (Chance("deal", (*groups, " ".join(map(str, gods)))),)
    return true, follow(playout, start, opening, points)


def tiny_twins(chooser: random.Random, seat: int, length: float) -> tuple[Hidden, Hidden]:
    """The pile of the first round, but for its first card, which the dummy turns up."""
    playout = play(Table(TINY, "standard", 3), chooser.randbytes(32), chooser, rounds=1)
    points = slice(0, int((len(playout.points) - 1) * length))
    start: TinyState = playout.points[0].state
    pile = shuffle_places(start.pile, range(1, len(start.pile)), chooser)
    (deal,) = playout.opening
    assert isinstance(deal, Chance)
    twin_deal = Chance("deal", (*deal.outcome[:-1], " ".join(map(str, pile))))
    twin = follow(playout, start._replace(pile=tuple(pile)), (twin_deal,), points)
    return follow(playout, start, playout.opening, points), twin


Twins = Callable[[random.Random, int, float], tuple[Hidden, Hidden]]
TWINS: dict[str, tuple[Any, int, Twins]] = {
    "lost_cities": (LOST_CITIES, 2, lost_cities_twins),
    "land_unter": (LAND_UNTER, 5, land_unter_twins),
    "bottle_imp": (BOTTLE_IMP, 4, bottle_imp_twins),
    "teotlatolli": (TEOTLATOLLI, 2, teotlatolli_twins),
    "tiny": (TINY, 3, tiny_twins),
}


def shown(game: Any, seat: int, match: Hidden) -> tuple[bytes, Any, list[bytes]]:
    """Return all that a seat is told, as it travels: the view, the legal actions, the history."""
    asked = any(isinstance(each, Choice) and each.seat == seat for each in game.to_act(match.state))
    seen = [game.seen(step, seat) for step in match.steps]
    return (
        codec(game.id).encode(game.view(match.state, seat)),
        game.legal(match.state, seat) if asked else game.to_act(match.state),
        [game_codec.step_to_proto(step).SerializeToString() for step in seen if step is not None],
    )


@pytest.mark.parametrize("name", TWINS)
@settings(max_examples=150)
@given(seed=st.integers(0, 1 << 32), place=st.integers(0, 59), length=st.floats(0, 1))
def test_what_is_hidden_does_not_show(name: str, seed: int, place: int, length: float) -> None:
    game, seats, twins = TWINS[name]
    seat = place % seats
    true, twin = twins(random.Random(seed), seat, length)
    assert shown(game, seat, true) == shown(game, seat, twin)


@pytest.mark.parametrize("name", TWINS)
def test_twins_do_differ(name: str) -> None:
    _, _, twins = TWINS[name]
    true, twin = twins(random.Random(1), 0, 0.3)
    assert true.state != twin.state
    assert true.steps != twin.steps
    assert len(true.steps) == len(twin.steps)


@pytest.mark.parametrize("name", ["lost_cities", "land_unter", "bottle_imp", "teotlatolli"])
def test_another_seat_sees_the_difference(name: str) -> None:
    game, _, twins = TWINS[name]
    true, twin = twins(random.Random(1), 0, 0.3)
    assert shown(game, 1, true) != shown(game, 1, twin)


OPEN: dict[str, tuple[Any, Any]] = {"lifeboats": (LIFEBOATS, sampler.sample)}
"""The games whose states hide nothing, so that there are no twins: game, and the sampler that finds the one state."""


@pytest.mark.parametrize("name", OPEN)
@settings(max_examples=50)
@given(seed=st.integers(0, 1 << 32), form=st.integers(0, 59), option=st.integers(0, 59))
def test_open_game_has_nothing_to_hide(name: str, seed: int, form: int, option: int) -> None:
    game, sample = OPEN[name]
    tables = [Table(game, variant, seats) for variant, counts in game.variants.items() for seats in counts]
    table, chooser = tables[form % len(tables)], random.Random(seed)
    options = table.extremes()[option % len(table.extremes())]
    playout = play(table, chooser.randbytes(32), chooser, **options)
    for step in playout.steps():
        assert {game.seen(step, seat) for seat in (None, *range(table.seats))} == {step}
    for state in playout.states():
        for seat in range(table.seats):
            assert sample(playout.setup, game.view(state, seat), (), seat, chooser) == state


def test_every_game_of_the_arena_is_tested_for_leaks() -> None:
    from arena.games.registry import GAMES

    assert set(GAMES) <= set(TWINS) | set(OPEN)
