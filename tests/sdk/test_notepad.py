"""What a bot notes on a decision, as it is sent beside the answer."""

from __future__ import annotations

from typing import Any

import pytest

from arena.sdk import Bot, Decision
from arena.sdk.conversation import Conversation, Player
from arena.v1 import bot_pb2 as pb
from tests.sdk.scripted_arena import ask, start
from tests.sdk.test_conversation import tell

ACTIONS = tuple(f"play {number}" for number in range(20))


class Noting(Bot[Any]):
    """Chooses the first action, and notes what the test has it note."""

    def __init__(self, **noted: Any) -> None:
        self.noted = noted

    def choose(self, decision: Decision[Any]) -> str:
        values = self.noted.pop("values", None)
        decision.note(values, **self.noted)
        return decision.legal[0]


def sent(**noted: Any) -> pb.Answer:
    """Return the answer of a bot that notes this."""
    conversation = Conversation(Player(Noting(**noted)))
    (message,) = tell(conversation, start(), ask(actions=ACTIONS))
    return message.answer


def test_values_numbers_and_text_are_sent_beside_the_answer() -> None:
    notes = sent(values={"play 3": 0.5, "play 4": 1}, win=0.62, text="holding red").notes
    assert {each.action: each.value for each in notes.candidates} == {"play 3": 0.5, "play 4": 1.0}
    assert dict(notes.numbers) == {"win": 0.62}
    assert notes.text == "holding red"


def test_of_many_candidates_the_highest_and_the_chosen_one_are_kept() -> None:
    notes = sent(values={action: float(rank) for rank, action in enumerate(ACTIONS)}).notes
    assert [each.action for each in notes.candidates] == ["play 0", *reversed(ACTIONS[5:])]


def test_later_notes_are_added_to_the_earlier_ones() -> None:
    class Twice(Noting):
        def choose(self, decision: Decision[Any]) -> str:
            decision.note({"play 1": 1.0}, win=0.1, text="first")
            decision.note({"play 2": 2.0}, win=0.2, worlds=40)
            return decision.legal[0]

    (message,) = tell(Conversation(Player(Twice())), start(), ask(actions=ACTIONS))
    assert len(message.answer.notes.candidates) == 2
    assert dict(message.answer.notes.numbers) == {"win": 0.2, "worlds": 40.0}
    assert message.answer.notes.text == "first"


def test_notes_over_a_limit_are_not_sent_and_the_output_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    answer = sent(text="x" * 2000)
    assert not answer.HasField("notes")
    assert "dropped: notes of 2003 bytes: at most 1024 are allowed" in capsys.readouterr().err


def test_an_answer_without_notes_has_none() -> None:
    assert not sent().HasField("notes")
