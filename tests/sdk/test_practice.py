"""Matches within one process, without clocks."""

from __future__ import annotations

from typing import Any

import pytest

from arena.core.errors import UsageError
from arena.games.chance import bot_seed
from arena.games.kernel import IllegalAction, Step
from arena.sdk import Bot, Decision, Outcome, practise
from arena.sdk.bot import Match


class Watcher(Bot[Any]):
    """Plays the first action and keeps what it saw."""

    def __init__(self) -> None:
        self.histories: list[tuple[Step, ...]] = []
        self.random = 0.0
        self.outcome: Outcome | None = None

    def choose(self, decision: Decision[Any]) -> str:
        if not self.histories:
            self.random = decision.random.random()
        self.histories.append(decision.history)
        return decision.legal[0]

    def on_end(self, match: Match, outcome: Outcome) -> None:
        self.outcome = outcome


def test_history_of_a_seat_hides_what_it_may_not_see() -> None:
    bots = (Watcher(), Watcher())
    practise("lost_cities", bots)
    (deal, *_), (other, *_) = bots[0].histories[0], bots[1].histories[0]
    assert deal != other
    assert "?" in str(deal)


def test_histories_only_grow() -> None:
    bot = Watcher()
    practise("lost_cities", (bot, Watcher()))
    assert all(
        after[: len(before)] == before
        for before, after in zip(bot.histories, bot.histories[1:], strict=False)
    )


def test_random_numbers_come_from_the_seat_s_bot_seed() -> None:
    from random import Random

    bots = (Watcher(), Watcher())
    practise("lost_cities", bots, seed=b"s" * 32)
    assert [bot.random for bot in bots] == [Random(bot_seed(b"s" * 32, seat)).random() for seat in (0, 1)]


def test_bots_are_told_the_outcome() -> None:
    bot = Watcher()
    result = practise("lost_cities", (bot, Watcher()), options={"hands": 1})
    assert bot.outcome == Outcome(result.places, result.scores, result.end)


def test_illegal_answer_is_refused() -> None:
    class Wrong(Watcher):
        def choose(self, decision: Decision[Any]) -> str:
            return "pass"

    with pytest.raises(IllegalAction, match="'pass'"):
        practise("lost_cities", (Wrong(), Wrong()))


def test_unknown_option_is_refused() -> None:
    with pytest.raises(UsageError, match="'hand'"):
        practise("lost_cities", (Watcher(), Watcher()), options={"hand": 1})
