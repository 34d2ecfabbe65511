"""A seat held over the control port, at a referee in a process of its own, against a house bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from arena.games.kernel import Played
from arena.games.lost_cities.view import LostCitiesView
from arena.match.clock import TimeControl
from arena.match.faults import FaultKind
from arena.match.verification import verify
from arena.referee_client import (
    Finished,
    Hosted,
    HumanSource,
    Order,
    Postponed,
    Referee,
    Report,
    SeatOrder,
    local_referee,
)
from arena.referee_client.human_seat import HumanSeatClient
from arena.referee_client.orders import Source
from arena.referee_client.reports import RefereeUnreachable
from arena.referee_client.seat_events import SeatDecision, SeatMatchEnded, SeatMatchStarted

GENEROUS = TimeControl(600_000, 10_000, 600_000)


@pytest.fixture(scope="module")
def control() -> Iterator[str]:
    with local_referee() as address:
        yield address


@asynccontextmanager
async def playing(
    control: str, seat: str, time: TimeControl = GENEROUS
) -> AsyncIterator[tuple[HumanSeatClient, asyncio.Task[Report]]]:
    """Sit down against `greedy`; gives the seat, and the last report of the match."""
    async with HumanSeatClient(control, seat, name="a person") as held, Referee(control) as referee:
        yield held, asyncio.create_task(_last(referee, order(seat, HumanSource(seat), time)))


def order(match: str, source: Source, time: TimeControl = GENEROUS) -> Order:
    seats = (SeatOrder("you", "0", source), SeatOrder("greedy", "1", Hosted("house:lost_cities/greedy")))
    return Order(match, "lost_cities", "standard", seats, bytes(32), {"hands": 1}, time)


async def _last(referee: Referee, order: Order) -> Report:
    return [report async for report in referee.play([order])][-1]


async def test_seat_plays_a_match_to_its_end_and_the_record_verifies(control: str) -> None:
    events = []
    async with playing(control, "whole") as (seat, last):
        async for event in seat.events():
            events.append(event)
            if isinstance(event, SeatDecision):
                await seat.answer(event.decision, 0)
        report = await last
    begun, ended = events[0], events[-1]
    assert isinstance(begun, SeatMatchStarted)
    assert (begun.match, begun.seat, begun.seats, begun.options) == ("whole", 0, 2, {"hands": 1})
    assert isinstance(events[1], SeatDecision)
    assert isinstance(events[1].view, LostCitiesView)
    assert isinstance(ended, SeatMatchEnded)
    assert isinstance(report, Finished)
    record = report.record
    assert verify(record) is None
    assert ended.outcome is not None
    assert record.result.places == ended.outcome.places
    seen = [
        step for event in events if isinstance(event, SeatDecision | SeatMatchEnded) for step in event.seen
    ]
    own = [step for step in seen if isinstance(step, Played) and step.seat == 0]
    assert own == [
        each.step for each in record.steps if isinstance(each.step, Played) and each.step.seat == 0
    ]


async def test_time_runs_out_as_it_does_for_a_bot(control: str) -> None:
    async with playing(control, "slow", TimeControl(200, 0, 200)) as (seat, last):
        events = [event async for event in seat.events()]
        report = await last
    assert isinstance(events[-1], SeatMatchEnded)
    assert isinstance(report, Finished)
    fault = report.record.result.fault
    assert fault is not None
    assert (fault.seat, fault.kind) == (0, FaultKind.TIMEOUT)


async def test_who_leaves_has_lost_at_once(control: str) -> None:
    async with Referee(control) as referee:
        async with HumanSeatClient(control, "gone", name="a person") as seat:
            last = asyncio.create_task(_last(referee, order("gone", HumanSource("gone"))))
            async for event in seat.events():
                if isinstance(event, SeatDecision):
                    break
        report = await last
    assert isinstance(report, Finished)
    fault = report.record.result.fault
    assert fault is not None
    assert (fault.seat, fault.kind, fault.message) == (0, FaultKind.CRASH, "left the table")
    assert verify(report.record) is None


async def test_match_is_postponed_where_nobody_has_sat_down(control: str) -> None:
    async with Referee(control) as referee:
        report = await _last(referee, order("empty", HumanSource("empty")))
    assert isinstance(report, Postponed)
    assert (report.seat, report.reason) == (0, "no player has joined this seat")


async def test_seat_is_one_persons_alone(control: str) -> None:
    async with HumanSeatClient(control, "mine", name="a person"):
        with pytest.raises(RefereeUnreachable, match="a player has joined it already"):
            async with HumanSeatClient(control, "mine", name="another") as second:
                await anext(second.events())


async def test_seat_says_that_no_referee_is_there(tmp_path: object) -> None:
    with pytest.raises(RefereeUnreachable):
        async with HumanSeatClient(f"unix:{tmp_path}/none", "s", name="a person"):
            pass
