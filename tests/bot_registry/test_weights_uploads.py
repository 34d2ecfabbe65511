"""Uploads of weights in parts: each byte is added once, after interruptions as well; what is not what it is called is deleted."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from threading import Barrier, Thread

import pytest
from sqlalchemy import func, select, update

from arena.accounts.actors import Actor
from arena.bot_registry import stored_weights, weights_uploads
from arena.bot_registry.stored_weights import STANDARD, WeightsLimits
from arena.bot_registry.weights_uploads import MAX_PART_BYTES, WeightsUpload
from arena.core.errors import Refusal
from arena.storage import Store
from arena.storage.schema import Weights, WeightsPart
from tests import decided_matches

FIRST, SECOND = b"\1" * 1000, b"\2" * 500
CONTENT = FIRST + SECOND
SHA256 = sha256(CONTENT).hexdigest()
SIZE = len(CONTENT)


@pytest.fixture
def ada(store: Store) -> Actor:
    return decided_matches.person(store, "ada")


@pytest.fixture
def bob(store: Store) -> Actor:
    return decided_matches.person(store, "bob")


def begin(store: Store, actor: Actor, size: int = SIZE) -> WeightsUpload:
    return weights_uploads.begin(store, actor, SHA256, size, STANDARD)


def send(store: Store, actor: Actor, *parts: bytes) -> None:
    offset = begin(store, actor).received
    for data in parts:
        offset = weights_uploads.add(store, actor, SHA256, offset, data).received


def count_rows(store: Store) -> list[int | None]:
    with store.read() as session:
        return [session.scalar(select(func.count()).select_from(each)) for each in (Weights, WeightsPart)]


def test_upload_continues_where_it_was_interrupted(store: Store, ada: Actor) -> None:
    send(store, ada, FIRST)
    assert begin(store, ada) == WeightsUpload(
        SHA256, SIZE, len(FIRST), complete=False, part_bytes=MAX_PART_BYTES
    )
    weights_uploads.add(store, ada, SHA256, len(FIRST), SECOND)
    assert weights_uploads.finish(store, ada, SHA256) == WeightsUpload(
        SHA256, SIZE, SIZE, complete=True, part_bytes=MAX_PART_BYTES
    )
    number = stored_weights.find(store, SHA256)
    assert number is not None
    assert [stored_weights.read_part(store, number, part) for part in range(3)] == [FIRST, SECOND, None]


@pytest.mark.parametrize("offset", [0, 999, 1001])
def test_part_that_does_not_begin_where_the_upload_ends_is_refused(
    store: Store, ada: Actor, offset: int
) -> None:
    send(store, ada, FIRST)
    with pytest.raises(Refusal, match=f"offset {offset}: this upload continues at 1000") as refused:
        weights_uploads.add(store, ada, SHA256, offset, SECOND)
    assert (refused.value.code, refused.value.kind) == ("offset_wrong", "conflict")
    assert count_rows(store) == [1, 1]


def test_part_that_is_sent_twice_at_once_is_added_once(store: Store, ada: Actor) -> None:
    begin(store, ada)
    barrier, refused = Barrier(2), list[Refusal]()

    def add() -> None:
        barrier.wait()
        try:
            weights_uploads.add(store, ada, SHA256, 0, FIRST)
        except Refusal as refusal:
            refused.append(refusal)

    threads = [Thread(target=add) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.code for each in refused] == ["offset_wrong"]
    assert begin(store, ada).received == len(FIRST)


def test_upload_that_is_not_whole_cannot_be_finished(store: Store, ada: Actor) -> None:
    send(store, ada, FIRST)
    with pytest.raises(Refusal, match="1000 of 1500 bytes have come; send the rest first") as refused:
        weights_uploads.finish(store, ada, SHA256)
    assert (refused.value.code, refused.value.kind) == ("weights_incomplete", "conflict")


def test_upload_that_is_finished_twice_is_there_once(store: Store, ada: Actor) -> None:
    send(store, ada, CONTENT)
    done = weights_uploads.finish(store, ada, SHA256)
    assert weights_uploads.finish(store, ada, SHA256) == begin(store, ada) == done
    assert count_rows(store) == [1, 1]


def test_upload_that_is_longer_than_announced_is_refused(store: Store, ada: Actor) -> None:
    begin(store, ada)
    with pytest.raises(Refusal, match=f"weights: are larger than {SIZE} bytes"):
        weights_uploads.add(store, ada, SHA256, 0, CONTENT + b"!")


def test_upload_with_another_sha256_is_deleted(store: Store, ada: Actor) -> None:
    send(store, ada, SECOND, FIRST)
    found = sha256(SECOND + FIRST).hexdigest()
    with pytest.raises(Refusal, match=f"the {SIZE} bytes that came have the SHA-256 {found}") as refused:
        weights_uploads.finish(store, ada, SHA256)
    assert (refused.value.code, refused.value.field) == ("weights_wrong", "sha256")
    assert count_rows(store) == [0, 0]


def test_upload_of_another_size_begins_anew(store: Store, ada: Actor) -> None:
    send(store, ada, FIRST)
    assert begin(store, ada, SIZE - 1).received == 0
    stored_weights.prune(store, 0.0)
    weights_uploads.add(store, ada, SHA256, 0, FIRST)
    assert begin(store, ada, SIZE - 1).received == len(FIRST)


def test_unfinished_upload_is_its_authors_alone(store: Store, ada: Actor, bob: Actor) -> None:
    send(store, ada, CONTENT)
    attempts: list[Callable[[], WeightsUpload]] = [
        lambda: weights_uploads.add(store, bob, SHA256, SIZE, b""),
        lambda: weights_uploads.show(store, bob, SHA256),
        lambda: weights_uploads.finish(store, bob, SHA256),
    ]
    for attempt in attempts:
        with pytest.raises(Refusal, match="no unfinished upload of yours") as refused:
            attempt()
        assert refused.value.kind == "not_found"
    assert begin(store, bob).received == 0


def test_unfinished_upload_that_is_continued_is_not_counted_twice(store: Store, ada: Actor) -> None:
    limits = WeightsLimits(1, 1)
    for _ in range(3):
        weights_uploads.begin(store, ada, SHA256, 600 << 10, limits)
    assert count_rows(store) == [1, 0]


def test_upload_that_is_being_deleted_takes_no_parts_and_begins_anew(store: Store, ada: Actor) -> None:
    send(store, ada, FIRST)
    with store.write() as session:
        session.execute(update(Weights).values(written_at=stored_weights.DELETED))
    with pytest.raises(Refusal, match="may have expired"):
        weights_uploads.add(store, ada, SHA256, len(FIRST), SECOND)
    send(store, ada, FIRST, SECOND)
    while stored_weights.prune(store, 0.0 + 4000):
        pass
    assert weights_uploads.finish(store, ada, SHA256).complete
    assert count_rows(store) == [1, 2]
