"""Old uploads: what an author may keep, and which uploads are deleted in time."""

from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy import select, update

from arena.accounts.actors import OPERATOR, Actor
from arena.bot_registry import bots, stored_bundles, stored_uploads
from arena.bundle_format.bundle import Bundle as Upload
from arena.bundle_format.bundle import read_upload
from arena.competition import creation, lifecycle, retention
from arena.competition.drafts import TournamentSpec
from arena.competition.matches import blocks
from arena.competition.qualification import challenges, submissions
from arena.competition.qualification.submissions import Rules, VersionRow
from arena.competition.retention import RetentionPolicy
from arena.core.errors import Refusal
from arena.reports import author_overview
from arena.storage import Store
from arena.storage.schema import Bundle, Version
from tests import decided_matches
from tests.bundle_format.uploads import project
from tests.decided_matches import NAMES, person, play_on

DAY_S = 86_400.0
KEEP = RetentionPolicy(uploads_days=30)
MIB = 1 << 20


@pytest.fixture
def ada(store: Store) -> Actor:
    bots.register_house(store, dict.fromkeys(("lost_cities", "land_unter"), NAMES))
    return person(store, "ada")


def upload(mark: str, kib: int = 1, name: str = "mine", games: str = '"lost_cities"') -> Upload:
    toml = f'name = "{name}"\ngames = [{games}]\nentry = "mine.py"\n'
    return read_upload(project(toml, weights=mark * (kib << 10)), "mine.zip")


def submit(store: Store, actor: Actor, made: Upload, **limits: int) -> VersionRow:
    return submissions.submit(store, actor, made, allowed=(), most=1000, **limits)[0]  # type: ignore[arg-type]


def grow_old(store: Store, days: float = 31) -> None:
    with store.write() as session:
        session.execute(update(Bundle).values(created_at=Bundle.created_at - days * DAY_S))
        session.execute(update(Version).values(created_at=Version.created_at - days * DAY_S))


def many(store: Store, ada: Actor, versions: int, first: int = 0) -> None:
    """Submit versions that qualify one after the other."""
    for number in range(first, first + versions):
        submit(store, ada, upload(chr(ord("a") + number)))
        play_on(store)


def kept(store: Store, ada: Actor, name: str = "mine") -> list[str]:
    rows = submissions.versions(store, ada, "lost_cities", name)
    return [row.version for row in reversed(rows) if row.files_kept]


def test_an_author_keeps_no_more_than_the_quota_of_bytes(store: Store, ada: Actor) -> None:
    submit(store, ada, upload("a", 600), most_mib=1)
    with pytest.raises(Refusal) as refused:
        submit(store, ada, upload("b", 600), most_mib=1)
    assert (refused.value.code, refused.value.field) == ("storage_exhausted", "upload")
    used = author_overview.quotas(store, ada, Rules(upload_mib_per_author=1)).storage
    assert 600 << 10 < used.used < 700 << 10
    assert used.most == MIB
    assert f"ada's uploads have {used.used} bytes already, at most {MIB} are possible" in str(refused.value)
    assert len(submissions.versions(store, ada, "lost_cities", "mine")) == 1


def test_an_upload_counts_once_however_many_games_it_plays(store: Store, ada: Actor) -> None:
    submit(store, ada, upload("a", 600, games='"lost_cities", "land_unter"'), most_mib=1)
    assert author_overview.quotas(store, ada, Rules()).storage.used < MIB


