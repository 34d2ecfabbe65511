"""A bot that dials in, in a process of its own, over a real stream."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
from pathlib import Path

import grpc
import pytest

from arena.v1 import match_pb2
from tests.sdk.scripted_arena import ask, bot_process, ended, goodbye, open_stage, start, welcome

FIRST = "return decision.legal[0]"

over_both = pytest.mark.parametrize("over", ["unix", "tcp"])
"""Over a Unix socket a bot does without grpc."""


@over_both
async def test_bot_says_hello_with_its_token(tmp_path: Path, over: str) -> None:
    async with open_stage(tmp_path, over=over) as stage, bot_process(tmp_path, FIRST, referee=stage.address):
        line = await stage.line()
        (message,) = await line.read()
        assert line.token == "Bearer sesame"
        assert (message.hello.protocol, message.hello.name, message.hello.matches_at_once) == (1, "Mine", 8)


@over_both
async def test_bot_answers_all_asks_of_a_frame_in_one(tmp_path: Path, over: str) -> None:
    choose = "return decision.legal[-1]"
    async with open_stage(tmp_path, over=over) as stage, bot_process(tmp_path, choose, referee=stage.address):
        line = await stage.line()
        await line.read()
        await line.write(welcome(), start(1), start(2), ask(1), ask(2, decision=9))
        answers = [message.answer for message in await line.read()]
        assert [(each.table, each.decision, each.action) for each in answers] == [(1, 1, 2), (2, 9, 2)]


@over_both
async def test_slow_answers_do_not_wait_for_each_other(tmp_path: Path, over: str) -> None:
    choose = "import time; time.sleep(0.05); return decision.legal[0]"
    async with open_stage(tmp_path, over=over) as stage, bot_process(tmp_path, choose, referee=stage.address):
        line = await stage.line()
        await line.read()
        await line.write(welcome(), start(1), start(2), ask(1), ask(2))
        assert [len(await line.read()), len(await line.read())] == [1, 1]


@over_both
async def test_exception_in_choose_ends_the_process_with_its_traceback(tmp_path: Path, over: str) -> None:
    source = (tmp_path / "mine.py").as_posix()
    async with (
        open_stage(tmp_path, over=over) as stage,
        bot_process(tmp_path, "return dict()[decision.legal[0]]", referee=stage.address) as process,
    ):
        line = await stage.line()
        await line.write(welcome(), start(), ask())
        code, stderr = await ended(process)
        assert code == 1
        assert stderr.startswith(f'Traceback (most recent call last):\n  File "{source}"')
        assert stderr.endswith("KeyError: 'play R2'\n")


async def test_illegal_answer_is_named_and_never_sent(tmp_path: Path) -> None:
    async with (
        open_stage(tmp_path) as stage,
        bot_process(tmp_path, "return 'play R9'", referee=stage.address) as process,
    ):
        line = await stage.line()
        await line.write(welcome(), start(), ask())
        code, stderr = await ended(process)
        assert code == 1
        assert stderr == (
            "illegal answer 'play R9' in match match1, decision 1: legal are play R2, play R3, discard R2\n"
        )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
async def test_signal_ends_a_thinking_bot_quietly(tmp_path: Path, number: signal.Signals, code: int) -> None:
    choose = "print('thinking', flush=True)\n        while True: pass"
    async with (
        open_stage(tmp_path) as stage,
        bot_process(tmp_path, choose, referee=stage.address) as process,
    ):
        line = await stage.line()
        await line.write(welcome(), start(), ask())
        assert process.stdout is not None
        await process.stdout.readline()
        process.send_signal(number)
        assert await ended(process) == (code, "")


@pytest.mark.parametrize("thought", ["while True: pass", "import time; time.sleep(600)"])
async def test_signal_that_another_thread_gets_ends_a_thinking_bot(tmp_path: Path, thought: str) -> None:
    choose = f"print('thinking', flush=True)\n        {thought}"
    async with (
        open_stage(tmp_path) as stage,
        bot_process(tmp_path, choose, referee=stage.address) as process,
    ):
        line = await stage.line()
        await line.write(welcome(), start(), ask())
        assert process.stdout is not None
        await process.stdout.readline()
        _send_to_another_thread(process.pid, signal.SIGTERM)
        assert await ended(process) == (0, "")


async def test_signal_that_another_thread_gets_ends_a_waiting_bot(tmp_path: Path) -> None:
    async with open_stage(tmp_path) as stage, bot_process(tmp_path, FIRST, referee=stage.address) as process:
        line = await stage.line()
        await line.read()
        _send_to_another_thread(process.pid, signal.SIGTERM)
        assert await ended(process) == (0, "")


@over_both
async def test_goodbye_for_good_ends_the_bot(tmp_path: Path, over: str) -> None:
    async with (
        open_stage(tmp_path, over=over) as stage,
        bot_process(tmp_path, FIRST, referee=stage.address) as process,
    ):
        line = await stage.line()
        await line.read()
        await line.write(welcome(), goodbye(come_back=False))
        line.close()
        assert await ended(process) == (0, "")


@over_both
async def test_unknown_token_ends_the_bot_with_the_reason(tmp_path: Path, over: str) -> None:
    async with open_stage(tmp_path, over=over) as stage:
        stage.refusal = (grpc.StatusCode.UNAUTHENTICATED, "token: unknown")
        async with bot_process(tmp_path, FIRST, referee=stage.address) as process:
            code, stderr = await ended(process)
            assert (code, stderr.splitlines()[-1]) == (1, "the arena refused the connection: token: unknown")


@over_both
async def test_bot_connects_again_and_goes_on_with_its_match(tmp_path: Path, over: str) -> None:
    seen = [match_pb2.Step(dummy="one")]
    choose = "return decision.legal[len(decision.history)]"
    async with open_stage(tmp_path, over=over) as stage, bot_process(tmp_path, choose, referee=stage.address):
        line = await stage.line()
        await line.read()
        await line.write(welcome(), start(5), ask(5, seen=seen))
        (first,) = await line.read()
        line.close()
        line = await stage.line()
        await line.read()
        again = start(1, match="match5", history=[*seen, match_pb2.Step(dummy="two")])
        await line.write(welcome(), again, ask(1, decision=2))
        (second,) = await line.read()
        assert (first.answer.action, second.answer.action) == (1, 2)


async def test_bot_keeps_a_stream_to_each_referee(tmp_path: Path) -> None:
    async with (
        open_stage(tmp_path) as stage,
        open_stage(tmp_path, over="tcp") as other,
        bot_process(tmp_path, FIRST, referee=stage.address),
    ):
        line = await stage.line()
        await line.write(welcome(other.address))
        second = await other.line()
        await second.write(welcome(stage.address), start(), ask())
        assert (await second.read())[0].HasField("hello")
        assert (await second.read())[0].HasField("answer")


async def test_bot_dials_a_referee_that_is_named_later(tmp_path: Path) -> None:
    async with (
        open_stage(tmp_path) as stage,
        open_stage(tmp_path, "other") as other,
        bot_process(tmp_path, FIRST, referee=stage.address),
    ):
        line = await stage.line()
        await line.write(welcome())
        await line.write(welcome(other.address))
        assert (await (await other.line()).read())[0].HasField("hello")


async def test_bot_keeps_one_stream_to_a_referee_with_two_addresses(tmp_path: Path) -> None:
    async with (
        open_stage(tmp_path) as stage,
        open_stage(tmp_path, "alias") as alias,
        open_stage(tmp_path, "other") as other,
        open_stage(tmp_path, "third") as third,
        bot_process(tmp_path, FIRST, referee=stage.address),
    ):
        line = await stage.line()
        await line.write(welcome(other.address, address=alias.address))
        second = await other.line()
        await second.write(welcome(alias.address, third.address))
        await third.line()
        assert alias.waiting == 0


async def test_bot_gives_up_a_referee_that_is_gone_and_no_longer_named(tmp_path: Path) -> None:
    async with (
        open_stage(tmp_path) as stage,
        bot_process(tmp_path, FIRST, referee=stage.address) as process,
    ):
        line = await stage.line()
        async with open_stage(tmp_path, "other") as other:
            await line.write(welcome(other.address))
            second = await other.line()
            await line.write(welcome())
            await line.read()
            await second.read()
            second.close()
            assert process.stderr is not None
            assert "connecting again" in (await process.stderr.readline()).decode()
            await line.write(start(), ask())
            await line.read()
            await asyncio.sleep(1.0)
            assert other.waiting == 0
            await line.write(welcome(other.address))
            await other.line()


async def test_crash_on_the_stream_of_another_referee_ends_the_bot(tmp_path: Path) -> None:
    async with (
        open_stage(tmp_path) as stage,
        open_stage(tmp_path, "other") as other,
        bot_process(tmp_path, "return 'play R9'", referee=stage.address) as process,
    ):
        line = await stage.line()
        await line.write(welcome(other.address))
        await (await other.line()).write(welcome(), start(), ask())
        code, stderr = await ended(process)
        assert code == 1
        assert "illegal answer" in stderr


async def test_bot_waits_for_a_referee_that_is_not_there_yet(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 'stage'}"
    async with bot_process(tmp_path, FIRST, referee=address) as process:
        assert process.stderr is not None
        assert "connecting again in" in (await process.stderr.readline()).decode()
        async with open_stage(tmp_path) as stage:
            line = await stage.line()
            assert (await line.read())[0].HasField("hello")


async def test_referee_that_is_named_with_a_malformed_address_is_left_out(tmp_path: Path) -> None:
    async with open_stage(tmp_path) as stage, bot_process(tmp_path, FIRST, referee=stage.address):
        line = await stage.line()
        await line.read()
        await line.write(welcome("nonsense"), start(), ask())
        (message,) = await line.read()
        assert message.answer.action == 0


@pytest.mark.parametrize("word", ["arena match GAME mine.py greedy", "--listen", "ARENA_REFEREE"])
async def test_bot_without_a_way_in_says_what_to_do(tmp_path: Path, word: str) -> None:
    async with bot_process(tmp_path, FIRST) as process:
        code, stderr = await ended(process)
        assert code == 2
        assert word in stderr
        assert stderr.count("\n") == 1


def _send_to_another_thread(pid: int, number: signal.Signals) -> None:
    """Send a signal to a thread of a process that is not its main thread, as the kernel may choose to."""
    thread = max(int(place.name) for place in Path(f"/proc/{pid}/task").iterdir() if int(place.name) != pid)
    failed = ctypes.CDLL(None, use_errno=True).tgkill(pid, thread, number)
    assert not failed, os.strerror(ctypes.get_errno())
