import time
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue
from sqlalchemy import text, update

from arena.competition.matches import blocks, uptime
from arena.competition.matches.blocks import BlockKey
from arena.competition.retention import RetentionPolicy
from arena.messaging import job_queue, part_presence
from arena.messaging.part_presence import RunningPart
from arena.messaging.redis_connection import connect
from arena.messaging.wakeup import wake
from arena.reports import match_views
from arena.reports.tournament_details import TournamentPage
from arena.service.after_writes import Written, send_to
from arena.storage import Store, leases
from arena.storage.schema import Decision, Tournament
from tests import random_tournaments
from tests.parts.redis_server import RunningRedis, running_redis
from tests.patience import wait_until
from workers.reconciler import Reconciler

Create = Callable[..., TournamentPage]


def waiting(client: Redis) -> set[str]:
    return set(Queue(job_queue.BLOCKS, connection=client, serializer=job_queue.SERIALIZER).get_job_ids())


def test_the_blocks_of_a_new_tournament_are_queued(store: Store, client: Redis, create: Create) -> None:
    create(16)
    Reconciler(store, client, "ann").reconcile()
    assert waiting(client) == {"block-1-0", "block-1-1"}


def test_what_is_queued_is_left_alone(store: Store, client: Redis, create: Create) -> None:
    create(16)
    reconciler = Reconciler(store, client, "ann")
    assert [reconciler.reconcile(), reconciler.reconcile()] == [2, 0]


def test_blocks_are_queued_again_when_redis_comes_back_empty(
    store: Store, client: Redis, create: Create
) -> None:
    create(16)
    reconciler = Reconciler(store, client, "ann")
    reconciler.reconcile()
    client.flushall()
    reconciler.reconcile()
    assert len(waiting(client)) == 2


def test_a_block_that_is_held_is_not_queued(store: Store, client: Redis, create: Create) -> None:
    create(16)
    blocks.claim(store, "bob", 60, BlockKey(1, 0))
    Reconciler(store, client, "ann").reconcile()
    assert waiting(client) == {"block-1-1"}


def test_a_block_whose_lease_has_run_out_is_queued_though_its_job_seems_to_run(
    store: Store, client: Redis, create: Create
) -> None:
    create(16)
    reconciler = Reconciler(store, client, "ann")
    reconciler.reconcile()
    client.delete("rq:queue:blocks")  # A worker has taken both, and was killed.
    blocks.claim(store, "bob", -1, BlockKey(1, 0))
    reconciler.reconcile()
    assert "block-1-0" in waiting(client)


