"""Bots that each try one thing once they sit in a match.  Each takes the stream and says how it goes wrong."""

from __future__ import annotations

import asyncio

import grpc

from arena.v1.bot_pb2 import Answer, BotMessage, ConnectRequest, Hello, Say
from tests.referee.running_referee import HURRY, RawBot

GONE = (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
"""What a bot gets to see whose stream was ended in the middle of its writing."""
_TOO_LARGE = 100_000
_HUGE = 100_000_000


# --- time -----------------------------------------------------------------------------------------------------


async def never_answers(bot: RawBot) -> None:
    await bot.hear_of("ask")


async def answers_after_its_time(bot: RawBot) -> None:
    ask = await bot.hear_of("ask")
    await bot.hear_of("fault")
    await bot.answer(ask)


async def answers_ever_more_slowly(bot: RawBot) -> None:
    """Uses up its bank, each decision within the cap."""
    while (message := await bot.hear()).WhichOneof("message") != "end":
        if message.HasField("ask"):
            await asyncio.sleep(HURRY.base_ms / 1000 * 0.6)
            await bot.answer(message.ask)


# --- answers --------------------------------------------------------------------------------------------------


async def chooses_what_was_not_offered(bot: RawBot) -> None:
    ask = await bot.hear_of("ask")
    await bot.answer(ask, len(ask.actions))


async def chooses_the_largest_number(bot: RawBot) -> None:
    await bot.answer(await bot.hear_of("ask"), 2**32 - 1)


async def answers_twice(bot: RawBot) -> None:
    ask = await bot.hear_of("ask")
    answer = BotMessage(answer=Answer(table=ask.table, decision=ask.decision, action=0))
    await bot.say(answer, answer)


async def answers_a_past_decision(bot: RawBot) -> None:
    first = await bot.hear_of("ask")
    await bot.answer(first)
    later = await bot.hear_of("ask")
    await bot.answer(later, decision=first.decision)


async def answers_a_future_decision(bot: RawBot) -> None:
    ask = await bot.hear_of("ask")
    await bot.answer(ask, decision=ask.decision + 5)


async def answers_decision_zero(bot: RawBot) -> None:
    await bot.answer(await bot.hear_of("ask"), decision=0)


async def answers_for_another_table(bot: RawBot) -> None:
    await bot.answer(await bot.hear_of("ask"), table=77)


async def answers_for_table_zero(bot: RawBot) -> None:
    await bot.answer(await bot.hear_of("ask"), table=0)


async def talks_where_it_must_choose(bot: RawBot) -> None:
    ask = await bot.hear_of("ask")
    await bot.say(BotMessage(say=Say(table=ask.table, decision=ask.decision)))


# --- frames ---------------------------------------------------------------------------------------------------


async def says_hello_again(bot: RawBot) -> None:
    await bot.hear_of("ask")
    await bot.say(BotMessage(hello=Hello(protocol=1)))


async def says_nothing_in_a_message(bot: RawBot) -> None:
    await bot.hear_of("ask")
    await bot.say(BotMessage())


async def sends_garbage(bot: RawBot) -> None:
    await bot.hear_of("ask")
    await bot.call.write(b"\xff\xff\xff garbage")


async def sends_text_that_is_no_utf_8(bot: RawBot) -> None:
    await bot.hear_of("ask")
    hello = Hello(name="xxxx")
    frame = ConnectRequest(messages=[BotMessage(hello=hello)]).SerializeToString()
    await bot.call.write(frame.replace(b"xxxx", b"\xed\xa0\x80x"))


async def sends_a_large_frame(bot: RawBot) -> None:
    await bot.hear_of("ask")
    await bot.call.write(bytes(_TOO_LARGE))


async def sends_a_frame_of_100_mb(bot: RawBot) -> None:
    await bot.hear_of("ask")
    await bot.call.write(bytes(_HUGE))


async def sends_100_mb_packed_into_100_kb(bot: RawBot) -> None:
    """Its channel compresses."""
    await bot.hear_of("ask")
    await bot.call.write(bytes(_HUGE))


async def sends_ten_thousand_messages_in_one_frame(bot: RawBot) -> None:
    await bot.hear_of("ask")
    await bot.say(*[BotMessage()] * 10_000)


async def floods_with_empty_frames(bot: RawBot) -> None:
    await bot.hear_of("ask")
    while True:
        await bot.call.write(ConnectRequest().SerializeToString())


async def floods_with_answers(bot: RawBot) -> None:
    """Answers a match that is over, which one answer too late may do."""
    ask = await bot.hear_of("ask")
    await bot.hear_of("end")
    while True:
        await bot.answer(ask)


# --- the stream -----------------------------------------------------------------------------------------------


async def hangs_up(bot: RawBot) -> None:
    await bot.hear_of("ask")
    bot.call.cancel()


async def says_that_it_is_done(bot: RawBot) -> None:
    """Ends its half of the stream and keeps the other open."""
    await bot.hear_of("ask")
    await bot.call.done_writing()
