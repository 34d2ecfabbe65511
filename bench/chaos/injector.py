"""Injecting faults, one after the other, and measuring how the arena takes each."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field

import psycopg

from bench.chaos.deployment import Deployment
from bench.chaos.faults import Fault
from bench.chaos.machines import MachineError, wait_for
from bench.chaos.pace import Pace
from bench.chaos.progress import HeldBlock, Progress
from bench.chaos.schedule import Planned

FIRST_S = 10.0
"""The limit for the first new result after a fault."""
GONE_S = 30.0
"""The limit where a machine is gone for good, for every block that was being played, and for the pages of both webs.

A web that was killed imports for some seconds of a core that all parts share here; the other one serves meanwhile.
"""
_GIVE_UP_S = 45.0
_CALM_S = 90.0


@dataclass
class Outcome:
    """Observations of one fault; times are in seconds from its end, None if it did not happen."""

    fault: str
    group: str
    begun_at: float
    lasted_s: float = 0.0
    results: int = 0
    """Results while it lasted."""
    usual: float = 0.0
    """Results that come in the same time when nothing is wrong."""
    first_s: float | None = None
    """Until the first new result."""
    blocks_s: float | None = None
    """Until every block that was being played has moved on, and no session of the database is stuck."""
    pages_s: float | None = None
    """Until both webs answer."""
    slowness: float = 1.0
    loop_s: float = 0.0
    limit_s: float = FIRST_S
    turn_s: float = 0.0
    """Seconds that a block may wait for other tournaments' turns."""
    forfeits: int = 0
    notes: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether it recovered as it should."""
        return not self.wrong

    @property
    def give_up_s(self) -> float:
        """Return after how long it is not waited for any more."""
        return (_GIVE_UP_S + self.turn_s) * self.slowness

    def judge(self) -> None:
        """Hold the times against their limits, which grow on a slow machine."""
        for what, took, limit in (
            ("the first result", self.first_s, self.limit_s),
            ("the last block that moved on", self.blocks_s, GONE_S + self.turn_s),
            ("the pages", self.pages_s, GONE_S),
        ):
            most = limit * self.slowness
            if took is None:
                self.wrong.append(f"{what} did not come within {self.give_up_s:.0f} s")
            elif took > most:
                self.wrong.append(f"{what} came after {took:.1f} s, {most:.1f} s are allowed")
        if self.forfeits:
            self.wrong.append(f"{self.forfeits} forfeits, though no bot was at fault")


class Injector:
    """Injects faults into a deployment that plays."""

    def __init__(
        self,
        deployment: Deployment,
        progress: Progress,
        pace: Pace,
        usual_rate: float,
        may_wait: Callable[[], Collection[int]] = tuple,
        turn_s: float = 0.0,
    ) -> None:
        """`may_wait` names the tournaments whose blocks may wait without a fault, since a bot of theirs is away.

        Where many tournaments are played, `turn_s` is how long it takes until each has had its turn.
        """
        self._turn_s = turn_s
        self._may_wait = may_wait
        self._deployment = deployment
        self._progress = progress
        self._pace = pace
        self._usual_rate = usual_rate

    def inject(self, planned: Planned) -> Outcome:
        """Wait until all is well, inject a fault, and measure how the arena recovers from it."""
        fault = planned.fault
        self.calm_down()
        time.sleep(planned.after_s)
        outcome = Outcome(
            fault.name,
            fault.group,
            time.monotonic(),
            limit_s=GONE_S if fault.gone else FIRST_S,
            turn_s=self._turn_s,
        )
        before = self._progress.now
        try:
            told = fault.begin(self._deployment)
            outcome.notes += [told] if told else []
            blocks = self._held() if fault.gone else ()
            began = time.monotonic()
            time.sleep(fault.lasts_s)
            fault.end(self._deployment)
        except MachineError as error:
            outcome.wrong.append(f"could not be injected: {error}")
            return outcome
        over = time.monotonic()
        outcome.lasted_s = over - began
        outcome.results = self._progress.at(over).results - self._progress.at(began).results
        outcome.usual = self._usual_rate * outcome.lasted_s
        if fault.group == "disk":
            self._note_health(outcome, began, over)
        self._watch(outcome, over, blocks or self._held())
        outcome.forfeits = self._progress.now.forfeits - before.forfeits
        outcome.judge()
        fault.repair(self._deployment)
        return outcome

    def calm_down(self) -> None:
        """Wait until all parts are up and results come; goes on after a while in any case, since that too is seen."""
        with suppress(MachineError):
            wait_for(self._is_calm, "all is well", _CALM_S, 0.1)

    def _is_calm(self) -> bool:
        recent = time.monotonic() - 2.0
        return self._deployment.is_whole() and self._progress.first_after(recent) is not None

    def _watch(self, outcome: Outcome, over: float, blocks: tuple[HeldBlock, ...]) -> None:
        """Wait until the arena has recovered, or has had time enough for it."""
        left = blocks
        while True:
            now = time.monotonic()
            if outcome.first_s is None and (first := self._progress.first_after(over)) is not None:
                outcome.first_s = first - over
            if outcome.pages_s is None:
                answered = [each.first_after(over) for each in self._deployment.health.values()]
                if None not in answered:
                    outcome.pages_s = max(at - over for at in answered if at is not None)
            if outcome.blocks_s is None:
                with suppress(psycopg.Error):
                    left = self._progress.standing_still(left)
                    if not left and not self._deployment.postgres.stuck():
                        outcome.blocks_s = time.monotonic() - over
            outcome.slowness = self._pace.slowness(over, now)
            outcome.loop_s = self._pace.loop_s(over, now)
            recovered = None not in (outcome.first_s, outcome.pages_s, outcome.blocks_s)
            if recovered or now - over > outcome.give_up_s:
                break
            time.sleep(0.1)
        outcome.notes += [
            f"block {block.number} of tournament {block.tournament} stands still, {block.worker} had it"
            for block in left[:3]
        ]

    def _held(self) -> tuple[HeldBlock, ...]:
        until = time.monotonic() + _CALM_S
        while time.monotonic() < until:
            with suppress(psycopg.Error):
                held = self._progress.held_blocks()
                waiting = set(self._may_wait())
                return tuple(block for block in held if block.tournament not in waiting)
            time.sleep(0.1)
        return ()

    def _note_health(self, outcome: Outcome, began: float, over: float) -> None:
        """Note what the webs said of their health: an operator must learn of a full disk."""
        said = {
            f"{each.status} {each.body.get('store', '')}".strip() if each.status else "no answer"
            for health in self._deployment.health.values()
            for each in health.between(began, over)
        }
        outcome.notes.append(f"/health said: {', '.join(sorted(said))}")
        if said <= {"200 ok"}:
            outcome.wrong.append("nobody was told that the disk is full")


def describe(fault: Fault) -> str:
    """Return a line on what comes next, for the progress display."""
    return fault.name if not fault.lasts_s else f"{fault.name} for {fault.lasts_s:.0f} s"
