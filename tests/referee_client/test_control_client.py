"""The client against a referee of its own, in a process of its own."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import pytest

import arena.referee_client
from arena.core import child_process
from arena.match.clock import TimeControl
from arena.match.faults import FaultKind, SeatFault
from arena.match.verification import verify
from arena.referee_client import (
    DialIn,
    Endpoint,
    Failed,
    Finished,
    Hosted,
    Order,
    OrderRefused,
    Outcome,
    Postponed,
    Referee,
    RefereeUnreachable,
    Report,
    SeatOrder,
    SeatOutput,
    Started,
    local_referee,
)
from arena.referee_client.control_codec import (
    order_from_proto,
    order_to_proto,
    outcome_from_proto,
    outcome_to_proto,
    report_from_proto,
    report_to_proto,
)

SEATS = tuple(SeatOrder(name, "1", Hosted(f"house:lost_cities/{name}")) for name in ("random", "greedy"))


def order(match: str = "m", **changes: object) -> Order:
    fields = {"seats": SEATS, "seed": bytes(32), "options": {"hands": 1}, **changes}
    return Order(match, "lost_cities", "standard", **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def control() -> Iterator[str]:
    with local_referee() as address:
        yield address


def test_package_has_all_that_it_names() -> None:
    assert [name for name in arena.referee_client.__all__ if not hasattr(arena.referee_client, name)] == []


async def test_local_referee_plays_house_bots(control: str) -> None:
    async with Referee(control) as referee:
        reports = [report async for report in referee.play([order("m0"), order("m1")])]
    assert sum(isinstance(report, Started) for report in reports) == 2
    records = [report.record for report in reports if isinstance(report, Finished)]
    assert sorted(record.match for record in records) == ["m0", "m1"]
    assert all(verify(record) is None for record in records)


async def test_same_order_gives_the_same_match(control: str) -> None:
    async with Referee(control) as referee:
        twice = [[report async for report in referee.play([order()])][-1] for _ in range(2)]
    first, second = (report.record for report in twice if isinstance(report, Finished))
    assert first.result == second.result
    assert [each.step for each in first.steps] == [each.step for each in second.steps]


async def test_no_orders_give_no_reports(control: str) -> None:
    async with Referee(control) as referee:
        assert [report async for report in referee.play([])] == []


async def test_order_that_cannot_be_a_match_is_refused_by_name(control: str) -> None:
    async with Referee(control) as referee:
        with pytest.raises(OrderRefused, match=r"match 'odd': option hands=0: must be 1 to 9"):
            async for _ in referee.play([order("odd", options={"hands": 0})]):
                pass


async def test_calls_that_are_closed_early_free_their_matches(control: str) -> None:
    async with Referee(control) as referee:
        for _ in range(3):
            async with aclosing(cast("Any", referee.play([order("again")]))) as reports:
                async for _report in reports:
                    break
        ended = [report async for report in referee.play([order("another")])]
        assert isinstance(ended[-1], Finished)


async def test_referee_that_is_not_there_is_unreachable() -> None:
    async with Referee("unix:/nowhere/control") as referee:
        with pytest.raises(RefereeUnreachable, match="referee unix:/nowhere/control"):
            async for _ in referee.play([order()]):
                pass


async def test_referee_that_dies_in_the_middle_is_unreachable(tmp_path: Path) -> None:
    control = f"unix:{tmp_path / 'control'}"
    program = started("--control", control, "--bots", f"unix:{tmp_path / 'bots'}")
    async with Referee(control) as referee:
        with pytest.raises(RefereeUnreachable):  # noqa: PT012 - it is the loop that raises
            async for _ in referee.play([order(f"m{number}") for number in range(50)]):
                program.kill()
    child_process.stop(program, grace_s=5)


def started(*arguments: str, key: str = "") -> subprocess.Popen[bytes]:
    program = child_process.start(
        [sys.executable, "-m", "referee", *arguments, "--log-level", "ERROR"],
        environment={"ARENA_CONTROL_KEY": key},
        stdout=subprocess.PIPE,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"ready\n"
    return program


async def test_control_port_over_tcp_wants_its_key() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    program = started("--control", address, "--bots", "127.0.0.1:0", key="right")
    try:
        async with Referee(address, key="wrong") as referee:
            with pytest.raises(RefereeUnreachable, match="set ARENA_CONTROL_KEY"):
                async for _ in referee.play([]):
                    pass
        async with Referee(address, key="right") as referee:
            assert [report async for report in referee.play([])] == []
    finally:
        child_process.stop(program, grace_s=5)


# --- the wire -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [Hosted("house:a/b", 3), Endpoint("h:1", "s"), DialIn("id")])
def test_order_survives_the_wire(source: Hosted | Endpoint | DialIn) -> None:
    written = order(seats=(SeatOrder("a/b", "2", source),), time=TimeControl(1, 2, 3, 4))
    assert order_from_proto(order_to_proto(written)) == written


@pytest.mark.parametrize(
    "report",
    [
        Started("m", b"c"),
        Finished("m", "{}", (SeatOutput(1, b"oh", 3),)),
        Postponed("m", 2, "away"),
        Postponed("m", 0, "away", (1, 3)),
        Failed("m", "broke"),
    ],
)
def test_report_survives_the_wire(report: Report) -> None:
    assert report_from_proto(report_to_proto(report)) == report


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome((3, -1), (1, 2), "completed"),
        Outcome((), (2, 1), "fault", SeatFault(0, FaultKind.TIMEOUT, "late")),
    ],
)
def test_outcome_survives_the_wire(outcome: Outcome) -> None:
    assert outcome_from_proto(outcome_to_proto(outcome)) == outcome
