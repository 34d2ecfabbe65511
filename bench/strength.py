"""`make bench-strength`: which house bots beat which, with 95 % confidence.

In every game, variant and seat count: each bot against `random`, and `search` against `greedy`, at 0.1 s a decision, where that
is not enough also at 1 s.  All sets of a contest have the same deals in each contest, and in each set the bot sits once in
every seat among copies of its rival, so luck falls on both alike.  Thinking is measured in CPU seconds: neither other
processes nor load change what comes out.

A contest is looked at after 8 sets and, while it is not decided, after 24 and 72, and never in between, wherever a run was
stopped; so that all looks together are wrong in 5 % of cases at most, each interval is at 98.3 %.

Results are appended to bench/out/strength.jsonl as they come; after Ctrl-C the next run goes on from there.  A result counts
as long as the code of its game and bots is as it was.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table
from scipy.special import stdtrit

from arena.games import registry
from arena.games.registry import GAMES
from arena.sdk import Bot, practise
from bots.catalogue import house_bot, house_bots
from bots.search import SearchBot

ROOT = Path(__file__).parent.parent
OUT = Path(__file__).parent / "out" / "strength.jsonl"
SECONDS = (0.1, 1.0)
"""Seconds that a searching bot may think: the second value only if the first is not enough."""

LOOKS = (8, 24, 72)
"""After how many sets a contest is looked at: what is decided the first time is not played on."""

CONFIDENCE = 0.95
EVEN = 0.5
QUICK_SECONDS = (0.001, 0.002)
NICENESS = 10
_CONTEXT = get_context("spawn")
"""A fork would take along what gRPC has open, and its threads would be missing."""


class Contest(NamedTuple):
    """A bot against copies of a rival; `seconds` is 0 where neither of them searches."""

    game: str
    variant: str
    seats: int
    bot: str
    rival: str
    seconds: float


class Job(NamedTuple):
    """A set of a contest: one deal, the bot once in every seat."""

    contest: Contest
    number: int


@dataclass(frozen=True, slots=True)
class Interval:
    """The share of pairs that a bot won, on average over its sets, and how far off that may be."""

    sets: int
    mean: float
    half: float

    @property
    def holds(self) -> bool:
        """Whether it won more than half, beyond doubt."""
        return self.mean - self.half > EVEN


def contests(games: Iterable[str], seconds: float) -> Iterator[Contest]:
    """Name the contests of some games, with what searching bots may think."""
    for game in games:
        bots = house_bots(game)
        for variant, counts in GAMES[game].variants.items():
            for seats in counts:
                for bot in bots:
                    if bot != "random":
                        yield Contest(
                            game, variant, seats, bot, "random", seconds if bot == "search" else 0.0
                        )
                if "search" in bots:
                    yield Contest(game, variant, seats, "search", "greedy", seconds)


def play_set(job: Job) -> float:
    """Play a set; give the bot's share of its pairs, 0 to 1, a shared place counting half."""
    contest = job.contest
    seats = range(contest.seats)
    seed = sha256(f"strength/{job.number}".encode()).digest()
    won = 0.0
    for seat in seats:
        table = [_seat_bot(contest, contest.bot if each == seat else contest.rival) for each in seats]
        places = practise(contest.game, table, seed=seed, variant=contest.variant).places
        won += sum((places[seat] < place) + 0.5 * (places[seat] == place) for place in places) - 0.5
    return won / (contest.seats * (contest.seats - 1))


def _seat_bot(contest: Contest, name: str) -> Bot[Any]:
    bot = house_bot(contest.game, name)
    if isinstance(bot, SearchBot):
        bot.seconds, bot.clock = contest.seconds, time.thread_time
    return bot


@lru_cache
def code_version(game: str) -> str:
    """Return a mark that changes with the code of a game or of its bots."""
    own = registry.package(game).folder
    folders = (ROOT / "arena" / "games", own, ROOT / "bots", own / "house_bots")
    mark = sha256()
    for folder in folders:
        for file in sorted(folder.glob("*.py")):
            mark.update(file.read_bytes())
    return mark.hexdigest()[:12]


