"""The programs of docs/adapting.md run as they stand there, and their engine is always in step."""

from __future__ import annotations

import re
import runpy
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena.games.kernel import Played
from arena.sdk import Bot, Decision, practise
from arena.sdk.practice import PracticeMatch, play_out
from bots.catalogue import house_bot

PAGE = (Path(__file__).parents[2] / "docs/adapting.md").read_text(encoding="utf-8")
JOINT, ENGINE, ADAPTER = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
MAX_LINES = 60


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what bot.py defines, with the engine beside it."""
    (tmp_path / "their_engine.py").write_text(ENGINE, encoding="utf-8")
    (tmp_path / "bot.py").write_text(ADAPTER, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "their_engine", raising=False)
    return runpy.run_path(str(tmp_path / "bot.py"))


def compared(adapter: dict[str, Any], *, forgets: bool) -> Bot[Any]:
    """Return the adapter as a bot that compares its engine with the view wherever it places a card."""
    names, adapted = adapter["NAMES"], adapter["Adapted"]

    class Compared(adapted):  # type: ignore[misc, valid-type]
        compared = 0

        def choose(self, decision: Decision[Any]) -> str:
            if forgets:
                self.seats.clear()
            return str(super().choose(decision))

        def follow(self, seat: Any, decision: Decision[Any]) -> None:
            super().follow(seat, decision)
            if "draw deck" in decision.legal:
                return
            game, view, me = seat.game, decision.view, decision.seat

            def named(cards: list[int]) -> Counter[str]:
                return Counter(names[card] for card in cards)

            assert named(game.hands[me]) == Counter(view.hand)
            assert named(game.hands[1 - me]) == Counter(view.opponent_known)
            assert [[names[card] for card in pile] for pile in game.piles] == list(map(list, view.discards))
            for cards, piles in zip(game.expeditions, view.expeditions, strict=True):
                assert named(cards) == Counter(card for pile in piles for card in pile)
            assert len(game.unseen) == view.draw_pile + 8 - len(view.opponent_known)
            self.compared += 1

    return Compared()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", ["random", "greedy", "collector"])
def test_its_engine_agrees_with_the_view_at_each_turn(
    adapter: dict[str, Any], opponent: str, seat: int
) -> None:
    bot = compared(adapter, forgets=False)
    bots = [house_bot("lost_cities", opponent)]
    bots.insert(seat, bot)
    for number in range(3):
        assert practise("lost_cities", bots, seed=sha256(b"%d" % number).digest()).end == "completed"
    assert bot.compared > 100  # type: ignore[attr-defined]
    assert bot.seats == {}  # type: ignore[attr-defined]


def test_an_adapter_that_was_started_again_catches_up_from_the_history(adapter: dict[str, Any]) -> None:
    bot = compared(adapter, forgets=True)
    assert practise("lost_cities", [bot, house_bot("lost_cities", "greedy")]).end == "completed"
    assert bot.compared > 50  # type: ignore[attr-defined]


def test_one_object_plays_both_seats(adapter: dict[str, Any]) -> None:
    bot = compared(adapter, forgets=False)
    assert practise("lost_cities", [bot, bot]).end == "completed"


def test_the_adapter_is_as_short_as_the_page_says() -> None:
    assert len([line for line in ADAPTER.splitlines() if line]) < MAX_LINES


@pytest.mark.parametrize(("game", "seats"), [("land_unter", 3), ("bottle_imp", 4), ("lifeboats", 3)])
def test_simultaneous_choices_of_a_history_are_one_action_each(game: str, seats: int) -> None:
    names: dict[str, Any] = {}
    exec(JOINT, names)  # noqa: S102 - our own page
    match = PracticeMatch(game, [house_bot(game, "random") for _ in range(seats)])
    play_out(match)
    history = match.history(0, len(match.steps))
    points = names["joint_actions"](history)
    played = [step for step in history if isinstance(step, Played)]
    assert sum(map(len, points)) == len(played)
    several = [point for point in points if len(point) > 1]
    assert len(several) == len({step.together for step in played} - {None})
    assert all(list(point) == sorted(point) for point in several)
