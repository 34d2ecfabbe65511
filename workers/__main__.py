"""`python -m workers`: one worker, with a reconciler and links to its referees."""

from __future__ import annotations

import os
import signal
import sys

from arena.core.import_speed import collector_paused

with collector_paused():
    import click

    from arena.competition.retention import RetentionPolicy
    from arena.core import child_process, logging_setup, native_heap, sd_notify
    from arena.core.errors import ArenaError
    from arena.core.settings import settings
    from arena.messaging.part_presence import RunningPart
    from arena.messaging.redis_connection import connect, connect_quickly
    from arena.monitoring import tracing
    from arena.operations.part_announcer import PartAnnouncer
    from arena.operations.start_checks.start_warnings import StartWarnings
    from arena.referee_client.control_channel import check_credentials
    from arena.referee_client.control_credentials import check_key
    from arena.storage import Store
    from arena.storage.engine import KEPT_CONNECTIONS
    from workers import context
    from workers.context import Context
    from workers.figures import insight_job
    from workers.heartbeat import Heartbeat
    from workers.reconciler import Reconciler
    from workers.redis_courier import Courier
    from workers.referee_link import RefereeLink
    from workers.referee_selection import Referees
    from workers.worker import Worker
    from workers.worker_health import health_of, monitor

_ANSWER_S = 5.0
"""The timeout of Redis commands that block: longer than the wait for a job."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def run() -> None:
    """Work until SIGTERM.

    ARENA_DATABASE_URL, ARENA_REDIS_URL and ARENA_CONTROL name the store, Redis and the referees; those that are not set
    are in the data directory, ARENA_DATA.  ARENA_ABSENCE_S is how long a match waits for its bots;
    ARENA_KEEP_RECORDS_DAYS, ARENA_KEEP_OUTPUT_DAYS and ARENA_KEEP_UPLOADS_DAYS are how long records, output and uploads
    of old tournaments are kept; ARENA_SUBMISSIONS_PER_DAY is how many bots of one author qualify in a day.
    """
    child_process.keep_private()
    native_heap.keep_compact()
    chosen = settings()
    logging_setup.configure(chosen.log_level, "worker", chosen.log_format)
    check_key(chosen.controls)
    tracing.start("worker")
    check_credentials(chosen.controls)
    store = Store.open(chosen.database_url)
    client = connect(chosen.redis_url, answer_s=_ANSWER_S)
    quick = connect_quickly(chosen.redis_url)
    courier = Courier(quick)
    here = Context(
        child_process.name(os.getpid()), store, courier, Referees(chosen.controls), chosen.absence_s
    )
    context.enter(here)
    keep = RetentionPolicy(chosen.keep_records_days, chosen.keep_output_days, chosen.keep_uploads_days)
    reconciler = Reconciler(store, client, here.name, keep, chosen.submissions_per_day)
    beside: list[RefereeLink | Reconciler | Heartbeat | PartAnnouncer] = [
        *(RefereeLink(store, quick, here.name, control) for control in chosen.controls),
        reconciler,
        PartAnnouncer(
            quick, RunningPart("worker", here.name, KEPT_CONNECTIONS), StartWarnings(chosen, store, quick)
        ),
        heartbeat := Heartbeat(),
    ]
    worker = Worker(client, here, heartbeat)
    health = health_of(here, quick, heartbeat)
    store.on_error(lambda _error: here.metrics.database_errors.inc())
    here.metrics.referee_missing.set_function(lambda: not here.referees.answer)
    monitor(chosen.monitoring, here.metrics.registry, health)
    insight_job.prepare_games()
    courier.start()
    for each in beside:
        each.start()
    try:
        worker.work(logging_level="WARNING")
    finally:
        # A signal may come to the process and to its group: the second one must not interrupt the end.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sd_notify.tell(sd_notify.STOPPING)
        health.stop()
        for each in beside:
            each.close()
        here.loop.close()
        courier.close()
        tracing.stop()
        store.close()


def main() -> None:
    """Run it; an error meant for a person is one line on stderr and exit code 1."""
    try:
        run()
    except ArenaError as error:
        click.echo(f"worker: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
