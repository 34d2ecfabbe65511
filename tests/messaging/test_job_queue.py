import json
import time
import zlib
from typing import cast

from redis import Redis
from rq import Queue
from rq.job import Job

from arena.messaging import job_queue


def waiting(client: Redis, name: str = job_queue.BLOCKS) -> list[str]:
    return Queue(name, connection=client, serializer=job_queue.SERIALIZER).get_job_ids()


def test_a_block_is_queued_once(client: Redis) -> None:
    assert job_queue.requeue_block(client, 3, 0)
    assert not job_queue.requeue_block(client, 3, 0)
    assert waiting(client) == ["block-3-0"]


def test_blocks_that_are_queued_already_are_found_at_once(client: Redis) -> None:
    blocks = [(3, number) for number in range(50)]
    assert job_queue.requeue_blocks(client, blocks) == 50
    before = client.info("stats")["total_commands_processed"]
    assert job_queue.requeue_blocks(client, [*blocks, (4, 0)]) == 1
    assert client.info("stats")["total_commands_processed"] - before < 50


def test_blocks_are_queued_in_order(client: Redis) -> None:
    for number in range(3):
        job_queue.requeue_block(client, 3, number)
    assert waiting(client) == ["block-3-0", "block-3-1", "block-3-2"]


def test_a_job_names_its_function_in_json(client: Redis) -> None:
    job_queue.requeue_block(client, 3, 5)
    data = client.hget(Job.key_for("block-3-5"), "data")
    assert json.loads(zlib.decompress(cast("bytes", data))) == ["arena.jobs_1.play_next_block", None, [], {}]


def test_a_pool_is_queued_once(client: Redis) -> None:
    assert job_queue.enqueue_ratings(client, "lost_cities/standard")
    assert not job_queue.enqueue_ratings(client, "lost_cities/standard")
    assert len(waiting(client, job_queue.RATINGS)) == 1


def test_pools_of_like_names_are_different_jobs(client: Redis) -> None:
    assert job_queue.enqueue_ratings(client, "a/b")
    assert job_queue.enqueue_ratings(client, "a:b")
    assert job_queue.enqueue_ratings(client, "a_b")


def test_requeueing_leaves_a_waiting_block_alone(client: Redis) -> None:
    job_queue.requeue_block(client, 3, 0)
    assert not job_queue.requeue_block(client, 3, 0)
    assert waiting(client) == ["block-3-0"]


def test_the_hint_for_a_block_that_was_taken_without_it_is_gone_as_if_it_had_never_been_queued(
    client: Redis,
) -> None:
    job_queue.requeue_block(client, 3, 0)
    before = set(client.scan_iter())
    job_queue.requeue_block(client, 3, 1)
    job_queue.drop_hint(client, 3, 1)
    assert waiting(client) == ["block-3-0"]
    assert set(client.scan_iter()) == before
    assert job_queue.requeue_block(client, 3, 1)


def test_the_job_of_a_block_that_a_worker_has_begun_is_left_alone(client: Redis) -> None:
    job_queue.requeue_block(client, 3, 0)
    client.lpop("rq:queue:blocks")
    job_queue.drop_hint(client, 3, 0)
    assert client.exists(Job.key_for("block-3-0"))


def test_requeueing_brings_back_the_block_of_a_worker_that_died(client: Redis) -> None:
    job_queue.requeue_block(client, 3, 0)
    job_queue.requeue_block(client, 3, 1)
    client.lpop("rq:queue:blocks")
    assert job_queue.requeue_block(client, 3, 0)
    assert waiting(client) == ["block-3-1", "block-3-0"]


def test_a_block_is_queued_again_though_a_worker_wrote_to_its_job_when_that_was_deleted(
    client: Redis,
) -> None:
    client.hset(Job.key_for("block-3-0"), "last_heartbeat", "2026-11-23T00:45:25.739404Z")
    assert job_queue.requeue_block(client, 3, 0)
    assert waiting(client) == ["block-3-0"]


def test_a_block_is_queued_again_though_a_worker_ends_its_job_at_this_moment(client: Redis) -> None:
    job_queue.requeue_block(client, 3, 0)
    client.lpop("rq:queue:blocks")
    client.hset(Job.key_for("block-3-0"), "status", "started")
    client.zadd(
        "rq:executions:block-3-0", {"cd7a90bd0bc94f09": time.time() + 60}
    )  # the execution itself is gone
    assert job_queue.requeue_block(client, 3, 0)
    assert waiting(client) == ["block-3-0"]


def test_a_block_is_queued_again_though_its_job_has_no_status(client: Redis) -> None:
    job_queue.requeue_block(client, 3, 0)
    client.lpop("rq:queue:blocks")
    client.hdel(Job.key_for("block-3-0"), "status")
    assert job_queue.requeue_block(client, 3, 0)
    assert waiting(client) == ["block-3-0"]


def test_a_pool_is_queued_again_while_its_table_is_being_computed(client: Redis) -> None:
    job_queue.enqueue_ratings(client, "lost_cities/standard")
    client.lpop("rq:queue:ratings")
    assert job_queue.enqueue_ratings(client, "lost_cities/standard")
    assert len(waiting(client, job_queue.RATINGS)) == 1


def test_an_insight_is_queued_again_after_a_worker_has_died_in_it(client: Redis) -> None:
    assert job_queue.enqueue_insight(client, "chances", 3, 0, 1)
    client.lpop("rq:queue:chances")  # A worker has taken it, and was killed.
    assert job_queue.enqueue_insight(client, "chances", 3, 0, 1)