class Results:
    """The file of results: what was played of the code as it is now; `most` is how many sets a contest has at most."""

    def __init__(self, path: Path, most: int = LOOKS[-1]) -> None:
        self.path = path
        self.looks = sorted({min(look, most) for look in LOOKS})
        self.shares: dict[Contest, dict[int, float]] = defaultdict(dict)
        for line in path.read_text().splitlines() if path.exists() else ():
            try:
                row = json.loads(line)
                contest = Contest(**{name: row[name] for name in Contest._fields})
            except (ValueError, KeyError):
                continue  # cut off when the run was killed
            if contest.game in GAMES and row["code"] == code_version(contest.game):
                self.shares[contest][row["set"]] = row["share"]

    def add(self, job: Job, share: float) -> None:
        """Write a result down at once."""
        self.shares[job.contest][job.number] = share
        row = {
            **job.contest._asdict(),
            "set": job.number,
            "code": code_version(job.contest.game),
            "share": share,
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")

    def missing(self, wanted: Iterable[Contest], sets: int) -> list[Job]:
        """List the sets still to be played, all contests abreast."""
        return sorted(
            (
                Job(contest, number)
                for contest in wanted
                for number in range(sets)
                if number not in self.shares[contest]
            ),
            key=lambda job: job.number,
        )

    def decided(self, contest: Contest) -> Interval | None:
        """Return the interval of the first look at which a contest is decided; None as long as there is none."""
        shares = self.shares[contest]
        for look in self.looks:
            if not all(number in shares for number in range(look)):
                return None
            if (seen := estimate([shares[number] for number in range(look)])).holds:
                return seen
        return None

    def interval(self, contest: Contest) -> Interval:
        """Return the interval that decided a contest, else that of its sets so far; the sets, not the matches, are independent."""
        return self.decided(contest) or estimate([*self.shares[contest].values()])


def estimate(shares: Sequence[float]) -> Interval:
    """Return Student's interval of the mean of independent shares; unbounded for fewer than two."""
    count = len(shares)
    if count < 2:
        return Interval(count, shares[0] if shares else EVEN, 1.0)
    mean = sum(shares) / count
    variance = sum((share - mean) ** 2 for share in shares) / (count - 1)
    # Sets that all came out alike still say nothing about the next one: at least a set's smallest step is in doubt.
    variance = max(variance, (1 / (4 * count)) ** 2)
    return Interval(
        count,
        mean,
        float(stdtrit(count - 1, 1 - (1 - CONFIDENCE) / (2 * len(LOOKS)))) * (variance / count) ** 0.5,
    )


def decide(results: Results, wanted: Sequence[Contest], processes: int, console: Console) -> None:
    """Play contests until each is decided, or has all its sets."""
    for look in results.looks:
        unsure = [contest for contest in wanted if not results.decided(contest)]
        play(results.missing(unsure, look), results, processes, console)


def play(jobs: Sequence[Job], results: Results, processes: int, console: Console) -> None:
    """Play sets in several processes, and write each down as it is over."""
    if not jobs:
        return
    with (
        Progress(
            *Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn(), console=console
        ) as bar,
        ProcessPoolExecutor(processes, _CONTEXT, _start_process) as pool,
    ):
        task = bar.add_task("sets", total=len(jobs))
        open_jobs = {pool.submit(play_set, job): job for job in jobs}
        try:
            for done in as_completed(open_jobs):
                results.add(open_jobs[done], done.result())
                bar.advance(task)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _start_process() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the run
    os.nice(NICENESS)


def table(results: Results, wanted: Iterable[Contest]) -> Table:
    """Draw the results."""
    drawn = Table(title="House bots: shares of pairs won, with intervals by set, at 95 % over all looks")
    for heading in ("", "game", "variant", "seats", "bot – rival", "seconds", "sets", "share"):
        drawn.add_column(
            heading, justify="right" if heading in {"seats", "seconds", "sets", "share"} else "left"
        )
    before = None
    for contest in wanted:
        if before not in (None, contest[:3]):
            drawn.add_section()
        before = contest[:3]
        found = results.interval(contest)
        drawn.add_row(
            "[green]✓[/]" if results.decided(contest) else "[red]✗[/]",
            contest.game,
            contest.variant,
            str(contest.seats),
            f"{contest.bot} – {contest.rival}",
            f"{contest.seconds:g}" if contest.seconds else "",
            str(found.sets),
            f"{found.mean:.3f} ± {found.half:.3f}",
        )
    return drawn


def longer(results: Results, short: Iterable[Contest], seconds: float) -> list[Contest]:
    """Name the contests of `search` against `greedy` where it must think longer."""
    return [
        contest._replace(seconds=seconds)
        for contest in short
        if contest.rival == "greedy" and not results.decided(contest)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing, print the table, and say what does not hold."""
    parser = argparse.ArgumentParser(
        prog="make bench-strength ARGS=…", description="How strong the house bots are."
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)}; all if none is named")
    parser.add_argument(
        "--sets", type=int, default=LOOKS[-1], help=f"most sets of a contest (standard: {LOOKS[-1]})"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="standard: one per core")
    parser.add_argument("--out", type=Path, default=OUT, help="the file of results")
    parser.add_argument(
        "--quick", action="store_true", help="only to see that it runs: searching bots hardly think"
    )
    chosen = parser.parse_args(arguments)
    for game in chosen.games:
        if game not in GAMES:
            parser.error(f"game {game!r}: must be one of {', '.join(GAMES)}")
    if chosen.sets < 2 or chosen.processes < 1:
        parser.error("--sets must be 2 or more, --processes 1 or more")
    console = Console(stderr=True)
    results = Results(chosen.out, chosen.sets)
    short, long = QUICK_SECONDS if chosen.quick else SECONDS
    wanted = [*contests(chosen.games or GAMES, short)]
    try:
        decide(results, wanted, chosen.processes, console)
        more = longer(results, wanted, long)
        wanted += more
        decide(results, more, chosen.processes, console)
    except KeyboardInterrupt:
        console.print("Stopped; the next run goes on from here.")
    return report(results, wanted)


def report(results: Results, wanted: Sequence[Contest]) -> int:
    """Print the table; give 1 if `greedy` does not beat `random` or `search` not `greedy` somewhere, else 0."""
    Console(width=None if sys.stdout.isatty() else 120).print(table(results, sorted(wanted)))
    held = {contest[:5] for contest in wanted if results.decided(contest)}
    failed = {contest[:5]: contest for contest in wanted if contest[:5] not in held}.values()
    for contest in failed:
        print(
            f"not beyond doubt: {contest.bot} beats {contest.rival} in {contest.game}, {contest.variant}, {contest.seats} seats"
        )
    return int(
        any(
            (contest.bot, contest.rival) in {("greedy", "random"), ("search", "greedy")} for contest in failed
        )
    )


if __name__ == "__main__":
    sys.exit(main())
