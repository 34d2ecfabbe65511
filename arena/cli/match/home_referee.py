"""Playing at home: through a referee of one's own, with real bot processes, without database or Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bundle_format.bundle import PREFIX
from arena.cli.match.contest import Contest, Planned
from arena.cli.match.match_series import play
from arena.cli.match.match_tally import Played
from arena.cli.match.progress_meter import Meter
from arena.core.settings import settings
from arena.devtools.home_uploads import supplied, with_last_words
from arena.devtools.record_files import make_folder, write_notes, write_record
from arena.match.record import Record, to_json
from arena.referee_client import Finished, Order, Referee, local_referee

MAX_JOBS = 64


@dataclass(frozen=True, slots=True)
class HomeReferee:
    """A referee that plays contests."""

    address: str
    records: Path | None = None
    """Where a file is written for each match."""
    jobs: int | None = None
    """Number of matches that are played at once, each by processes of its own; None for what the bots' processes take."""

    async def play(
        self,
        contest: Contest,
        plan: Planned,
        meter: Meter,
        on_record: Callable[[Record], None] = lambda _record: None,
        so_far: list[Played] | None = None,
    ) -> list[Played]:
        """Play all matches of a plan, and return them in its order; `on_record` and `so_far` get each when it is over.

        Raises NotPlayed, RefereeUnreachable.
        """
        played: list[Played] = []

        def take(report: Finished) -> None:
            match = plan[report.match]
            record, text = report.record, report.text
            fault = record.result.fault
            if fault and contest.contenders[match.seats[fault.seat]].program.startswith(PREFIX):
                explained = with_last_words(fault, report.outputs)
                record = replace(record, result=replace(record.result, fault=explained))
                text = to_json(record)
            if self.records is not None:
                write_record(self.records, report.match, text)
                write_notes(self.records, report.match, report.notes)
            played.append(Played(match.set, match.match, match.id, match.seats, record.result))
            if so_far is not None:
                so_far.append(played[-1])
            on_record(record)
            meter.advance()

        with meter, ExitStack() as stack:
            if contest.uploads:
                stack.enter_context(supplied(self.address, contest.uploads))
            async with Referee(self.address) as referee:
                await self._play_all(referee, contest, plan, take)
        return sorted(played, key=lambda each: (each.set, each.match))

    async def _play_all(
        self, referee: Referee, contest: Contest, plan: Planned, take: Callable[[Finished], None]
    ) -> None:
        if self.jobs is None:
            seats = contest.setup.seats
            await _play_orders(
                referee, [contest.order(match, match.lane, seats) for match in plan.values()], take
            )
            return
        jobs, waiting = self.jobs, iter(plan.values())

        async def work(job: int) -> None:
            for match in waiting:
                await _play_orders(referee, [contest.order(match, job, jobs)], take)

        working = [asyncio.create_task(work(job)) for job in range(jobs)]
        try:
            await asyncio.gather(*working)
        finally:
            for task in working:
                task.cancel()


async def _play_orders(referee: Referee, orders: Sequence[Order], take: Callable[[Finished], None]) -> None:
    async with aclosing(play(referee, orders)) as reports:
        async for report in reports:
            take(report)


@contextmanager
def home_referee(
    records: Path | None,
    *,
    sandbox: bool,
    jobs: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[HomeReferee]:
    """Start a referee that ends with the block; its bots have the environment, too.

    Raises UsageError, RefereeUnreachable.
    """
    if records is not None:
        make_folder(records)
    boxed = "on" if sandbox else "off"
    with local_referee(ca=settings().ca, sandbox=boxed, environment=environment) as address:
        yield HomeReferee(address, records, jobs)
