"""Matches between well-behaved bots, by every way in."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import grpc
import pytest

from arena.games.chance import bot_seed, commitment
from arena.games.kernel import Action, Played
from arena.games.lost_cities.rules import LostCities
from arena.games.lost_cities.state import LostCitiesState
from arena.match.verification import verify
from arena.referee_client import Failed, Finished, OrderRefused, Postponed, Started
from arena.v1.bot_pb2 import Answer, ArenaMessage, BotMessage
from tests import other_rules
from tests.referee.running_referee import QUICK, House, good_bots, house_bot, open_house, order


def completed(ended: object) -> Finished:
    assert isinstance(ended, Finished)
    assert ended.record.result.end == "completed"
    assert verify(ended.record) is None
    return ended


async def test_two_dial_in_bots_play_a_match_to_its_end(house: House) -> None:
    async with good_bots(house, "a", "b") as (a, _):
        record = completed((await house.play(order("m", "a", "b")))["m"]).record
        assert [seat.bot for seat in record.seats] == ["a", "b"]
        assert record.commitment == commitment("m", bytes(32))
        start = next(message.start for message in a.heard if message.HasField("start"))
        assert (start.seat, start.seats, start.game, dict(start.options)) == (
            0,
            2,
            "lost_cities",
            {"hands": 1},
        )
        assert start.bot_seed == bot_seed(bytes(32), 0)
        assert start.commitment == record.commitment
        assert start.view_type == "arena.v1.LostCitiesView"


async def test_bot_sees_every_step_of_its_match_once(house: House) -> None:
    async with good_bots(house, "a", "b") as (a, _):
        record = completed((await house.play(order("m", "a", "b")))["m"]).record
        await asyncio.sleep(0.05)
        seen = [step for message in a.heard for step in _seen(message)]
        played = [each.step for each in record.steps if isinstance(each.step, Played)]
        assert [step.played.action for step in seen if step.HasField("played")] == [
            step.action for step in played
        ]


def _seen(message: ArenaMessage) -> list[Any]:
    return [*message.ask.seen, *message.end.seen]


async def test_ask_has_the_view_and_the_clock(house: House) -> None:
    async with good_bots(house, "a", "b") as (a, _):
        await house.play(order("m", "a", "b"))
        first = a.asked[0]
        assert (first.bank_ms, first.limit_ms) == (20_000, 5_000)
        assert first.view
        assert len(first.actions) > 1


async def test_decisions_with_a_single_action_are_not_asked(house: House) -> None:
    async with good_bots(house, "a", "b") as bots:
        await house.play(order("m", "a", "b"))
        assert all(len(ask.actions) > 1 for bot in bots for ask in bot.asked)


async def test_hosted_bots_play_a_match(house: House) -> None:
    ended = await house.play(order("m", house_bot("random"), house_bot("greedy")))
    completed(ended["m"])


async def test_one_bot_may_sit_in_both_seats(house: House) -> None:
    async with good_bots(house, "a"):
        completed((await house.play(order("m", "a", "a")))["m"])


async def test_bot_never_has_more_asks_open_than_it_takes_at_once(house: House) -> None:
    async with good_bots(house, "b"), house.bot("a") as one:
        await one.hello(matches_at_once=1)
        playing = house.begin(*[order(f"m{number}", "a", "b") for number in range(3)])
        one.start(lambda _ask: None)
        await asyncio.sleep(0.3)
        assert len(one.asked) == 1
        await one.answer(one.asked[0])
        await asyncio.sleep(0.1)
        assert len(one.asked) == 2
        playing.cancel()


async def test_bot_that_answers_decision_0_unasked_is_not_asked_more_at_once(house: House) -> None:
    three_seats = replace(order("m", "a", "a", "a"), game="land_unter", options={})
    async with house.bot("b") as silent, house.bot("a") as one:
        await silent.hello()
        await one.hello(matches_at_once=1)
        first = house.begin(order("first", "b", "a"))
        start = await one.hear_of("start")
        await one.say(BotMessage(answer=Answer(table=start.table, decision=0)))
        assert isinstance((await first)["first"], Finished)
        playing = house.begin(three_seats)
        one.start(lambda _ask: None)
        await asyncio.sleep(0.3)
        assert len(one.asked) == 1
        playing.cancel()


async def test_bot_plays_no_more_matches_at_once_than_the_arena_allows(tmp_path: Path) -> None:
    limits = replace(QUICK, max_matches_at_once=2)
    async with (
        open_house(tmp_path, limits=limits) as house,
        good_bots(house, "b", at_once=16),
        house.bot("a") as one,
    ):
        await one.hello(matches_at_once=16)
        playing = house.begin(*[order(f"m{number}", "a", "b") for number in range(5)])
        one.start(lambda _ask: None)
        await asyncio.sleep(0.5)
        assert len(one.asked) == 2
        playing.cancel()


async def test_many_matches_run_side_by_side(house: House) -> None:
    async with good_bots(house, "a", "b", at_once=16):
        ended = await house.play(*[order(f"m{number}", "a", "b") for number in range(12)])
        assert len([completed(each) for each in ended.values()]) == 12


async def test_match_is_reported_as_started_before_it_is_finished(house: House) -> None:
    async with good_bots(house, "a", "b"):
        reports = [report async for report in house.client.play([order("m", "a", "b")])]
        assert isinstance(reports[0], Started)
        assert reports[0].commitment == commitment("m", bytes(32))
        assert isinstance(reports[1], Finished)


# --- absence and orders that cannot be ------------------------------------------------------------------------


async def test_match_of_an_absent_bot_is_postponed_at_once(house: House) -> None:
    async with good_bots(house, "a"):
        ended = await asyncio.wait_for(house.play(order("m", "a", "b")), 0.5)
        assert ended["m"] == Postponed("m", 1, "it is not connected")


async def test_a_postponed_match_names_all_bots_that_are_missing(house: House) -> None:
    from arena.referee_client import Endpoint

    async with good_bots(house, "b"):
        elsewhere = Endpoint("unix:/nowhere/at/all")
        ended = await house.play(
            order("both", "a", "c"), order("later", "b", "c"), order("mixed", elsewhere, "c")
        )
        assert ended["both"] == Postponed("both", 0, "it is not connected", (1,))
        assert ended["later"] == Postponed("later", 1, "it is not connected")
        mixed = ended["mixed"]
        assert isinstance(mixed, Postponed)
        assert mixed.missing == (0, 1)


async def test_an_endpoint_that_answers_is_not_missing_when_its_opponent_is(
    house: House, tmp_path: Path
) -> None:
    from arena.referee_client import Endpoint
    from tests.referee.wire.test_bots_tls import FIRST, bot_process

    async with bot_process(tmp_path, FIRST, "--listen", "127.0.0.1:0", "--secret", "s3") as process:
        assert process.stdout is not None
        line = await process.stdout.readline()
        endpoint = Endpoint(f"127.0.0.1:{line.decode().strip().rpartition(':')[2]}", "s3")
        ended = await house.play(order("m", "a", endpoint), order("n", endpoint, "a"))
        assert ended["m"] == Postponed("m", 0, "it is not connected")
        assert ended["n"] == Postponed("n", 1, "it is not connected")


async def test_match_of_an_endpoint_that_does_not_answer_is_postponed(house: House) -> None:
    from arena.referee_client import Endpoint

    async with good_bots(house, "a"):
        ended = await house.play(order("m", "a", Endpoint("unix:/nowhere/at/all")))
        assert isinstance(ended["m"], Postponed)
        assert ended["m"].seat == 1
        assert "endpoint unix:/nowhere/at/all: UNAVAILABLE" in ended["m"].reason


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "game 'chess': this arena has"),
        ({"variant": "odd"}, "variant 'odd'"),
        ({"options": {"hands": 99}}, "option hands=99: must be 1 to 9"),
        ({"seed": b"short"}, "seed of 5 bytes: must be 32"),
        ({"match": ""}, "must not be empty"),
        ({"seats": ()}, "seats 0"),
    ],
)
async def test_order_that_cannot_be_a_match_is_refused(
    house: House, change: dict[str, object], words: str
) -> None:
    with pytest.raises(OrderRefused, match=words):
        await house.play(replace(order("m", "a", "b"), **change))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "program", ["house:lost_cities/nobody", "house:chess/random", "file:/no/such/file.py", "x"]
)
async def test_program_that_does_not_exist_is_refused(house: House, program: str) -> None:
    from arena.referee_client import Hosted

    with pytest.raises(OrderRefused, match="program"):
        await house.play(order("m", Hosted(program), "b"))


async def test_match_that_is_being_played_is_not_played_twice(house: House) -> None:
    async with good_bots(house, "b"), house.bot("a") as slow:
        await slow.hello()
        playing = house.begin(order("m", "a", "b"))
        await slow.hear_of("ask")
        with pytest.raises(OrderRefused, match="being played already"):
            await house.play(order("m", "a", "b"))
        playing.cancel()


# --- calls that end early -------------------------------------------------------------------------------------


async def test_cancelled_call_ends_its_matches_without_result(house: House) -> None:
    async with good_bots(house, "b"), house.bot("a") as bot:
        await bot.hello()
        async with aclosing(cast("Any", house.client.play([order("m", "a", "b")]))) as reports:
            async for report in reports:
                assert isinstance(report, Started)
                break
        end = await asyncio.wait_for(bot.hear_of("end"), 2)
        assert not end.HasField("outcome")
        bot.start()
        completed((await house.play(order("m", "a", "b")))["m"])


async def test_slip_in_the_rules_is_the_platforms_fault(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    class WithASlip(LostCities):
        def legal(self, state: LostCitiesState, seat: int) -> tuple[Action, ...]:
            raise ZeroDivisionError("division by zero")

    async with good_bots(house, "a", "b"):
        other_rules.load(monkeypatch, WithASlip())
        ended = await house.play(order("m", "a", "b"))
        assert ended["m"] == Failed("m", "ZeroDivisionError: division by zero")
        monkeypatch.undo()
        completed((await house.play(order("m", "a", "b")))["m"])


# --- spectators, presence, health -----------------------------------------------------------------------------


async def test_watcher_sees_the_whole_match_without_its_secrets(house: House) -> None:
    async with good_bots(house, "a"), house.bot("b") as slow:
        await slow.hello()
        playing = house.begin(order("m", "a", "b"))
        await slow.hear_of("start")
        watching = asyncio.create_task(_watch(house, "m"))
        await asyncio.sleep(0.1)
        slow.start()
        record = completed((await playing)["m"]).record
        steps, outcome = await watching
        assert len(steps) == len(record.steps)
        assert "?" in str(steps[0])
        assert outcome is not None
        assert outcome.scores == record.result.scores


async def _watch(house: House, match: str) -> tuple[list[Any], Any]:
    steps: list[Any] = []
    outcome = None
    async for watched in house.client.watch(match):
        steps += watched.steps
        outcome = watched.outcome or outcome
    return steps, outcome


async def test_match_that_is_not_running_cannot_be_watched(house: House) -> None:
    assert [watched async for watched in house.client.watch("nothing")] == []


async def test_arena_is_told_who_comes_and_goes(house: House) -> None:
    async with house.bot("a") as bot:
        await bot.hello(name="alice", version="7", matches_at_once=3)
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.1)
    _, present, absent = house.news
    assert (present.present.token_id, present.present.name, present.present.version) == ("a", "alice", "7")
    assert present.present.matches_at_once == 3
    assert absent.absent_token_id == "a"


async def test_bot_whose_token_is_no_longer_admitted_is_sent_away(house: House) -> None:
    async with house.bot("a") as bot:
        await bot.hello()
        await house.admit("b")
        goodbye = await bot.hear_of("goodbye")
        assert not goodbye.come_back
        async with house.bot("a") as again:
            assert (await again.status())[0] is grpc.StatusCode.UNAUTHENTICATED


async def test_health_of_both_ports_follows_whether_a_worker_is_connected(house: House) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    async def becomes(status: str) -> None:
        for address, service in (
            (house.bots, "arena.v1.BotService"),
            (house.referee.control_address, "arena.v1.RefereeService"),
        ):
            async with grpc.aio.insecure_channel(address) as channel, asyncio.timeout(30):
                stub = health_pb2_grpc.HealthStub(channel)
                request = health_pb2.HealthCheckRequest(service=service)
                said = ""
                while said != status:
                    reply = await stub.Check(request)
                    said = health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status)
                    await asyncio.sleep(0.01)

    await becomes("SERVING")
    house.stream.cancel()
    await becomes("NOT_SERVING")
    again = asyncio.create_task(house.control())
    await becomes("SERVING")
    again.cancel()


async def test_bots_port_serves_reflection(house: House) -> None:
    from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

    def services() -> list[str]:
        with grpc.insecure_channel(house.bots) as channel:
            return list(ProtoReflectionDescriptorDatabase(channel).get_services())

    assert "arena.v1.BotService" in await asyncio.to_thread(services)


async def test_referee_that_goes_down_says_goodbye(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, house.bot("a") as bot:
        await bot.hello()
        stopping = asyncio.create_task(house.referee.stop())
        assert (await bot.hear_of("goodbye")).come_back
        await stopping
