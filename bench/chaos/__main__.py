"""`make chaos`: play, break things, and see that nothing is lost.

`ARGS="--seed 7"` gives faults in the order, and at the places, of seed 7; `ARGS="--only partition"` only those of a group (kill, stop,
database, redis, partition, gone, disk, bots, alerts), or whose name has the word in it.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import signal
import sys
import time
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.chaos import alert_drill, backends, machines, prometheus, report, stranger, verdict
from bench.chaos.alert_drill import ALERTS
from bench.chaos.bots import GAME, BotFaults
from bench.chaos.deployment import Deployment
from bench.chaos.embedded import Embedded
from bench.chaos.injector import Injector, Outcome, describe
from bench.chaos.machines import MachineError
from bench.chaos.pace import Pace
from bench.chaos.progress import Progress
from bench.chaos.schedule import GROUPS, is_wanted, plan
from bench.chaos.supply import OF_THE_HOUSE, WITH_A_STRANGER, Supply
from bench.chaos.verdict import Check

MATCHES = 1_000
_FINISH_S = 300.0
_RECENT_S = 10.0


@dataclass
class Run:
    """One run: what it saw."""

    seed: int
    only: Collection[str]
    folder: Path
    outcomes: list[Outcome] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def play(self) -> None:
        """Play all of it, in order."""
        began = time.monotonic()
        with ExitStack() as stack:
            pace = Pace()
            stack.callback(pace.close)
            if is_wanted(self.only, "alerts", "") or any(word in ALERTS for word in self.only):
                self._alerts(pace)
            if self.only and all(word in {"alerts", *ALERTS} for word in self.only):
                return
            undisturbed = self._deployed(pace)
            if is_wanted(self.only, "disk", "disk full under SQLite"):
                self._embedded(pace, undisturbed)
        self.figures["minutes in all"] = (time.monotonic() - began) / 60

    @property
    def holds(self) -> bool:
        """Whether everything holds."""
        return all(each.holds for each in self.outcomes) and all(each.holds for each in self.checks)

    def _alerts(self, pace: Pace) -> None:
        """Break one thing for each alert, on a deployment of its own."""
        if reason := prometheus.why_not():
            self.checks.append(Check("each alert fires and ends", holds=False, found=reason))
            return
        folder = self.folder / "drill"
        folder.mkdir()
        deployment = Deployment(folder, settings=alert_drill.SETTINGS)
        try:
            tell("starting a deployment with monitoring, and Prometheus")
            deployment.start()
            for check in alert_drill.run(deployment, self.seed, pace, self.only):
                self.checks.append(check)
                tell(f"{check.statement}: {check.found}")
        finally:
            deployment.close()

    def _deployed(self, pace: Pace) -> dict[int, str]:
        """Play on many machines; gives the undisturbed exports, by spec."""
        deployment = Deployment(self.folder)
        with ExitStack() as stack:
            stack.callback(deployment.close)
            tell(
                "starting PostgreSQL, Redis, two referees, three workers and two webs, each on a machine of its own"
            )
            deployment.start()
            progress = Progress(deployment.postgres)
            stack.callback(progress.close)
            undisturbed = self._undisturbed(deployment, progress, pace)
            self._disturbed(deployment, progress, pace, undisturbed)
            if is_wanted(self.only, "bots", ""):
                self._bots(deployment, progress, pace)
            return undisturbed

    def _undisturbed(self, deployment: Deployment, progress: Progress, pace: Pace) -> dict[int, str]:
        supply = Supply(deployment.store, self.seed)
        began = time.monotonic()
        tell("playing each tournament once, undisturbed")
        for number in OF_THE_HOUSE:
            supply.create(number)
        supply.finish(_FINISH_S * pace.slowness(began - _RECENT_S, began))
        ended = time.monotonic()
        self.figures["undisturbed, results/s"] = progress.rate(began, ended)
        self.figures["loop, ms"] = 1000 * pace.loop_s(began, ended)
        exports = verdict.export(deployment, supply.created)
        return {supply.created[number]: text for number, text in exports.items()}

    def _disturbed(
        self, deployment: Deployment, progress: Progress, pace: Pace, undisturbed: dict[int, str]
    ) -> None:
        faults = plan(self.seed, self.only)
        if not faults:
            return
        supply = Supply(deployment.store, self.seed)
        began = time.monotonic()
        supply.begin(MATCHES)
        injector = Injector(deployment, progress, pace, self.figures["undisturbed, results/s"])
        for number, planned in enumerate(faults, 1):
            outcome = injector.inject(planned)
            self.outcomes.append(outcome)
            tell(f"{number}/{len(faults)} {describe(planned.fault)}: {'; '.join(outcome.wrong) or 'ok'}")
        supply.end()
        tell("playing what is left")
        self._finish(supply, pace)
        self.figures["disturbed, minutes"] = (time.monotonic() - began) / 60
        self.figures["disturbed, matches"] = supply.planned()
        self.checks += verdict.count(deployment.store, supply.created, 0)
        tell("exporting and verifying")
        exports = verdict.export(deployment, supply.created)
        self.checks.append(verdict.compare(exports, supply.created, undisturbed))
        self.checks.append(verdict.verify(deployment, supply.created, self.folder))

    def _bots(self, deployment: Deployment, progress: Progress, pace: Pace) -> None:
        now = time.monotonic()
        stranger.submit(deployment.store, GAME, pace.slowness(now - _RECENT_S, now))
        first = Supply(deployment.store, self.seed)
        undisturbed = first.create(*WITH_A_STRANGER)
        self._finish(first, pace)
        supply = Supply(deployment.store, self.seed, WITH_A_STRANGER)
        supply.begin(0)
        tell("stopping and killing hosted bots, one of them a stranger's")
        faults = BotFaults(deployment, progress, pace, supply.created, self.seed)
        for do in (faults.stop, faults.kill_house_bot, faults.kill_sandbox, faults.kill_bot):
            try:
                outcome = do()
            except MachineError as error:
                outcome = Outcome(
                    f"bots: {do.__name__}",
                    "bots",
                    time.monotonic(),
                    wrong=[f"could not be injected: {error}"],
                )
            self.outcomes.append(outcome)
            tell(f"{outcome.fault}: {'; '.join(outcome.wrong) or 'ok'}")
        supply.end()
        self._finish(supply, pace)
        checks = verdict.count(deployment.store, supply.created, len(faults.forfeits))
        exports = verdict.export(deployment, (undisturbed, *supply.created))
        alone = exports.pop(undisturbed)
        checks.append(verdict.compare_matches(exports, alone, faults.forfeits))
        checks.append(verdict.verify(deployment, supply.created, self.folder))
        self.checks += [Check(f"bots killed: {each.statement}", each.holds, each.found) for each in checks]

    def _finish(self, supply: Supply, pace: Pace) -> None:
        now = time.monotonic()
        try:
            supply.finish(_FINISH_S * pace.slowness(now - _RECENT_S, now))
        except MachineError:
            self.checks.append(
                Check("all tournaments end", holds=False, found="; ".join(supply.unfinished()))
            )

    def _embedded(self, pace: Pace, undisturbed: dict[int, str]) -> None:
        tell("`arena up` on SQLite, its disk full")
        alone = Embedded(self.folder)
        try:
            outcome, exports, archive = alone.play(self.seed, pace)
        except MachineError as error:
            self.checks.append(Check("SQLite on a full disk plays on", holds=False, found=str(error)))
            return
        finally:
            alone.close()
        self.outcomes.append(outcome)
        expected = verdict.sha256(undisturbed[0])
        same = [verdict.sha256(export) == expected for export in exports]
        self.checks.append(
            Check(
                "SQLite, disk full: exports equal to that undisturbed",
                bool(same) and all(same),
                f"{sum(same)} of {len(same)} exports have SHA-256 {expected[:12]}…",
            )
        )
        wrong = verdict.verify_archive(archive)
        self.checks.append(
            Check("SQLite, disk full: `arena verify --tournament` is content", not wrong, wrong)
        )


def tell(text: str) -> None:
    """Return a line on what happens, for the progress display."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


