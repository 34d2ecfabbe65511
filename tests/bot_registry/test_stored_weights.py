"""Weights in the store: in parts, seen when whole, each author's own, deleted when nothing names them."""

from __future__ import annotations

import time
from hashlib import sha256

import pytest
from sqlalchemy import func, select, update

from arena.accounts.actors import Actor
from arena.bot_registry import bots, stored_weights, weights_uploads
from arena.bot_registry.stored_weights import WeightsLimits
from arena.bundle_format.bundle import read_upload
from arena.competition import retention
from arena.competition.qualification import submissions
from arena.competition.retention import RetentionPolicy
from arena.core.errors import Refusal
from arena.storage import Store
from arena.storage.schema import Bundle, Version, Weights, WeightsPart
from tests import decided_matches
from tests.bundle_format.uploads import TOML, project

PARTS = (b"\1" * 1000, b"\2" * 1000, b"\3" * 10)
SHA256 = sha256(b"".join(PARTS)).hexdigest()
SIZE = sum(map(len, PARTS))
NAMED = f'{TOML}[weights]\n"net.bin" = "{SHA256}"\n'
HOUR_S = 3600.0


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(store, {"lost_cities": decided_matches.NAMES})
    return decided_matches.person(store, "ada")


@pytest.fixture
def bob(store: Store) -> Actor:
    return decided_matches.person(store, "bob")


def begin(store: Store, actor: Actor, **limits: int) -> None:
    offset = weights_uploads.begin(store, actor, SHA256, SIZE, WeightsLimits(**limits)).received
    for data in PARTS:
        offset = weights_uploads.add(store, actor, SHA256, offset, data).received


def send(store: Store, actor: Actor) -> None:
    begin(store, actor)
    weights_uploads.finish(store, actor, SHA256)


def submit(store: Store, actor: Actor, **limits: int) -> submissions.VersionRow:
    upload = read_upload(project(NAMED), "mine.zip")
    return submissions.submit(store, actor, upload, allowed=(), most=10, weights=WeightsLimits(**limits))[0]


def read(store: Store) -> list[bytes] | None:
    number = stored_weights.find(store, SHA256)
    if number is None:
        return None
    return [part for n in range(9) if (part := stored_weights.read_part(store, number, n)) is not None]


def grow_old(store: Store, hours: float) -> None:
    with store.write() as session:
        session.execute(update(Weights).values(written_at=Weights.written_at - hours * HOUR_S))


def count_rows(store: Store) -> tuple[int, int]:
    with store.read() as session:
        counts = (session.scalar(select(func.count()).select_from(each)) for each in (Weights, WeightsPart))
        return tuple(count or 0 for count in counts)  # type: ignore[return-value]


def test_weights_are_seen_when_they_are_whole(store: Store, ada: Actor) -> None:
    begin(store, ada)
    assert stored_weights.size_of(store, ada, SHA256) is None
    assert read(store) is None
    weights_uploads.finish(store, ada, SHA256)
    assert stored_weights.size_of(store, ada, SHA256) == SIZE
    assert read(store) == [*PARTS]


def test_upload_whose_weights_are_not_there_is_refused_with_what_to_do(store: Store, ada: Actor) -> None:
    with pytest.raises(
        Refusal, match=f"weights net.bin: you have not uploaded a file with the SHA-256 {SHA256}"
    ) as refused:
        submit(store, ada)
    assert (refused.value.code, refused.value.field) == ("weights_missing", "weights")
    send(store, ada)
    assert submit(store, ada).state == "waiting"


def test_weights_of_another_author_cannot_be_named(store: Store, ada: Actor, bob: Actor) -> None:
    send(store, ada)
    with pytest.raises(Refusal) as refused:
        submit(store, bob)
    assert refused.value.code == "weights_missing"


def test_weights_of_one_upload_have_a_limit_together(store: Store, ada: Actor) -> None:
    send(store, ada)
    with pytest.raises(Refusal, match=f"weights: have {SIZE} bytes, at most 0 are possible") as refused:
        submit(store, ada, upload_mib=0)
    assert (refused.value.code, refused.value.field) == ("too_large", "weights")
    with pytest.raises(Refusal, match="at most 0 are possible"):
        begin(store, ada, upload_mib=0)


def test_weights_of_one_author_have_a_quota_that_counts_those_on_their_way(
    store: Store, ada: Actor, bob: Actor
) -> None:
    most = WeightsLimits(upload_mib=1, author_mib=1)
    weights_uploads.begin(store, ada, SHA256, 600 << 10, most)
    with pytest.raises(
        Refusal, match=f"ada's weights have {600 << 10} bytes already, at most {1 << 20}"
    ) as refused:
        weights_uploads.begin(store, ada, "ab" * 32, 600 << 10, most)
    assert (refused.value.code, refused.value.field) == ("storage_exhausted", "weights")
    weights_uploads.begin(store, bob, SHA256, 600 << 10, most)


def test_weights_that_broke_off_are_deleted_after_an_hour(store: Store, ada: Actor) -> None:
    begin(store, ada)
    retention.prune(store, RetentionPolicy())
    assert count_rows(store) == (1, len(PARTS))
    grow_old(store, 1.1)
    assert not retention.prune(store, RetentionPolicy()).more
    assert count_rows(store) == (0, 0)


def test_weights_that_no_upload_names_are_deleted_after_a_day(store: Store, ada: Actor) -> None:
    send(store, ada)
    grow_old(store, 23)
    retention.prune(store, RetentionPolicy())
    assert read(store) == [*PARTS]
    grow_old(store, 2)
    retention.prune(store, RetentionPolicy())
    assert count_rows(store) == (0, 0)


def test_weights_are_kept_as_long_as_an_upload_that_names_them(store: Store, ada: Actor) -> None:
    send(store, ada)
    submit(store, ada)
    grow_old(store, 1000)
    retention.prune(store, RetentionPolicy(uploads_days=30))
    assert read(store) == [*PARTS]
    with store.write() as session:
        session.execute(update(Version).values(program=f"bundle:{'cd' * 32}"))
        session.execute(update(Bundle).values(created_at=time.time() - 31 * 24 * HOUR_S))
    retention.prune(store, RetentionPolicy(uploads_days=30))
    assert count_rows(store) == (0, 0)
