"""Faults of hosted bots: one process is stopped or killed while it plays, and the forfeits must be its own, each of them.

To know which matches a process plays, it is stopped first: soon only its matches are still being played, and the workers
tell Redis which these are.  Then it is killed.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import redis.asyncio
from sqlalchemy import select

from arena.queue import tables
from arena.services import plans
from arena.store.schema import MatchResult
from bench.chaos.deployment import REFEREES, Deployment
from bench.chaos.injector import Outcome
from bench.chaos.machines import MachineError, children, command_line, descendants, send, wait_for
from bench.chaos.progress import Progress

if TYPE_CHECKING:
    from arena.queue.tables import PlayedTable

Match = tuple[int, int]
"""Set and match."""

_BOT = re.compile(r"/site/bots/(\w+)/(\w+)\.py")
_LOOK_S = 0.4
_FIND_S = 30.0
_SETTLED_S = 3.0
"""After this long other matches than those of the stopped process have ended.  A decision may take 10 s."""
_OLD_S = 2.0
_AFTER_S = 4.0
_HERTZ = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class HostedBot:
    """A hosted bot's processes: the sandbox around it, and its own."""

    referee: str
    game: str
    bot: str
    sandbox: int
    process: int


def list_hosted(deployment: Deployment, referee: str) -> Iterator[HostedBot]:
    """List the bots that a referee hosts now."""
    parent = deployment.machines[referee].pid("referee")
    for sandbox in children(parent) if parent else ():
        named = _BOT.search(command_line(sandbox))
        inside = descendants(sandbox)
        if named is not None and inside:
            yield HostedBot(referee, named[1], named[2], sandbox, inside[-1])


class BotFaults:
    """Stops and kills hosted bots of one tournament."""

    def __init__(self, deployment: Deployment, progress: Progress, tournament: int, seed: int) -> None:
        self._deployment = deployment
        self._progress = progress
        self._tournament = tournament
        self._draw = random.Random(seed)
        self.forfeits: set[Match] = set()
        """What bots that were killed may have lost."""
        self._killed: set[str] = set()

    def stop(self) -> Outcome:
        """Stop a process for less than a decision may take: nobody loses by it."""
        bot = self._pick()
        outcome = self._outcome(f"{bot.bot} of {bot.referee} stopped")
        send(bot.process, signal.SIGSTOP)
        time.sleep(self._draw.uniform(3, 5))
        send(bot.process, signal.SIGCONT)
        return self._judge(outcome, frozenset())

    def kill(self) -> Outcome:
        """Kill the bot's own process: it loses the matches that it was playing, and no other."""
        bot = self._pick()
        outcome = self._outcome(f"{bot.bot} of {bot.referee} killed")
        running = self._kill(bot, bot.process)
        self.forfeits |= running
        outcome.notes.append(f"it was playing {len(running)} matches")
        return self._judge(outcome, running)

    def kill_sandbox(self) -> Outcome:
        """Kill the sandbox around a bot, which no bot can do: that is charged to nobody."""
        bot = self._pick()
        outcome = self._outcome(f"sandbox of {bot.bot} of {bot.referee} killed")
        running = self._kill(bot, bot.sandbox)
        outcome.notes.append(f"it was playing {len(running)} matches")
        return self._judge(outcome, frozenset())

    def _pick(self) -> HostedBot:
        """Pick a process that plays now, of a bot that was not killed before."""
        found: list[HostedBot] = []

        def plays() -> bool:
            candidates = [bot for referee in REFEREES for bot in list_hosted(self._deployment, referee)]
            before = {bot.process: _cpu_s(bot.process) for bot in candidates}
            time.sleep(_LOOK_S)
            found[:] = [
                bot
                for bot in candidates
                if bot.game == "land_unter"
                and bot.bot not in self._killed
                and _cpu_s(bot.process) > before[bot.process]
            ]
            return bool(found)

        wait_for(plays, "a hosted bot plays", _FIND_S)
        chosen = self._draw.choice(sorted(found, key=lambda bot: (bot.bot, bot.referee, bot.process)))
        self._killed.add(chosen.bot)
        return chosen

    def _kill(self, bot: HostedBot, pid: int) -> frozenset[Match]:
        send(bot.process, signal.SIGSTOP)
        time.sleep(_SETTLED_S)
        running = self._played_by(bot.bot)
        if not send(pid, signal.SIGKILL):
            raise MachineError(f"{bot.bot} was gone before it could be killed")
        return running

    def _played_by(self, bot: str) -> frozenset[Match]:
        """List the matches that wait for a bot's stopped process: all are of one lane, since a process is one lane."""
        now = time.time()
        stored = plans.find(self._deployment.store, self._tournament)
        entry = next(number for number, each in enumerate(stored.entries) if each.bot == bot)
        lanes: Counter[int] = Counter()
        found: dict[Match, int] = {}
        for table in asyncio.run(_tables(self._deployment.redis.url_here)):
            if table.tournament_id != self._tournament or now - table.began_at < _OLD_S:
                continue
            planned = plans.match(stored, table.set, table.number, table.attempt)
            if entry in planned.seats:
                found[table.set, table.number] = planned.lane
                lanes[planned.lane] += 1
        lane = lanes.most_common(1)[0][0] if lanes else -1
        return frozenset(match for match, number in found.items() if number == lane)

    def _outcome(self, name: str) -> Outcome:
        return Outcome(name, "bots", time.monotonic())

    def _judge(self, outcome: Outcome, expected: frozenset[Match]) -> Outcome:
        over = time.monotonic()
        outcome.lasted_s = over - outcome.begun_at
        outcome.results = self._progress.at(over).results - self._progress.at(outcome.begun_at).results
        with suppress(MachineError):
            wait_for(lambda: self._progress.first_after(over) is not None, "a result", 30.0)
        first = self._progress.first_after(over)
        outcome.first_s = None if first is None else first - over
        if first is None:
            outcome.wrong.append("no result came within 30 s")
        time.sleep(_AFTER_S)
        known = self._known
        forfeits = self._read_forfeits()
        new = forfeits - known
        self._known = forfeits
        outcome.forfeits = len(new)
        if new - expected:
            outcome.wrong.append(
                f"{len(new - expected)} forfeits are of matches that are not its own to lose"
            )
        if expected - new:
            outcome.wrong.append(f"{len(expected - new)} of its matches are no forfeits")
        return outcome

    _known: frozenset[Match] = frozenset()

    def _read_forfeits(self) -> frozenset[Match]:
        query = select(MatchResult.set_number, MatchResult.match_number).where(
            MatchResult.tournament_id == self._tournament, MatchResult.fault_seat.is_not(None)
        )
        with self._deployment.store.read() as session:
            return frozenset((row[0], row[1]) for row in session.execute(query))


async def _tables(url: str) -> tuple[PlayedTable, ...]:
    client = redis.asyncio.Redis.from_url(url)
    try:
        return await tables.playing(client)
    finally:
        await client.aclose()


def _cpu_s(pid: int) -> float:
    with suppress(OSError), open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123
        fields = file.read().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / _HERTZ
    return 0.0
