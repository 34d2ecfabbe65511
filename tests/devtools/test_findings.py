"""What a bot's check notes of its matches."""

from __future__ import annotations

from arena.devtools.findings import Seen, note
from arena.games.kernel import Said
from arena.match.clock import STANDARD
from tests.match.clocked_match import play


def test_every_decision_that_was_asked_is_noted_however_quick() -> None:
    match = play("lost_cities", STANDARD, thinking_ms=(0.04, 1.5))
    seen = Seen()
    note(match.record, 0, seen)
    asked = [each for each in match.asked if each.ask.seat == 0]
    assert sorted(set(seen.times_ms)) == [0.0, 1.5]
    assert len(seen.times_ms) == len(asked)


def test_lowest_bank_is_what_was_left_before_the_increment() -> None:
    match = play("lost_cities", STANDARD, thinking_ms=(250.0,))
    seen = Seen()
    note(match.record, 1, seen)
    last = [each.ask.bank_ms for each in match.asked if each.ask.seat == 1][-1]
    assert seen.lowest_bank_ms == last - 250.0


def test_lines_of_talk_are_counted() -> None:
    match = play("lifeboats", STANDARD)
    seen = Seen()
    note(match.record, 0, seen)
    assert seen.lines == sum(
        isinstance(each.step, Said) and each.step.seat == 0 for each in match.record.steps
    )