def test_only_one_reconciler_works_at_a_time(
    store: Store, client: Redis, create: Create, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.reconciler.LEASE_S", 60.0)  # a busy machine may stand still for 3 seconds
    create(16)
    Reconciler(store, client, "ann").reconcile()
    client.flushall()
    assert Reconciler(store, client, "bob").reconcile() == 0


@pytest.fixture
def turns_of_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.reconciler.LEASE_S", 60.0)
    monkeypatch.setattr("workers.reconciler.REST_S", 60.0)
    monkeypatch.setattr("workers.reconciler.TURN_S", 0.0)


@pytest.mark.usefixtures("turns_of_no_time")
def test_workers_take_turns(store: Store, client: Redis, create: Create) -> None:
    ann, bob = (Reconciler(store, client, name) for name in ("ann", "bob"))
    part_presence.announce(client, RunningPart("worker", "bob"))
    create(16)
    assert [ann.reconcile(), ann.reconcile()] == [2, 0]
    client.flushall()
    assert [ann.reconcile(), bob.reconcile()] == [0, 2]


@pytest.mark.usefixtures("turns_of_no_time")
def test_only_worker_stays_the_reconciler(store: Store, client: Redis, create: Create) -> None:
    ann = Reconciler(store, client, "ann")
    for part in (RunningPart("worker", "ann"), RunningPart("web", "bob")):
        part_presence.announce(client, part)
    create(16)
    ann.reconcile()
    client.delete(*client.keys("rq:*"))
    assert ann.reconcile() == 2


@pytest.mark.usefixtures("turns_of_no_time")
def test_worker_comes_back_if_the_others_are_gone(
    store: Store, client: Redis, create: Create, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.reconciler.REST_S", 0.0)
    part_presence.announce(client, RunningPart("worker", "bob"))
    ann = Reconciler(store, client, "ann")
    ann.reconcile()
    create(16)
    assert ann.reconcile() == 2


def test_a_reconciler_that_is_closed_hands_over_at_once(store: Store, client: Redis, create: Create) -> None:
    create(16)
    first = Reconciler(store, client, "ann")
    first.start()
    wait_until(lambda: waiting(client), "the first has queued the blocks")
    first.close()
    client.flushall()
    assert Reconciler(store, client, "bob").reconcile() == 2


def test_it_outlasts_a_redis_that_goes_and_comes_back_empty(store: Store, create: Create) -> None:
    create(16)
    with running_redis() as server:
        client = connect(server.url)
        reconciler = Reconciler(store, client, "ann")
        reconciler.start()
        wait_until(lambda: waiting(client), "the blocks are queued")
        server.kill()
        server.start()
        wait_until(lambda: len(waiting(connect(server.url))) == 2, "the blocks are queued again", within_s=5)
        reconciler.close()


class _StumblesOnce(Reconciler):
    """Meets an error that nobody has foreseen."""

    stumbled = False

    def reconcile(self) -> int:
        if not self.stumbled:
            self.stumbled = True
            raise ValueError("a library's own error")
        return super().reconcile()


def test_it_outlasts_an_error_that_nobody_has_foreseen(
    store: Store, client: Redis, create: Create, caplog: pytest.LogCaptureFixture
) -> None:
    create(16)
    reconciler = _StumblesOnce(store, client, "ann")
    reconciler.start()
    wait_until(lambda: len(waiting(client)) == 2, "the blocks are queued")
    reconciler.close()
    assert "a library's own error" in caplog.text


def break_decisions(store: Store, tournament_id: int) -> None:
    """Leave a tournament for which something is to be decided, and whose decisions so far cannot be read."""
    random_tournaments.play(store, tournament_id)
    with store.write() as session:
        session.execute(update(Tournament).where(Tournament.id == tournament_id).values(state="running"))
        session.execute(
            update(Decision).where(Decision.tournament_id == tournament_id).values(data='{"kind": "unknown"}')
        )


def test_tournament_that_cannot_be_decided_keeps_no_other_from_being_queued(
    store: Store, url: str, client: Redis, create: Create, caplog: pytest.LogCaptureFixture
) -> None:
    break_decisions(store, create(1).id)
    other = create(16).id
    opened = Store.open(url)  # the other one remembers the plan
    assert Reconciler(opened, client, "ann").reconcile() == 2
    opened.close()
    assert waiting(client) == {f"block-{other}-0", f"block-{other}-1"}
    assert "deciding tournament 1 failed" in caplog.text
    assert "Traceback" in caplog.text


def test_step_that_fails_each_time_is_logged_once_and_delays_nothing(
    store: Store, client: Redis, create: Create, caplog: pytest.LogCaptureFixture
) -> None:
    create(16)
    with store.write() as session:
        session.execute(text("ALTER TABLE ladder RENAME TO gone"))
    reconciler = Reconciler(store, client, "ann")
    assert [reconciler.reconcile(), reconciler.reconcile()] == [2, 0]
    assert caplog.text.count("finding ladders to advance failed") == 1
    assert "is away" not in caplog.text


def test_step_that_fails_does_not_stop_the_uptime(store: Store, client: Redis) -> None:
    with store.write() as session:
        session.execute(text("ALTER TABLE ladder RENAME TO gone"))
    reconciler = Reconciler(store, client, "ann")
    reconciler.reconcile()
    time.sleep(0.2)
    reconciler.reconcile()
    assert seen_uptime(store) > 0


def seen_uptime(store: Store) -> float:
    with store.read() as session:
        return uptime.read(session)


def test_the_uptime_is_the_time_in_which_a_reconciler_worked(store: Store, client: Redis) -> None:
    reconciler = Reconciler(store, client, "ann")
    began = time.monotonic()
    reconciler.reconcile()
    assert seen_uptime(store) == 0
    time.sleep(0.3)
    reconciler.reconcile()
    assert 0.3 <= seen_uptime(store) <= time.monotonic() - began


def test_the_time_without_a_reconciler_does_not_count(store: Store, client: Redis) -> None:
    Reconciler(store, client, "ann").reconcile()
    leases.leave(store, "reconciler", "ann")
    time.sleep(0.3)
    Reconciler(store, client, "bob").reconcile()
    assert seen_uptime(store) == 0


def test_a_reconciler_that_stood_still_counts_no_more_than_its_lease(
    store: Store, client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.reconciler.LEASE_S", 0.1)
    reconciler = Reconciler(store, client, "ann")
    reconciler.reconcile()
    time.sleep(0.4)
    reconciler.reconcile()
    assert seen_uptime(store) == 0.1


def test_what_another_has_counted_is_not_counted_twice(store: Store, client: Redis) -> None:
    first, second = Reconciler(store, client, "ann"), Reconciler(store, client, "bob")
    first.reconcile()
    leases.leave(store, "reconciler", "ann")
    second.reconcile()
    first.reconcile()  # It sees that it is not the one any more.
    leases.leave(store, "reconciler", "bob")
    time.sleep(0.2)
    first.reconcile()
    assert seen_uptime(store) == 0


def test_what_need_not_be_kept_is_deleted(store: Store, client: Redis) -> None:
    number = random_tournaments.create(store, "lost_cities", "random", "greedy", hands=1).id
    random_tournaments.play(store, number)
    Reconciler(store, client, "ann", RetentionPolicy(records_days=1e-9)).reconcile()
    assert not match_views.page(store, number, 0, 0).record_kept


def test_it_is_woken_by_those_who_gave_it_something_to_do(
    store: Store, client: Redis, server: RunningRedis, create: Create, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.reconciler.EVERY_S", 600.0)
    reconciler = Reconciler(store, client, "ann")
    reconciler.start()
    create(16)
    for rouse in (lambda: wake(client), lambda: send_to(server.url, Written())):
        client.flushall()
        wait_until(lambda: rouse() or waiting(client), "the blocks are queued")  # noqa: B023 - it is called here
    reconciler.close()


def test_nobody_waits_for_a_redis_that_is_away(tmp_path: Path) -> None:
    began = time.monotonic()
    send_to(f"unix://{tmp_path / 'none.sock'}", Written())
    assert time.monotonic() - began < 5
