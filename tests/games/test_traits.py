"""The traits of each game, on the matches that its rules explain: what a reader would count."""

from __future__ import annotations

import pytest

from arena.games import registry
from arena.games.kernel import SILENCE, Claim, Line, Played, Said, Step, Talk
from arena.games.lifeboats.rules import LIFEBOATS
from arena.games.lifeboats.state import Stage
from arena.games.traits import PastPoint, Tally
from arena.match.record import from_json
from arena.match.seat_measures import measure_seats, split_time


def tallies(game: str, trait: str, match: str = "match") -> dict[str, Tally | None]:
    """Return a trait of each bot in the match of a game's rules."""
    record = from_json((registry.package(game).docs / f"{match}.json").read_text(encoding="utf-8"))
    found = zip(record.seats, measure_seats(record), strict=True)
    return {seat.bot: measures.tallies.get(trait) for seat, measures in found}


@pytest.mark.parametrize("game", registry.GAMES)
def test_each_trait_is_counted_in_some_match(game: str) -> None:
    traits = registry.package(game).traits
    seen: set[str] = set()
    for path in sorted(registry.package(game).docs.glob("match*.json")):
        record = from_json(path.read_text(encoding="utf-8"))
        for seat in measure_seats(record):
            assert all(of >= 0 for _, of in seat.tallies.values())
            seen |= set(seat.tallies)
    named = [trait.id for trait in traits.traits]
    assert seen == set(named)
    assert len(named) == len(set(named))


@pytest.mark.parametrize("game", registry.GAMES)
def test_shares_lie_between_nothing_and_all(game: str) -> None:
    shares = [trait.id for trait in registry.package(game).traits.traits if trait.is_share]
    for trait in shares:
        for tally in tallies(game, trait).values():
            assert tally is None or 0 <= tally[0] <= tally[1]


def test_bold_expeditions_count_what_they_cost() -> None:
    assert tallies("lost_cities", "expeditions") == {"collector": (3, 1), "greedy": (5, 1)}
    assert tallies("lost_cities", "worth") == {"collector": (27, 3), "greedy": (-30, 5)}


def test_who_ends_with_the_bottle_is_damned() -> None:
    damned = {"cautious": (0, 1), "greedy": (1, 1), "daring": (0, 1)}
    assert tallies("bottle_imp", "damned") == damned
    assert tallies("bottle_imp", "price")["greedy"] == (12 + 9 + 3, 3)


def test_bottle_of_two_with_a_dummy_is_followed() -> None:
    assert tallies("bottle_imp", "damned", "match-lopaka") == {"greedy": (0, 1), "daring": (1, 1)}


def test_lifebelts_lost_are_a_part_of_those_dealt() -> None:
    assert tallies("land_unter", "paid") == {"greedy": (1, 3), "low_profile": (2, 4), "counter": (5, 5)}
    assert tallies("land_unter", "out")["counter"] == (1, 1)


@pytest.mark.parametrize(("ballot", "kept"), [("vote W", 1), ("vote K", 0), ("hat", 0)])
def test_a_promise_is_kept_by_its_vote_alone_and_broken_by_a_hat(ballot: str, kept: int) -> None:
    seats = LIFEBOATS.setup(3, options={"talk": 1}, talks=(True,) * 3)
    state = LIFEBOATS.new(seats, bytes(32))[0]
    while state.stage != Stage.VOTE:
        silent = [
            SILENCE if isinstance(each, Talk) else LIFEBOATS.legal(state, each.seat)[0]
            for each in LIFEBOATS.to_act(state)
        ]
        state = LIFEBOATS.apply(state, silent)[0]
    promise = Said(0, Line("", (Claim("promise", 0, "W", "this"),)), 0)
    answers = [ballot, *(LIFEBOATS.legal(state, seat)[0] for seat in (1, 2))]
    after, _ = LIFEBOATS.apply(state, answers)
    steps: tuple[Step, ...] = (promise, *(Played(seat, action) for seat, action in enumerate(answers)))
    (tallies, *_) = registry.package("lifeboats").traits.count(3, [PastPoint(state, steps, after)])
    assert tallies["kept"] == (kept, 1)


def test_lies_are_told_from_promises_kept() -> None:
    assert tallies("lifeboats", "kept") == {"greedy": None, "liar": (6, 14), "keeper": (12, 12)}


def test_signs_of_a_match_are_counted_by_turns() -> None:
    assert tallies("teotlatolli", "completed") == {"schemer": (8, 22), "greedy": (9, 21)}


def test_parts_of_a_match_have_as_many_decisions_each() -> None:
    assert [(part.decisions, part.ms) for part in split_time([1.0, 2.0, 3.0, 4.0])] == [
        (2, 3),
        (1, 3),
        (1, 4),
    ]
    assert [part.decisions for part in split_time([])] == [0, 0, 0]
