"""One match has one set of clocks, whichever part of the arena tells them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from arena.games.registry import GAMES
from arena.match.clock import STANDARD, Clock, TimeControl
from tests.examples import scaled
from tests.match.clocked_match import (
    THINKING_MS,
    ClockedMatch,
    human_clocks,
    live_clocks,
    play,
    replay_clocks,
    session_clocks,
    traced_clocks,
)

ROOT = Path(__file__).parents[2]
TIMES = (
    STANDARD,
    TimeControl(base_ms=30_000, increment_ms=0, cap_ms=10_000, talk_ms=1_000),
    TimeControl(base_ms=2_000, increment_ms=1, cap_ms=600, talk_ms=100),
    TimeControl(base_ms=500, increment_ms=500, cap_ms=166, talk_ms=1_000),
    TimeControl(base_ms=1, increment_ms=0, cap_ms=1, talk_ms=1),
)


def check(match: ClockedMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold the clocks of all parts to those of the session."""
    replayed, live = replay_clocks(match), live_clocks(match)
    assert {steps: replayed[steps] for steps in live} == live
    for each in match.asked:
        assert replayed[each.steps][each.ask.seat] == each.ask.bank_ms
    for seat in range(len(match.record.seats)):
        told = session_clocks(match, seat)
        assert traced_clocks(match, seat) == told
        banks = dict(told)
        for decision, before, after in human_clocks(match, seat, monkeypatch):
            assert before == int(banks[decision])
            later = next((bank for number, bank in told if number > decision), None)
            if after is not None and later is not None:
                assert after == pytest.approx(later, abs=1.1)  # the wire tells whole milliseconds


def test_answers_of_a_few_hundredths_earn_the_increment_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play("lost_cities", STANDARD, thinking_ms=(0.04,))
    last = replay_clocks(match)[len(match.record.steps)]
    assert all(left_ms > STANDARD.base_ms + 10 * STANDARD.increment_ms for left_ms in last)
    check(match, monkeypatch)


@pytest.mark.parametrize("game", GAMES)
def test_clocks_of_a_match_are_the_same_everywhere(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = play(game, STANDARD)
    assert match.record.result.end != "fault"
    assert any(each.thought_ms == 0.0 for each in match.asked)
    check(match, monkeypatch)


@given(
    st.sampled_from(sorted(GAMES)),
    st.sampled_from(TIMES),
    st.integers(0, 2**32),
    st.sampled_from((THINKING_MS, (0.0,), (0.04, 0.06), (*THINKING_MS, 0.97, 599.98, 11_000.0))),
)
@settings(
    max_examples=scaled(60),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_clocks_are_the_same_everywhere_whatever_the_time_control(
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    time: TimeControl,
    chance: int,
    thinking_ms: tuple[float, ...],
) -> None:
    with monkeypatch.context() as patched:
        check(play(game, time, chance=chance, thinking_ms=thinking_ms), patched)


@pytest.mark.plain
def test_another_rule_is_followed_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    before = replay_clocks(play("lost_cities", STANDARD))
    keep_rule = Clock.charge

    def charge(clock: Clock, seat: int, thinking_ms: float) -> float:
        """Charge as always, and add two seconds more for every third decision of a seat."""
        charged_ms = keep_rule(clock, seat, thinking_ms)
        if clock.answered(seat) % 3 == 0:
            clock.correct(seat, clock.remaining_ms(seat) + 2_000)
        return charged_ms

    monkeypatch.setattr(Clock, "charge", charge)
    match = play("lost_cities", STANDARD)
    steps = len(match.record.steps)
    assert all(
        after > once + 2_000 for once, after in zip(before[steps], replay_clocks(match)[steps], strict=True)
    )
    check(match, monkeypatch)


def test_only_the_clock_reckons_with_a_time_control() -> None:
    fields = {"base_ms", "increment_ms", "talk_ms"}
    sources = {
        path: path.read_text()
        for package in ("arena", "referee", "workers")
        for path in (ROOT / package).rglob("*.py")
        if path != ROOT / "arena" / "match" / "clock.py"
    }
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, source in sources.items()
        if any(field in source for field in fields)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.BinOp | ast.AugAssign)
        and fields & {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
    }
    assert found == set()
