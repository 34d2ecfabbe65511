"""Notes beside answers: reported with the match, within limits, and sent to no other bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from arena.core.notes import Candidate
from arena.games.kernel import Played
from arena.match import seat_notes
from arena.match.seat_notes import SeatNotes
from arena.match.verification import verify
from arena.referee_client import Finished
from arena.v1 import bot_pb2 as pb
from referee.dispatch import note_taker
from tests.referee.running_referee import House, RawBot, order

SECRET = "my hand is red"


def nothing(_ask: pb.Ask) -> pb.Notes:
    return pb.Notes()


async def answer_all(bot: RawBot, note: Callable[[pb.Ask], pb.Notes]) -> None:
    """Play the first action at every decision, with notes beside it, until the match is over."""
    while (kind := (await bot.hear()).WhichOneof("message")) != "end":
        if kind == "ask":
            ask = bot.heard[-1].ask
            answer = pb.Answer(table=ask.table, decision=ask.decision, action=0, notes=note(ask))
            bot.asked.append(ask)
            await bot.say(pb.BotMessage(answer=answer))


async def play(
    house: House, note: Callable[[pb.Ask], pb.Notes]
) -> tuple[Finished, dict[int, SeatNotes], RawBot]:
    """Play a match in which seat 0 notes something; also return what each seat noted, and the bot of seat 1."""
    async with house.bot("a") as a, house.bot("b") as b:
        await a.hello()
        await b.hello()
        playing = house.begin(order("m", "a", "b"))
        await asyncio.gather(answer_all(a, note), answer_all(b, nothing))
        ended = (await playing)["m"]
    assert isinstance(ended, Finished)
    assert ended.record.result.end == "completed"
    return ended, {each.seat: seat_notes.from_json(each.text) for each in ended.notes}, b


async def test_notes_are_reported_with_the_step_that_the_action_became(house: House) -> None:
    def note(ask: pb.Ask) -> pb.Notes:
        candidate = pb.Candidate(action=ask.actions[0], value=0.5)
        return pb.Notes(candidates=[candidate], numbers={"win": 0.25}, text=f"decision {ask.decision}")

    ended, noted, _ = await play(house, note)
    assert noted.keys() == {0}
    assert noted[0].dropped == 0
    steps = ended.record.steps
    asked = [number for number, each in enumerate(steps) if isinstance(each.step, Played) and each.ms]
    of_seat = [number for number in asked if getattr(steps[number].step, "seat", None) == 0]
    assert [step for step, _ in noted[0].steps] == of_seat
    for step, notes in noted[0].steps:
        assert notes.candidates == (Candidate(getattr(steps[step].step, "action", ""), 0.5),)
        assert notes.numbers == (("win", 0.25),)


async def test_notes_are_no_part_of_the_record(house: House) -> None:
    ended, _, _ = await play(house, lambda _: pb.Notes(text=SECRET))
    assert SECRET not in ended.text
    assert verify(ended.record) is None


async def test_an_opponent_is_sent_no_notes(house: House) -> None:
    _, _, opponent = await play(house, lambda _: pb.Notes(text=SECRET))
    assert opponent.asked
    assert not any(SECRET.encode() in message.SerializeToString() for message in opponent.heard)


async def test_a_match_without_notes_reports_none(house: House) -> None:
    ended, _, _ = await play(house, nothing)
    assert ended.notes == ()


async def test_notes_over_their_size_are_dropped_and_the_answers_count(house: House) -> None:
    _, noted, _ = await play(house, lambda _: pb.Notes(text="x" * 3000))
    assert noted[0].steps == ()
    assert noted[0].dropped > 10
    assert noted[0].reason == "notes of 3003 bytes: at most 1024 are allowed"


async def test_a_candidate_that_is_not_legal_drops_the_notes_only(house: House) -> None:
    _, noted, _ = await play(house, lambda _: pb.Notes(candidates=[pb.Candidate(action="fold", value=1)]))
    assert noted[0].reason == "candidate 'fold': is not one of the legal actions"


def test_one_seat_keeps_only_so_many_bytes_in_a_match() -> None:
    taker = note_taker.NoteTaker()
    for _ in range(200):
        taker.take(0, 0, ("play",), pb.Notes(numbers={"x" * 40: 1, "y" * 40: 2}, text="🂡" * 200))
    (_, kept), *_ = taker.by_seat(())
    assert kept.dropped == 200 - note_taker.MAX_SEAT_BYTES // 910
