"""Faults of hosted bots: one process is stopped or killed while it plays, and the forfeits must be its own, and no others.

A process is one bot in one lane on one referee.  What it can have been playing are the matches of that bot and lane without a
result, of the blocks that this referee's workers hold: what is no forfeit of these was played to its end by its successor.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from arena.competition import plans
from arena.storage.schema import Block, MatchResult
from bench.chaos import stranger
from bench.chaos.deployment import REFEREES, REFEREES_OF, Deployment
from bench.chaos.injector import FIRST_S, Outcome
from bench.chaos.machines import (
    MachineError,
    children,
    command_line,
    descendants,
    send,
    wait_for,
)
from bench.chaos.pace import Pace
from bench.chaos.progress import Progress

GAME = "land_unter"
Match = tuple[int, int, int]
"""Tournament, set, and match."""

_HOUSE = re.compile(rf"house:{GAME}/(\w+)")
_UPLOAD = "bundle:"
_LOOK_S = 0.3
_FIND_S = 30.0
_GIVE_UP_S = 45.0
_KILLS = 6
_HELD_S = 1.0
_OLD_S = 3.0
"""A younger process may still be starting: then it plays nothing that it could lose."""
_AFTER_S = 3.0
"""When a result of after the fault is stored, so are those of the matches that it ended, after some more seconds."""
_HERTZ = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class HostedBot:
    """A hosted bot's processes: the sandbox around it, and its own."""

    referee: str
    bot: str
    sandbox: int
    process: int


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A forfeit: which match, whose, and in which lane."""

    match: Match
    bot: str
    lane: int


def list_hosted(deployment: Deployment, referee: str) -> Iterator[HostedBot]:
    """List the bots of our game that a referee hosts now."""
    parent = deployment.machines[referee].pid("referee")
    for sandbox in _sandboxes(parent) if parent else ():
        line, inside = command_line(sandbox), descendants(sandbox)
        house = _HOUSE.match(line)
        if inside and (house is not None or line.startswith(_UPLOAD)):
            yield HostedBot(referee, stranger.NAME if house is None else house[1], sandbox, inside[-1])


def _sandboxes(parent: int) -> Iterator[int]:
    """List the outermost processes of bots: all processes of one are called as the bot is."""
    for child in children(parent):
        if command_line(child).startswith(("house:", _UPLOAD)):
            yield child
        else:
            yield from _sandboxes(child)


class BotFaults:
    """Stops and kills hosted bots of some tournaments, all of one game."""

    def __init__(
        self,
        deployment: Deployment,
        progress: Progress,
        pace: Pace,
        tournaments: Collection[int],
        seed: int,
    ) -> None:
        self._deployment = deployment
        self._progress = progress
        self._pace = pace
        self._tournaments = tournaments
        self._draw = random.Random(seed)
        self.forfeits: set[Match] = set()
        """Matches that killed bots have lost by it."""

    def stop(self) -> Outcome:
        """Stop a process for less than a decision may take: no match is lost by it."""
        bot = self._pick(of_the_house=True)
        outcome = Outcome(f"{bot.bot}, hosted by {bot.referee}, stopped", "bots", time.monotonic())
        send(bot.process, signal.SIGSTOP)
        time.sleep(self._draw.uniform(3, 5))
        send(bot.process, signal.SIGCONT)
        return self._judge(outcome, bot, frozenset())

    def kill_house_bot(self) -> Outcome:
        """Kill a house bot's process: it never does that itself, so no bot is charged."""
        return self._kill(of_the_house=True, sandbox=False, charged=False)

    def kill_sandbox(self) -> Outcome:
        """Kill the sandbox around a stranger's bot, which no bot can do: no bot is charged."""
        return self._kill(of_the_house=False, sandbox=True, charged=False)

    def kill_bot(self) -> Outcome:
        """Kill a stranger's process: it loses what it was playing, and nothing else."""
        return self._kill(of_the_house=False, sandbox=False, charged=True)

    def _kill(self, *, of_the_house: bool, sandbox: bool, charged: bool) -> Outcome:
        """Kill one process, or one after the other until one was playing if that is to be `charged`."""
        for _ in range(_KILLS):
            bot = self._pick(of_the_house=of_the_house)
            what = "the sandbox around it" if sandbox else "its process"
            outcome = Outcome(f"{bot.bot}, hosted by {bot.referee}: {what} killed", "bots", time.monotonic())
            send(bot.process, signal.SIGSTOP)
            time.sleep(_HELD_S)  # now it has matches that wait for it
            before = self._perhaps_played_by(bot)
            if not send(bot.sandbox if sandbox else bot.process, signal.SIGKILL):
                continue  # it was ended meanwhile, since it had nothing to do
            expected = before | self._perhaps_played_by(bot) if charged else frozenset[Match]()
            self._judge(outcome, bot, expected)
            if outcome.wrong or outcome.forfeits or not charged:
                return outcome
        raise MachineError(f"in {_KILLS} tries no process was killed while it played")

    def _pick(self, *, of_the_house: bool) -> HostedBot:
        """Pick a process that plays now."""
        found: list[HostedBot] = []

        def plays() -> bool:
            old_s = _OLD_S * self._slowness
            candidates = [
                bot
                for referee in REFEREES
                for bot in list_hosted(self._deployment, referee)
                if (bot.bot != stranger.NAME) == of_the_house and _age_s(bot.process) > old_s
            ]
            before = {bot.process: _cpu_s(bot.process) for bot in candidates}
            time.sleep(_LOOK_S)
            found[:] = [bot for bot in candidates if _cpu_s(bot.process) > before[bot.process]]
            return bool(found)

        wait_for(plays, "a hosted bot plays", _FIND_S * self._slowness)
        return self._draw.choice(sorted(found, key=lambda bot: (bot.bot, bot.referee, bot.process)))

    def _perhaps_played_by(self, bot: HostedBot) -> frozenset[Match]:
        """List the matches without a result that a bot plays, in any lane, in blocks that its referee's workers hold."""
        mine = Block.tournament_id.in_(tuple(self._tournaments))
        held = select(Block).where(mine, Block.done.is_(False), Block.worker.is_not(None))
        over = select(MatchResult.tournament_id, MatchResult.set_number, MatchResult.match_number)
        with self._deployment.store.read() as session:
            results = {(row[0], row[1], row[2]) for row in session.execute(over)}
            blocks = session.scalars(held).all()
        found = set[Match]()
        for block in blocks:
            if bot.referee not in REFEREES_OF[str(block.worker).rpartition("-")[0]]:
                continue
            stored = plans.find(self._deployment.store, block.tournament_id)
            entry = next(number for number, each in enumerate(stored.entries) if each.bot == bot.bot)
            for number in range(block.first_set, block.first_set + block.sets):
                found |= {
                    (block.tournament_id, number, match.match)
                    for match in stored.plan.set(number)
                    if entry in match.seats
                }
        return frozenset(found - results)

    def _judge(self, outcome: Outcome, bot: HostedBot, expected: Collection[Match]) -> Outcome:
        over = time.monotonic()
        outcome.lasted_s = over - outcome.begun_at
        outcome.results = self._progress.at(over).results - self._progress.at(outcome.begun_at).results
        with suppress(MachineError):
            wait_for(
                lambda: self._progress.first_after(over) is not None, "a result", _GIVE_UP_S * self._slowness
            )
        outcome.slowness = self._pace.slowness(over, time.monotonic())
        outcome.loop_s = self._pace.loop_s(over, time.monotonic())
        first = self._progress.first_after(over)
        outcome.first_s = None if first is None else first - over
        time.sleep(_AFTER_S * outcome.slowness)
        if outcome.first_s is None or outcome.first_s > FIRST_S * outcome.slowness:
            outcome.wrong.append("the first result came too late, or not at all")
        self._judge_forfeits(outcome, bot, expected)
        return outcome

    def _judge_forfeits(self, outcome: Outcome, bot: HostedBot, expected: Collection[Match]) -> None:
        new = [each for each in self._read_forfeits() if each.match not in self.forfeits]
        outcome.forfeits = len(new)
        if not expected and new:
            outcome.wrong.append(f"{len(new)} forfeits, though the bot cannot have been at fault")
        elif {each.match for each in new} - set(expected):
            outcome.wrong.append("there are forfeits of matches that the killed process did not play")
        elif len({each.lane for each in new}) > 1:
            outcome.wrong.append("there are forfeits of more than one lane, though one process was killed")
        if {each.bot for each in new} - {bot.bot}:
            outcome.wrong.append("there are forfeits of other bots")
        self.forfeits |= {each.match for each in new}

    def _read_forfeits(self) -> list[Forfeit]:
        query = select(MatchResult).where(
            MatchResult.tournament_id.in_(tuple(self._tournaments)), MatchResult.fault_seat.is_not(None)
        )
        found = []
        with self._deployment.store.read() as session:
            for row in session.scalars(query):
                stored = plans.find(self._deployment.store, row.tournament_id)
                planned = plans.match(stored, row.set_number, row.match_number, row.attempt)
                entry = planned.seats[row.fault_seat or 0]
                match = (row.tournament_id, planned.set, planned.match)
                found.append(Forfeit(match, stored.entries[entry].bot, planned.lane))
        return found

    @property
    def _slowness(self) -> float:
        now = time.monotonic()
        return self._pace.slowness(now - _AFTER_S, now)


def _cpu_s(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / _HERTZ if fields else 0.0


def _age_s(pid: int) -> float:
    fields = _stat(pid)
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / _HERTZ if fields else 0.0


def _stat(pid: int) -> list[str]:
    """Read /proc/PID/stat from the state on (proc(5)); empty if the process is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")[2].split()
    return []
