"""`make soak`: hours of play, of use and of faults on several machines; nothing may be lost, and nothing may grow.

`ARGS="--hours 3"` for longer, `--matches 100000` for at least that many results, `--no-faults` for none.  Faults meet one worker, one
referee and one web, PostgreSQL, Redis and the network; the others live from first to last, so that their growth can be measured.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from arena.accounts import actors, tokens, users
from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots
from arena.scheduling.fair_share import ROUND_S, TRIALS_SHARE
from bench import machine
from bench.chaos import machines, verdict
from bench.chaos.__main__ import tell, why_not
from bench.chaos.deployment import BOTS, REFEREES, WEBS, WORKERS, Deployment, address_of, part_of
from bench.chaos.injector import Injector, describe
from bench.chaos.machines import MachineError, Service, wait_for
from bench.chaos.pace import Pace
from bench.chaos.progress import Progress
from bench.chaos.schedule import Planned, Targets, plan
from bench.chaos.verdict import Check
from bench.soak import report
from bench.soak.growth import MAX_GROWTH, MAX_MORE, growth_of
from bench.soak.recorder import Recorder
from bench.soak.report import Findings
from bench.soak.tournaments import GUEST, Tournaments
from bench.soak.visitors import Plan, write_plan

TARGETS = Targets(workers=("work1",), referees=("play1",), webs=("web1",))
SPARED = tuple(
    name
    for name in (*REFEREES, *WORKERS, *WEBS)
    if name not in {*TARGETS.workers, *TARGETS.referees, *TARGETS.webs}
)
HOME = "home1"
_AUTHORS = ("ada", "grace", "hedy")
_SETTINGS = {
    "ARENA_SUBMISSIONS_PER_DAY": "100000",
    "ARENA_UPLOAD_MIB_PER_AUTHOR": "1000",
    "ARENA_ABSENCE_S": "60",
    "ARENA_KEEP_UPLOADS_DAYS": "0.01",
    "ARENA_KEEP_OUTPUT_DAYS": "0.01",
}
_VOLUME_MIB = 3_000
_FAULT_EVERY_S = 60.0
_LOOK_S = 1.0
_FINISH_S = 900.0
_RECENT_S = 10.0
_MAX_AWAY_S = 2.0
_ENDS = "the run comes to its end"


class Soak:
    """One soak."""

    def __init__(self, folder: Path, seed: int, hours: float, matches: int, *, faults: bool) -> None:
        self._folder = folder
        self._hours = hours
        self._matches = matches
        self._faults = faults
        self.findings = Findings(seed, machine.look(), spared=SPARED)
        self.recorder: Recorder | None = None

    def run(self) -> None:
        """Play, watch, and judge."""
        with ExitStack() as stack:
            pace = Pace()
            stack.callback(pace.close)
            deployment = Deployment(self._folder, _SETTINGS, _VOLUME_MIB)
            stack.callback(deployment.close)
            tell(
                "starting PostgreSQL, Redis, two referees, three workers and two webs, each on a machine of its own"
            )
            deployment.start()
            progress = Progress(deployment.postgres)
            stack.callback(progress.close)
            self.recorder = Recorder(deployment)
            tournaments = Tournaments(deployment.store, self.findings.seed)
            stack.callback(self._sum_up, self.recorder, tournaments)
            tally = self._invite(deployment)
            tournaments.begin()
            tell(f"{self._hours:g} hours, {self._matches:,} matches at least; results/s and faults follow")
            self._disturb(deployment, tournaments, progress, pace)
            tell("the visitors go, and what has begun is played to its end")
            self._send_home(deployment)
            tournaments.end()
            self._finish(tournaments, pace)
            self.recorder.close()
            self.findings.visits = _read(tally)
            tell("exporting and verifying")
            self._judge(deployment, tournaments)

    # --- while it plays -----------------------------------------------------------------------------------

    def _invite(self, deployment: Deployment) -> Path:
        """Make accounts and bots for the visitors, and start them on a machine of their own."""
        store = deployment.store
        home = deployment.new_machine(HOME)
        authors = {}
        for name in _AUTHORS:
            with store.write() as session:
                user = users.add_in(session, name, "author", None)
                session.flush()
                author = Actor(user.id, user.name, user.role, actors.scopes_of(user.role))
            authors[name] = tokens.create(store, author, "soak").token
        guest = bots.add_dial_in(store, OPERATOR, "lost_cities", GUEST)
        tally = home.folder / "tally.json"
        file = home.folder / "plan.json"
        write_plan(
            Plan(
                webs=[f"http://{address_of(name)}:8000" for name in WEBS],
                referee=f"{address_of('play2')}:{BOTS}",
                ca=str(deployment.certificate.ca),
                authors=authors,
                guest=guest.token,
                seed=self.findings.seed,
                tally=str(tally),
            ),
            file,
        )
        service = Service(
            part_of(HOME),
            (sys.executable, "-m", "bench.soak.visitors", str(file)),
            {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )
        home.start(service)
        return tally

    def _disturb(
        self, deployment: Deployment, tournaments: Tournaments, progress: Progress, pace: Pace
    ) -> None:
        began = time.monotonic()
        until = began + self._hours * 3600
        faults = _endless(self.findings.seed) if self._faults else iter(())
        fault_at = began + _FAULT_EVERY_S
        told_at = began
        injector: Injector | None = None
        while time.monotonic() < until or progress.now.results < self._matches:
            now = time.monotonic()
            if now >= fault_at and (planned := next(faults, None)) is not None:
                injector = injector or Injector(
                    deployment,
                    progress,
                    pace,
                    progress.rate(began, now),
                    tournaments.with_guests,
                    turn_s=ROUND_S / (1 - TRIALS_SHARE),
                )
                outcome = injector.inject(planned)
                outcome.forfeits = 0  # the guest's and the broken uploads' are their own
                outcome.wrong = [text for text in outcome.wrong if "forfeits" not in text]
                self.findings.outcomes.append(outcome)
                tell(f"{describe(planned.fault)}: {'; '.join(outcome.wrong) or 'ok'}")
                fault_at = time.monotonic() + _FAULT_EVERY_S
            if now - told_at >= _FAULT_EVERY_S:
                rate = progress.rate(told_at, now)
                tell(f"{(now - began) / 60:.0f} min: {progress.now.results:,} results, {rate:.0f} a second")
                told_at = now
            time.sleep(_LOOK_S)

    def _send_home(self, deployment: Deployment) -> None:
        home = deployment.machines[HOME]
        home.hold(part_of(HOME))
        pid = home.pid(part_of(HOME))
        if pid is not None:
            machines.send(pid, signal.SIGTERM)
            with suppress(MachineError):
                wait_for(lambda: home.pid(part_of(HOME)) is None, "the visitors have gone", 60, 0.2)

    def _finish(self, tournaments: Tournaments, pace: Pace) -> None:
        now = time.monotonic()
        try:
            wait_for(
                lambda: not tournaments.unfinished(),
                "all has been played",
                _FINISH_S * pace.slowness(now - _RECENT_S, now),
                0.5,
            )
        except MachineError:
            left = "; ".join(tournaments.unfinished())
            self.findings.checks.append(Check("all tournaments end", holds=False, found=left))

    # --- when it is over ----------------------------------------------------------------------------------

    def _judge(self, deployment: Deployment, tournaments: Tournaments) -> None:
        findings = self.findings
        findings.checks += verdict.count(deployment.store, tournaments.of_the_house(), 0)
        findings.checks.append(self._same_exports(deployment, tournaments))
        kinds = {kind: place for place, kind in enumerate(sorted(set(tournaments.begun.values())))}
        house = {number: kinds[tournaments.begun[number]] for number in tournaments.of_the_house()}
        findings.checks.append(verdict.verify(deployment, house, self._folder))
        wrong = [f"{each.fault}: {'; '.join(each.wrong)}" for each in findings.outcomes if each.wrong]
        findings.checks.append(
            Check(
                "the arena recovers from each fault",
                not wrong,
                "; ".join(wrong) or f"{len(findings.outcomes)} faults",
            )
        )
        complaints = findings.visits.get("wrong", ["the visitors left no tally"])
        findings.checks.append(
            Check(
                "visitors meet nothing that is wrong",
                not complaints,
                "; ".join(complaints[:3]) or "no complaint",
            )
        )

    def _sum_up(self, recorder: Recorder, tournaments: Tournaments) -> None:
        """Note how long the run lasted, how many results it has and what grew; a run that was stopped has these, too."""
        recorder.close()
        self.findings.lasted_s = recorder.lasted_s
        with suppress(SQLAlchemyError):  # a fault has the database away
            self.findings.results = tournaments.results()
        for name in SPARED:
            growth = growth_of(name, recorder.uses.get(name, []), recorder.lasted_s)
            if growth is None:
                found = "it was started again, or the run was too short"
                self.findings.checks.append(
                    Check(f"{name} lives from first to last", holds=False, found=found)
                )
                continue
            self.findings.growths.append(growth)
            self.findings.checks += [
                Check(
                    f"memory of {name} grows by ≤ {MAX_GROWTH:.0%}",
                    growth.memory <= MAX_GROWTH,
                    f"{growth.memory:+.2%}",
                ),
                Check(
                    f"descriptors and threads of {name} grow by ≤ {MAX_MORE}",
                    max(growth.descriptors, growth.threads) <= MAX_MORE,
                    f"{growth.descriptors:+d}, {growth.threads:+d}",
                ),
            ]

    def _same_exports(self, deployment: Deployment, tournaments: Tournaments) -> Check:
        """Check that tournaments of one kind, which have one secret, have one export."""
        exports = verdict.export(deployment, tournaments.of_the_house())
        hashes: dict[str, set[str]] = {}
        for number, text in exports.items():
            hashes.setdefault(tournaments.begun[number], set()).add(verdict.sha256(text))
        several = sorted(kind for kind, found in hashes.items() if len(found) > 1)
        found = f"{len(exports)} exports of {len(hashes)} kinds" + (
            f"; several: {', '.join(several)}" if several else ""
        )
        return Check("tournaments of one kind have one export, whatever happened", not several, found)


def _endless(seed: int) -> Iterator[Planned]:
    """Plan faults without an end: round after round, each from a seed of its own."""
    while True:
        yield from plan(seed, targets=TARGETS)
        seed += 1


def _read(file: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads(file.read_text())
        return found
    return {}


def main(arguments: list[str] | None = None) -> int:
    """Run; 1 if anything does not hold."""
    parser = argparse.ArgumentParser(prog="bench.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0, help="how long to play  [default: 1]")
    parser.add_argument("--matches", type=int, default=0, help="play on until there are so many results")
    parser.add_argument("--no-faults", action="store_true", help="disturb nothing")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(1_000_000), help="of faults, tournaments and visitors"
    )
    options = parser.parse_args(arguments)
    if reason := why_not():
        tell(f"the soak is skipped: {reason}")
        return 0
    tell(f"seed {options.seed}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that all is put away
    folder = machines.folder_of_run()
    soak = Soak(folder, options.seed, options.hours, options.matches, faults=not options.no_faults)
    try:
        soak.run()
    except MachineError as error:
        soak.findings.checks.append(Check(_ENDS, holds=False, found=str(error)))
    except SystemExit:
        soak.findings.checks.append(Check(_ENDS, holds=False, found="it was stopped"))
        raise
    finally:
        if soak.recorder is not None:
            tell(f"report: {report.write(soak.findings, soak.recorder, machine.look())}")
        if not soak.findings.holds:
            machines.keep_logs(folder, report.OUT / "logs")
        shutil.rmtree(folder, ignore_errors=True)
    for check in soak.findings.checks:
        tell(f"{'✓' if check.holds else '✗'} {check.statement}: {check.found}")
    return 0 if soak.findings.holds else 1


if __name__ == "__main__":
    sys.exit(main())