def test_two_uploads_at_once_cannot_both_take_the_last_room(store: Store, ada: Actor) -> None:
    outcomes: list[str] = []

    def attempt(mark: str) -> None:
        try:
            submit(store, ada, upload(mark, 600, name=f"bot-{mark}"), most_mib=1)
            outcomes.append("taken")
        except Refusal as refusal:
            outcomes.append(refusal.code)

    threads = [threading.Thread(target=attempt, args=(mark,)) for mark in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["storage_exhausted", "storage_exhausted", "taken"]


def test_old_versions_that_were_replaced_lose_their_files_but_for_the_last_five(
    store: Store, ada: Actor
) -> None:
    many(store, ada, 7)
    assert retention.prune(store, KEEP).uploads == 0, "they are young"
    grow_old(store)
    assert retention.prune(store, RetentionPolicy()).uploads == 0, "0 is for ever"
    assert retention.prune(store, KEEP).uploads == 2
    assert kept(store, ada) == ["3", "4", "5", "6", "7"]
    before = author_overview.quotas(store, ada, Rules()).storage.used
    many(store, ada, 1, first=7)
    assert author_overview.quotas(store, ada, Rules()).storage.used > before


def test_versions_that_failed_lose_their_files_the_active_one_never(store: Store, ada: Actor) -> None:
    many(store, ada, 1)
    for number in range(1, 8):
        submit(store, ada, upload(chr(ord("a") + number)))
        fail(store)
    grow_old(store)
    retention.prune(store, KEEP)
    assert kept(store, ada) == ["1", "4", "5", "6", "7", "8"]


def fail(store: Store) -> None:
    while (block := blocks.claim(store, "anna", 60.0)) is not None:
        for match in block.matches:
            seat = [seat.bot for seat in match.seats].index("mine")
            assert decided_matches.add(store, block, match, [1, 2], result=decided_matches.fault(2, seat))
        assert blocks.finish(store, blocks.BlockKey(block.tournament_id, block.number), "anna")


def test_a_version_that_is_entered_in_what_is_not_over_keeps_its_files(store: Store, ada: Actor) -> None:
    many(store, ada, 1)
    spec = TournamentSpec("lost_cities", ("mine@1", "greedy"), begin="open")
    tournament = creation.create(store, spec)
    many(store, ada, 6, first=1)
    grow_old(store)
    retention.prune(store, KEEP)
    assert kept(store, ada)[0] == "1"
    lifecycle.cancel(store, tournament, OPERATOR)
    assert retention.prune(store, KEEP).uploads == 1
    assert kept(store, ada)[0] == "3"


def test_files_that_another_bot_has_too_stay_for_it(store: Store, ada: Actor) -> None:
    same = read_upload(b"import arena\n", "same.py", game="lost_cities", name="same")
    many(store, ada, 1)
    submit(store, ada, same)
    with store.write() as session:
        owners = select(Version).where(Version.program == same.program)
        session.scalars(owners).one().state = "withdrawn"
        twin = bots.find_in(session, "lost_cities", "greedy")
        session.execute(update(Version).where(Version.id == twin.version_id).values(program=same.program))
    grow_old(store)
    assert retention.prune(store, KEEP).uploads == 0


def test_a_version_without_files_cannot_be_brought_back_until_they_are_submitted_again(
    store: Store, ada: Actor
) -> None:
    many(store, ada, 7)
    grow_old(store)
    retention.prune(store, KEEP)
    words = "bot mine@1: its files are no longer kept; submit them again"
    for attempt in (
        lambda: submissions.restore(store, ada, "lost_cities", "mine@1", most=100),
        lambda: challenges.challenge(store, ada, "lost_cities", "mine@1", ["greedy"], most=100),
        lambda: stored_uploads.of_version(store, ada, "lost_cities", "mine@1"),
        lambda: creation.create(store, TournamentSpec("lost_cities", ("mine@1", "mine@7"), rated=False)),
    ):
        with pytest.raises(Refusal) as refused:
            attempt()
        assert (refused.value.code, str(refused.value)) == ("not_kept", words)
    row = submit(store, ada, upload("a"))
    assert (row.version, row.state) == ("1", "waiting")
    play_on(store)
    submissions.restore(store, ada, "lost_cities", "mine@1", most=100)
    assert "1" in kept(store, ada)


def test_many_uploads_go_in_batches(store: Store, ada: Actor) -> None:
    with store.write() as session:
        for number in range(2 * stored_bundles.BATCH + 1):
            session.add(Bundle(sha256=f"{number:064x}", data=b"x", created_at=time.time() - 31 * DAY_S))
    found = []
    while (pruned := retention.prune(store, KEEP, batches=1)).more:
        found.append(pruned.uploads)
    assert [*found, pruned.uploads] == [stored_bundles.BATCH, stored_bundles.BATCH, 1]


def test_an_upload_that_comes_while_old_ones_are_deleted_has_its_files(store: Store, ada: Actor) -> None:
    """Again and again the same bytes come and are to be deleted: whoever submits them has them."""
    made = upload("a")
    stop = threading.Event()

    def prune() -> None:
        while not stop.is_set():
            retention.prune(store, KEEP, now=time.time() + 31 * DAY_S)

    pruner = threading.Thread(target=prune)
    pruner.start()
    try:
        for number in range(8):
            with store.write() as session:
                stored_bundles.keep(session, made)
                assert stored_bundles.is_kept(session, made.sha256), number
    finally:
        stop.set()
        pruner.join()
