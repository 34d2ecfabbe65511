"""`arena match`: plays at home, through a real referee with real bot processes, without database or Redis."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arena.cli.match.contenders import read_contenders, split_game
from arena.cli.match.contest import Contest, read_seed
from arena.cli.match.home_options import bots_and_variant, how_it_is_played
from arena.cli.match.home_referee import MAX_JOBS, HomeReferee, home_referee
from arena.cli.match.match_tally import Played
from arena.cli.match.progress_meter import Meter
from arena.cli.match.scoresheet import print_scoresheet, to_document
from arena.cli.match.watched_bots import WatchedBots
from arena.cli.support.game_options import read_options
from arena.cli.support.interruption import Interruption, same_command
from arena.cli.support.json_output import print_json
from arena.cli.support.output import echo
from arena.core.errors import ArenaError, UsageError
from arena.games import registry
from arena.match.clock import parse_time_control
from arena.match.record import Record

_EXAMPLES = """\b
Examples:
  arena match lost_cities greedy random --sets 20
  arena match my-bot greedy --sets 20
  arena match lost_cities my_bot.py greedy --option hands=1 --records out
  arena match my-bot greedy --sets 50 --jobs 4
  arena match lost_cities my_bot.py greedy --watch
  arena match lost_cities my_bot.py greedy --sets 10 --profile profile.html
  arena match land_unter greedy greedy my_bot.py 127.0.0.1:7000 --time 5+0.05
"""


@click.command(epilog=_EXAMPLES)
@bots_and_variant
@click.option(
    "--sets", default=1, show_default=True, type=click.IntRange(min=1), metavar="N", help="Sets to play."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, MAX_JOBS),
    metavar="N",
    help="Play N matches at once, each with processes of its own.  The results do not depend on it.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Play again, the same deals, whenever a file of a bot is saved, until Ctrl-C.",
)
@click.option(
    "--profile",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="List the slowest decisions, and write a flame graph of those of your bots in Python.",
)
@how_it_is_played
def command(
    *,
    bots: tuple[str, ...],
    variant: str | None,
    options: tuple[str, ...],
    sets: int,
    jobs: int | None,
    watch: bool,
    profile: Path | None,
    time: str,
    seed: str | None,
    records: Path | None,
    sandbox: bool,
    as_json: bool,
) -> None:
    """Play matches at home, without database or Redis.

    A BOT is a house bot's name, a project's folder (`arena bot new`), a file such as my_bot.py, or HOST:PORT of a bot
    that listens; the same one may sit in several seats.  GAME may be left out if the first bot is a project that plays
    one game.  A bot that listens is dialled with TLS unless it is on this machine or its address begins with
    http://; it is presented ARENA_BOT_SECRET, if that is set.

    In a set every bot plays every seat once with the same deal, so that luck falls on all alike.  Set 0 has the
    seed that is given, set i has HMAC-SHA256(seed, "i"); so the same seed gives the same matches.
    """
    game, bots = split_game(bots)
    setup = registry.find(game).setup(len(bots), variant=variant, options=read_options(options))
    control = parse_time_control(time)
    secret = read_seed(seed)
    run = _Run(sets, records, sandbox, jobs, Interruption())

    def read() -> Contest:
        contest = Contest(game, setup, control, secret, read_contenders(game, bots))
        return contest.as_submitted() if sandbox else contest

    if watch:
        if as_json or profile is not None:
            raise UsageError("watch: prints a table after each change; leave out --json and --profile")
        _play_at_each_change(run, read, WatchedBots(bots))
        return
    contest = read()
    if profile is not None:
        if sandbox or as_json:
            raise UsageError(
                "profile: looks into the bots and prints a table; leave out --sandbox and --json"
            )
        _profile(run, contest, profile)
        return
    played = run.play(contest)
    if as_json:
        interrupted = run.interruption.came is not None
        print_json(to_document(contest, played) | {"interrupted": interrupted})
    else:
        print_scoresheet(contest, played, records, in_sandbox=sandbox)
    run.end(contest, played)


@dataclass(frozen=True, slots=True)
class _Run:
    """Settings of a series of matches."""

    sets: int
    records: Path | None
    sandbox: bool
    jobs: int | None
    interruption: Interruption

    def play(
        self,
        contest: Contest,
        environment: Mapping[str, str] | None = None,
        on_record: Callable[[Record], None] = lambda _record: None,
    ) -> list[Played]:
        """Play all matches, or those that end before a signal, and return them in the plan's order."""
        played: list[Played] = []
        with self.interruption.catching(), self._referee(environment) as referee:
            self.interruption.run(self._series(referee, contest, on_record, played))
        return sorted(played, key=lambda each: (each.set, each.match))

    def play_unless_changed(self, contest: Contest, watched: WatchedBots) -> list[Played] | None:
        """Play all matches; None if a file is saved meanwhile."""
        with self._referee() as referee:
            return self.interruption.run(watched.unless_changed(self._series(referee, contest)))

    def end(self, contest: Contest, played: Sequence[Played]) -> None:
        """End with the signal's exit code if one has broken off the matches."""
        total = len(contest.plan_series(self.sets))
        self.interruption.end(f"{len(played)} of {total} matches are played", same_command(contest.seed))

    def _referee(self, environment: Mapping[str, str] | None = None) -> AbstractContextManager[HomeReferee]:
        return home_referee(self.records, sandbox=self.sandbox, jobs=self.jobs, environment=environment)

    async def _series(
        self,
        referee: HomeReferee,
        contest: Contest,
        on_record: Callable[[Record], None] = lambda _record: None,
        so_far: list[Played] | None = None,
    ) -> list[Played]:
        plan = contest.plan_series(self.sets)
        return await referee.play(contest, plan, Meter(len(plan)), on_record, so_far)


def _profile(run: _Run, contest: Contest, out: Path) -> None:
    # Only here: `arena match` starts without them.
    from arena.cli.match.profile_report import authors_bots, find_slow, print_slow, write_report  # noqa: PLC0415

    authors_bots(contest)
    matches: list[Record] = []
    with TemporaryDirectory(prefix="arena-profile-") as folder:
        played = run.play(contest, {"ARENA_PROFILE": folder}, matches.append)
        found = find_slow(contest, played, matches, Path(folder))
    print_scoresheet(contest, played, run.records, in_sandbox=run.sandbox)
    write_report(contest, matches, found, out)
    print_slow(found, out)
    run.end(contest, played)


def _play_at_each_change(run: _Run, read: Callable[[], Contest], watched: WatchedBots) -> None:
    """Play and show the result, again and again; processes are new each time, so that they have the new code."""
    with run.interruption.catching():
        while True:
            try:
                contest = read()
                played = run.play_unless_changed(contest, watched)
            except ArenaError as error:
                echo(f"arena: {error}", err=True)
            else:
                if played is None:
                    continue
                print_scoresheet(contest, played, run.records, in_sandbox=run.sandbox)
            echo("waiting until a file is saved (Ctrl-C ends)", err=True)
            run.interruption.run(watched.changed())
    if run.interruption.came is signal.SIGTERM:  # Ctrl-C is its usual end
        sys.exit(128 + signal.SIGTERM)
