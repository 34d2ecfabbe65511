"""Jobs that failed: an admin can retry or discard one; both are written to the audit log.

The log is written first: a job that is queued twice does no harm, but an action missing from the log would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from arena.accounts import audit_log
from arena.core.errors import Refusal, RefusalKind
from arena.messaging import queue_status

if TYPE_CHECKING:
    from collections.abc import Callable

    from redis import Redis

    from arena.accounts.actors import Actor
    from arena.storage import Store


def retry(store: Store, client: Redis, actor: Actor, job_id: str) -> None:
    """Queue a failed job again.  Raises Refusal."""
    _do(store, client, actor, job_id, "retry", queue_status.retry)


def forget(store: Store, client: Redis, actor: Actor, job_id: str) -> None:
    """Delete a job that failed.  Raises Refusal."""
    _do(store, client, actor, job_id, "forget", queue_status.forget)


def _do(
    store: Store,
    client: Redis,
    actor: Actor,
    job_id: str,
    action: str,
    deed: Callable[[Redis, str], bool],
) -> None:
    actor.require("admin")
    try:
        if not any(job.id == job_id for job in queue_status.failed(client)):
            raise _unknown(job_id)
        with store.write() as session:
            audit_log.note(session, actor.name, f"job.{action}", f"job/{job_id}")
        if not deed(client, job_id):
            raise _unknown(job_id)
    except (RedisError, OSError) as error:
        raise Refusal(
            "unavailable", "job: Redis does not answer; try again when it does", kind=RefusalKind.UNAVAILABLE
        ) from error


def _unknown(job_id: str) -> Refusal:
    return Refusal(
        "job_unknown",
        f"job {job_id[:80]!r}: none of that id has failed; it was tried again, or forgotten after an hour",
        field="job",
        kind=RefusalKind.NOT_FOUND,
    )