def why_not() -> str:
    """Return why it cannot run here; empty if it can."""
    return machines.why_not() or backends.why_not()


def main(arguments: list[str] | None = None) -> int:
    """Run; 1 if anything does not hold."""
    parser = argparse.ArgumentParser(prog="bench.chaos", description=__doc__)
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(1_000_000), help="of the faults and the tournaments"
    )
    parser.add_argument(
        "--only",
        default="",
        metavar="WORD,…",
        help=f"groups ({', '.join(GROUPS)}), or words of faults' names",
    )
    options = parser.parse_args(arguments)
    reason = why_not()
    if reason:
        tell(f"chaos is skipped: {reason}")
        return 0
    only = tuple(word.strip() for word in options.only.split(",") if word.strip())
    tell(f"seed {options.seed}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that all is put away
    folder = machines.folder_of_run()
    run = Run(options.seed, only, folder)
    try:
        run.play()
    except MachineError as error:
        run.checks.append(Check("the run comes to its end", holds=False, found=str(error)))
    finally:
        keep = report.OUT.parent / "chaos-logs"
        shutil.rmtree(keep, ignore_errors=True)
        if not run.holds:
            machines.keep_logs(folder, keep)
        shutil.rmtree(folder, ignore_errors=True)
    report.show(run.seed, run.outcomes, run.checks, run.figures)
    report.write(run.seed, run.outcomes, run.checks, run.figures)
    return 0 if run.holds else 1


if __name__ == "__main__":
    sys.exit(main())
