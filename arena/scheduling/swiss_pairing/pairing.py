"""A round of a Swiss: the cheapest pairing (`costs`) after which as many as possible of the planned rounds need no second meeting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.games.chance import Stream
from arena.scheduling.formats.adaptive_rounds import Round
from arena.scheduling.swiss_pairing.cheapest_matching import Matching, Pair, cheapest_matching
from arena.scheduling.swiss_pairing.costs import Costs
from arena.scheduling.swiss_pairing.history import BYE, History, matching
from arena.scheduling.swiss_pairing.look_ahead import (
    berger_table,
    degree,
    find_rounds,
    is_safe,
)


class _Choice(NamedTuple):
    """A round, and how many rounds without a repeat are known to be possible if it is the first of them."""

    rounds: int
    first: Matching


def pair_round(history: History, scores: Sequence[int], rounds: int, stream: Stream) -> Round:
    """Pair all entries; `scores` are those of all entries, and `rounds` are to be played, this one included."""
    drawn, stream = stream.shuffle(history.here)
    order = sorted(drawn, key=lambda entry: -scores[entry])
    costs = Costs(history, order, scores, stream.seed)
    chosen = _without_repeats(costs, rounds)
    pairs = _cheapest(costs, frozenset(history.meetings)) if chosen is None else chosen.first
    assert pairs is not None  # noqa: S101 - all may meet, and one of the odd ones has the fewest byes
    places = {entry: place for place, entry in enumerate(order)}
    tables = (tuple(sorted(pair, key=lambda entry: places[entry])) for pair in pairs if pair[0] != BYE)
    byes = tuple(entry for bye, entry in pairs if bye == BYE)
    return Round(tuple(sorted(tables, key=lambda table: places[table[0]])), byes)


def _without_repeats(costs: Costs, rounds: int) -> _Choice | None:
    """Choose among the pairings without a repeat; None if there is none.

    Bots of one owner meet only where that makes more rounds possible.
    """
    history = costs.history
    unmet, kin = history.unmet(), history.kin()
    most = min(rounds, degree(history.vertices, unmet))
    if kin & unmet and degree(history.vertices, unmet - kin) >= most:
        choice = _choose(costs, unmet - kin, rounds, apart=True)
        if choice is not None and choice.rounds == most:
            return choice
    return _choose(costs, unmet, rounds, apart=False)


def _choose(costs: Costs, pairs: frozenset[Pair], rounds: int, *, apart: bool) -> _Choice | None:
    vertices = costs.history.vertices
    wanted = min(rounds, degree(vertices, pairs))
    first = _cheapest(costs, pairs)
    if first is None:
        return None
    choice = _Choice(1 + _count_ahead(vertices, pairs.difference(first), wanted - 1), first)
    if choice.rounds >= wanted:
        return choice
    known = _known_rounds(costs.history, rounds, apart=apart)
    others = (_cheapest(costs, pairs - {pair}) for pair in first) if choice.rounds < len(known) else ()
    options = {option for option in (*others, *known) if option is not None}
    price = costs.of(pairs)
    for option in sorted(options, key=lambda option: sum(price[pair] for pair in option)):
        if choice.rounds >= len(known):
            break
        ahead = _count_ahead(vertices, pairs.difference(option), wanted - 1)
        found = _Choice(len(known) if option in known else 1 + ahead, option)
        choice = max(choice, found, key=lambda each: each.rounds)
    return choice


def _cheapest(costs: Costs, pairs: frozenset[Pair]) -> Matching | None:
    """Return the cheapest matching; in a large field one of near pairs, if it has neither a repeat nor bots of one owner."""
    for near in costs.near():
        price = costs.of(pairs & near)
        found = cheapest_matching(costs.history.vertices, price)
        if found is not None and all(price[pair] < costs.of_kin for pair in found):
            return found
    return cheapest_matching(costs.history.vertices, costs.of(pairs))


def _count_ahead(vertices: Sequence[int], pairs: frozenset[Pair], rounds: int) -> int:
    if rounds < 1 or is_safe(vertices, pairs, rounds):
        return rounds
    return len(find_rounds(vertices, pairs, rounds))


def _known_rounds(history: History, rounds: int, *, apart: bool) -> tuple[Matching, ...]:
    """Return rounds without repeats that are known to be possible, as many as there are.

    Where none are found that are enough, those are that were known a round earlier, at first those of a Berger table.
    """
    vertices = history.vertices
    pairs = history.unmet() - history.kin() if apart else history.unmet()
    wanted = min(rounds, degree(vertices, pairs))
    found = find_rounds(vertices, pairs, wanted)
    if len(found) == wanted or apart:
        return found
    table = tuple(each for each in berger_table(vertices) if pairs.issuperset(each))
    if len(table) >= wanted:
        return table[:wanted]
    before = history.before()
    if before is None:
        return found
    earlier = _known_rounds(before, rounds + 1, apart=False)
    last = matching(history.played[-1])
    rest = tuple(each for each in earlier if each != last)
    return rest if last in earlier and len(rest) > len(found) else found
