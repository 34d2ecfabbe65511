"""A stranger's bot whose processes can talk to each other gains nothing: no two of its matches have one deal.

The sandbox closes what channels it can; load and the page cache stay.  So the bot here is handed the best channel there
could be: a folder that all of its processes read and write.  Each process writes its hand there, and waits for those of the
other matches of the set.  If these hands cannot but be of one deal, it knows what everybody holds, and plays its highest
card first instead of its lowest: the record tells whether it knew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.competition.plans import planned
from arena.games.kernel import Played
from arena.match.clock import TimeControl
from arena.match.record import Record
from arena.referee_client import Finished, Hosted, Order, SeatOrder
from arena.scheduling.decisions import DecisionState
from arena.scheduling.formats.format_registry import make_format
from arena.scheduling.planning_terms import Terms
from tests.referee.running_referee import House, open_house

PATIENT = TimeControl(base_ms=120_000, increment_ms=100, cap_ms=60_000)
SEATS = 3
SETS = 3

CONSPIRES = """
import time
from itertools import combinations
from pathlib import Path

from arena.sdk import Bot, run

CHANNEL = {channel!r}

class Conspires(Bot):
    name = "conspires"
    sets = 0

    def on_start(self, match):
        self.first = True
        self.knows = False

    def choose(self, decision):
        if self.first and CHANNEL:
            self.knows = self.ask_the_others(decision.match, set(decision.legal))
        self.first = False
        return decision.legal[-1 if self.knows else 0]

    def ask_the_others(self, match, hand):
        \"\"\"Tell the other processes the hand, and hear theirs; each plays one match of a set.\"\"\"
        prefix, self.sets = f"set{{self.sets}}-", self.sets + 1
        written = Path(CHANNEL, f".{{match}}")
        written.write_text(",".join(sorted(hand)))
        written.rename(Path(CHANNEL, prefix + match))
        until = time.monotonic() + 30
        while len(heard := list(Path(CHANNEL).glob(prefix + "*"))) < {seats} and time.monotonic() < until:
            time.sleep(0.01)
        hands = [set(each.read_text().split(",")) for each in heard]
        return len(hands) == {seats} and not any(a & b for a, b in combinations(hands, 2))

run(Conspires())
"""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A referee at which all processes of the bot can think at once."""
    async with open_house(tmp_path, slots=2 * SEATS) as house:
        yield house


async def play(house: House, folder: Path, *, trusted: bool, channel: bool) -> list[Record]:
    """Play some sets of a stranger's bot against two of the house's, the matches of a set side by side."""
    told = folder / f"channel-{trusted}-{channel}"
    told.mkdir()
    file = folder / f"conspires-{trusted}-{channel}.py"
    file.write_text(CONSPIRES.format(channel=str(told) if channel else "", seats=SEATS))
    programs = (f"file:{file}", "house:land_unter/random", "house:land_unter/random")
    plan = planned(
        make_format(cycles=SETS),
        DecisionState(cycles=SETS),
        secret=bytes(range(32)),
        inputs=bytes(32),
        seats=SEATS,
        terms=Terms(hosted=(True,) * SEATS, groups=(0, None, None)),
        trusted=trusted,
    )
    records = []
    for number in range(SETS):
        orders = [
            Order(
                match.id,
                "land_unter",
                "standard",
                tuple(
                    SeatOrder(f"bot{entry}", "1", Hosted(programs[entry], match.lane))
                    for entry in match.seats
                ),
                match.seed,
                {"rounds": 1},
                PATIENT,
            )
            for match in plan.set(number)
        ]
        reports = await house.play(*orders)
        for order in orders:
            report = reports[order.match]
            assert isinstance(report, Finished), report
            assert report.record.result.end == "completed", report.record.result
            records.append(report.record)
    return records


def moves(record: Record) -> list[tuple[int, str]]:
    return [(each.step.seat, each.step.action) for each in record.steps if isinstance(each.step, Played)]


def knew(record: Record) -> bool:
    """Return whether its first card is higher than its second: it plays its lowest first unless it knows all hands."""
    own = next(number for number, seat in enumerate(record.seats) if seat.bot == "bot0")
    first, second, *_ = (int(action.removeprefix("play ")) for seat, action in moves(record) if seat == own)
    return first > second


@pytest.mark.parametrize(
    ("trusted", "gains"), [(False, 0), (True, SEATS * SETS)], ids=["standard", "trusted"]
)
async def test_bot_whose_processes_talk_to_each_other_knows_a_deal_only_where_it_is_trusted(
    house: House, tmp_path: Path, *, trusted: bool, gains: int
) -> None:
    assert sum(map(knew, await play(house, tmp_path, trusted=trusted, channel=True))) == gains


async def test_bot_plays_move_for_move_as_if_there_were_no_channel(house: House, tmp_path: Path) -> None:
    with_it = await play(house, tmp_path, trusted=False, channel=True)
    without = await play(house, tmp_path, trusted=False, channel=False)
    assert list(map(moves, with_it)) == list(map(moves, without))
    assert [record.result for record in with_it] == [record.result for record in without]
