from collections.abc import Callable

from redis import Redis
from rq import Queue

from arena.queue import jobs
from arena.queue.connection import connect
from arena.services import blocks
from arena.services.blocks import BlockKey
from arena.services.pages import TournamentPage
from arena.store import Store
from tests.parts import running_redis, wait_until
from workers.reconciler import Reconciler

Create = Callable[..., TournamentPage]


def waiting(client: Redis) -> set[str]:
    return set(Queue(jobs.BLOCKS, connection=client, serializer=jobs.SERIALIZER).get_job_ids())


def test_the_blocks_of_a_new_tournament_are_queued(store: Store, client: Redis, create: Create) -> None:
    create()
    Reconciler(store, client, "ann").reconcile()
    assert waiting(client) == {"block-1-0", "block-1-1"}


def test_what_is_queued_is_left_alone(store: Store, client: Redis, create: Create) -> None:
    create()
    reconciler = Reconciler(store, client, "ann")
    assert [reconciler.reconcile(), reconciler.reconcile()] == [2, 0]


def test_blocks_are_queued_again_when_redis_comes_back_empty(
    store: Store, client: Redis, create: Create
) -> None:
    create()
    reconciler = Reconciler(store, client, "ann")
    reconciler.reconcile()
    client.flushall()
    reconciler.reconcile()
    assert len(waiting(client)) == 2


def test_a_block_that_is_held_is_not_queued(store: Store, client: Redis, create: Create) -> None:
    create()
    blocks.claim(store, "bob", 60, BlockKey(1, 0))
    Reconciler(store, client, "ann").reconcile()
    assert waiting(client) == {"block-1-1"}


def test_a_block_whose_lease_has_run_out_is_queued_though_its_job_seems_to_run(
    store: Store, client: Redis, create: Create
) -> None:
    create()
    reconciler = Reconciler(store, client, "ann")
    reconciler.reconcile()
    client.delete("rq:queue:blocks")  # A worker has taken both, and was killed.
    blocks.claim(store, "bob", -1, BlockKey(1, 0))
    reconciler.reconcile()
    assert "block-1-0" in waiting(client)


def test_only_one_reconciler_works_at_a_time(store: Store, client: Redis, create: Create) -> None:
    create()
    Reconciler(store, client, "ann").reconcile()
    client.flushall()
    assert Reconciler(store, client, "bob").reconcile() == 0


def test_a_reconciler_that_is_closed_hands_over_at_once(store: Store, client: Redis, create: Create) -> None:
    create()
    first = Reconciler(store, client, "ann")
    first.start()
    wait_until(lambda: waiting(client), "the first has queued the blocks")
    first.close()
    client.flushall()
    assert Reconciler(store, client, "bob").reconcile() == 2


def test_it_outlasts_a_redis_that_goes_and_comes_back_empty(store: Store, create: Create) -> None:
    create()
    with running_redis() as server:
        client = connect(server.url)
        reconciler = Reconciler(store, client, "ann")
        reconciler.start()
        wait_until(lambda: waiting(client), "the blocks are queued")
        server.kill()
        server.forget()
        server.start()
        wait_until(lambda: len(waiting(connect(server.url))) == 2, "the blocks are queued again", within_s=5)
        reconciler.close()
