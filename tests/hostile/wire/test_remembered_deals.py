"""A bot that remembers deals gains nothing: in no match does it know one from another.

The bot keeps in mind which weather cards each seat had in each match of Land Unter that it played.  It plays its lowest
card, but its highest ones if it has its hand from a match before: then it would know the others' cards too.  So the record
tells whether it gained.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.games.kernel import Played
from arena.match.clock import TimeControl
from arena.match.record import Record
from arena.referee_client import DialIn, Finished, Hosted, Order, SeatOrder
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.format_registry import make_format
from arena.scheduling.match_sets import Plan
from tests.dialling import dialling_bot
from tests.referee.running_referee import House
from tests.referee.wire.test_bots_tls import present

PATIENT = TimeControl(base_ms=120_000, increment_ms=100, cap_ms=60_000)
SEATS = 3
SETS = 3
SURE = 6
"""Six cards of a hand of twelve out of sixty are found in another deal once in 50,000 times."""

REMEMBERS = f"""
from arena.games.kernel import Played
from arena.sdk import Bot, run

class Remembers(Bot):
    name = "remembers"

    def __init__(self):
        self.deals = {{}}
        self.known = set()

    def choose(self, decision):
        cards = set(decision.legal)
        if decision.match not in self.deals:
            others = [seat for deal in self.deals.values() for seat in deal.values()]
            if any(len(seat) >= {SURE} and seat <= cards for seat in others):
                self.known.add(decision.match)
        deal = self.deals[decision.match] = {{}}
        for step in decision.history:
            if isinstance(step, Played):
                deal.setdefault(step.seat, set()).add(step.action)
        return decision.legal[-1 if decision.match in self.known else 0]

run(Remembers())
"""


def plan(*, house: bool, trusted: bool = False) -> Plan:
    """Plan sets of a bot, the house's or a stranger's, and two of the house's."""
    secret = bytes(range(32))
    schedule = make_format().schedule(3, SEATS, DecisionState(cycles=SETS), secret)
    return Plan(secret, bytes(32), SEATS, (house, True, True), schedule, trusted)


async def play(
    house: House, planned: Plan, folder: Path, *, hosted: bool, lanes: bool = True
) -> list[Record]:
    """Play the whole plan as the arena's blocks order it, one match after the other so that there is something to remember."""
    file = folder / "remembers.py"
    file.write_text(REMEMBERS)
    records = []
    for match in (match for number in range(planned.sets_total) for match in planned.set(number)):
        lane = match.lane if lanes else 0
        others = Hosted("house:land_unter/random", lane)
        sources = [Hosted(f"file:{file}", lane) if hosted else DialIn("a"), others, others]
        seats = tuple(SeatOrder(f"bot{entry}", "1", sources[entry]) for entry in match.seats)
        order = Order(match.id, "land_unter", "standard", seats, match.seed, {"rounds": 1}, PATIENT)
        report = (await house.play(order))[match.id]
        assert isinstance(report, Finished), report
        assert report.record.result.end == "completed"
        records.append(report.record)
    return records


def gained(records: list[Record]) -> int:
    """Count the matches in which it knew the deal: its first card is its highest then, not its lowest."""
    return sum(_first_is_highest(record) for record in records)


def _first_is_highest(record: Record) -> bool:
    seat = next(number for number, each in enumerate(record.seats) if each.bot == "bot0")
    cards = [
        int(each.step.action.removeprefix("play "))
        for each in record.steps
        if isinstance(each.step, Played) and each.step.seat == seat
    ]
    return cards[0] > cards[1]


async def test_bot_of_the_house_plays_each_match_of_a_set_in_a_process_that_has_not_seen_its_deal(
    house: House, tmp_path: Path
) -> None:
    planned = plan(house=True)
    assert all(match.shared for match in planned.set(0))
    records = await play(house, planned, tmp_path, hosted=True)
    assert len(records) == SEATS * SETS
    assert gained(records) == 0


async def test_it_would_gain_without_lanes(house: House, tmp_path: Path) -> None:
    assert gained(await play(house, plan(house=True), tmp_path, hosted=True, lanes=False)) > 0


async def test_hosted_bot_of_a_stranger_would_gain_nothing_even_without_lanes(
    house: House, tmp_path: Path
) -> None:
    assert gained(await play(house, plan(house=False), tmp_path, hosted=True, lanes=False)) == 0


@pytest.mark.parametrize(
    ("trusted", "gains"), [(False, False), (True, True)], ids=["own seeds", "seeds shared, being trusted"]
)
async def test_bot_from_elsewhere_gains_only_where_the_organiser_trusts_it(
    house: House, tmp_path: Path, *, trusted: bool, gains: bool
) -> None:
    planned = plan(house=False, trusted=trusted)
    with dialling_bot(tmp_path, house.bots, "token-a", REMEMBERS):
        await present(house)
        assert (gained(await play(house, planned, tmp_path, hosted=False)) > 0) is gains
