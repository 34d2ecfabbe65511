"""Types of the SDK as authors see them; mypy and pyright read this, nothing runs it.

A comment that silences a checker without need is an error for both, so each slip stays one.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import assert_type

from arena.games.kernel import TalkLimits
from arena.games.lost_cities.view import LostCitiesView
from arena.sdk import SILENCE, Bot, Claim, Clock, Decision, Line, Match, Outcome, run


class Mine(Bot[LostCitiesView]):
    name = "mine"

    def choose(self, decision: Decision[LostCitiesView]) -> str:
        assert_type(decision.legal, tuple[str, ...])
        assert_type(decision.view, LostCitiesView)
        assert_type(decision.view.hand_number, int)
        assert_type(decision.clock, Clock)
        assert_type(decision.clock.bank_ms, int)
        assert_type(decision.random, Random)
        assert_type(decision.options, Mapping[str, int])
        decision.note({decision.legal[0]: 0.5}, text="the first", depth=3)
        assert decision.view.discard_pile  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
        return decision.random.choice(decision.legal)

    def say(self, decision: Decision[LostCitiesView]) -> Line:
        assert_type(decision.limits, TalkLimits | None)
        return Line("I promise", (Claim("promise", 0, "K", "this"),)) if decision.limits else SILENCE

    def on_start(self, match: Match) -> None:
        assert_type(match.seat, int)

    def on_end(self, match: Match, outcome: Outcome) -> None:
        assert_type(outcome.places, tuple[int, ...])


class Silent(Bot[LostCitiesView]):
    def choose(self, decision: Decision[LostCitiesView]) -> int:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        return len(decision.legal)


def main() -> None:
    run(Mine())
    run("mine")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
