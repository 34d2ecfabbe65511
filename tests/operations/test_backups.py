"""Backups: what is restored is what was backed up, on either database, or nothing at all."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from alembic.command import upgrade as run_migrations
from sqlalchemy import MetaData, func, select, text

from arena.accounts.actors import OPERATOR
from arena.bot_registry import bots
from arena.core.errors import UsageError
from arena.operations import backup
from arena.operations.backup import MANIFEST, BackupFailed, Manifest
from arena.operations.restore import RestoreFailed, StoreNotEmpty, restore
from arena.rankings import public_ratings
from arena.reports import exports, tournaments
from arena.storage import Store, StoreOlder, migration, migration_chain
from arena.storage.engine import WRITES, connect, parse
from arena.storage.migration_chain import head
from arena.storage.schema import Base, Bot, Bundle, MatchOutput, MatchResult, Meta, Tournament, User
from tests import random_tournaments
from tests.parts.postgres_server import Server
from tests.stores import BOTH

GAMES = ("lost_cities", "land_unter")
BLOB = random.Random(1).randbytes(100_000)


@dataclass(frozen=True)
class Sample:
    """A backup, and what people saw of its store."""

    file: Path
    manifest: Manifest
    seen: list[str]


@pytest.fixture(scope="session")
def sample(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """A store with tournaments, one of them half-way, with people, bytes and letters of all kinds."""
    folder = tmp_path_factory.mktemp("sample")
    shutil.copy(sqlite_template, folder / "arena.db")
    store = Store.open(f"sqlite:///{folder / 'arena.db'}")
    for game in GAMES:
        random_tournaments.play(
            store, random_tournaments.create(store, game, *random_tournaments.HOUSE[game][:3]).id
        )
        public_ratings.refresh(store, f"{game}/standard")
    random_tournaments.play(store, random_tournaments.create(store, "lost_cities", "random", "greedy").id, 1)
    with store.write() as session:
        result = session.scalars(select(MatchResult)).first()
        assert result is not None
        session.add(MatchOutput(result_id=result.id, seat=0, stderr=b"\x00\xff\n\r", dropped=1 << 40))
        session.add(Bundle(sha256="0" * 64, data=BLOB, created_at=0.1 + 0.2))
        session.add(
            User(name="zoë \u2028 \U0001f0a1", role="author", password="$argon2id$…", created_at=1e9 / 3)
        )
        session.merge(Meta(key="last", value="1"))
    manifest = backup.write(store, folder / "arena.zip")
    seen = everything(store)
    store.close()
    return Sample(folder / "arena.zip", manifest, seen)


@pytest.fixture(params=BOTH)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def new_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a place where no store is yet."""
    return new(kind, request, tmp_path)


def new(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if kind == "postgres":
        server: Server = request.getfixturevalue("server")
        return server.new_database()
    return f"sqlite:///{folder / 'new' / 'arena.db'}"


@pytest.fixture
def played(new_url: str, sample: Sample) -> Iterator[Store]:
    """A store with all that the sample has."""
    restore(new_url, sample.file)
    store = Store.open(new_url)
    yield store
    store.close()


@pytest.fixture
def file(sample: Sample, tmp_path: Path) -> Path:
    """A copy of the sample's backup."""
    return Path(shutil.copy(sample.file, tmp_path / "arena.zip"))


def everything(store: Store) -> list[str]:
    """What people see of a store: the exports of its tournaments, and the Elo tables."""
    return [
        *(exports.export(store, row.id) for row in tournaments.listing(store)),
        *(str(public_ratings.table(store, game)) for game in GAMES),
    ]


def tables(manifest: Manifest) -> dict[str, tuple[int, str]]:
    return {table.name: (table.rows, table.sha256) for table in manifest.tables}


@pytest.mark.postgres
@pytest.mark.parametrize("kinds", [["postgres", "sqlite"], ["sqlite", "postgres"]])
def test_an_arena_moves_from_one_database_to_the_other(
    sample: Sample, kinds: list[str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file = sample.file
    for kind in kinds:
        url = new(kind, request, tmp_path)
        restore(url, file)
        moved = Store.open(url)
        assert moved.dialect.startswith(kind)
        assert everything(moved) == sample.seen
        file = tmp_path / f"{kind}.zip"
        assert tables(backup.write(moved, file)) == tables(sample.manifest)
        moved.close()


def test_rows_that_come_later_get_numbers_of_their_own(played: Store) -> None:
    with played.read() as session:
        last = session.scalar(select(func.max(Tournament.id)))
    created = random_tournaments.create(played, "lost_cities", "random", "greedy")
    assert last is not None
    assert created.id == last + 1
    random_tournaments.play(played, created.id)
    assert tournaments.row(played, created.id).state == "finished"


def test_a_tournament_goes_on_where_it_was(sample: Sample, played: Store) -> None:
    half = tournaments.listing(played)[0]
    assert (half.state, half.matches_done) == ("running", 1)
    random_tournaments.play(played, half.id)
    assert tournaments.row(played, half.id).state == "finished"
    first = next(line for line in sample.seen[0].splitlines() if line.startswith('{"set"'))
    assert first in exports.export(played, half.id)


def test_a_backup_is_of_one_moment_while_others_write(
    sample: Sample, played: Store, file: Path, own_url: str
) -> None:
    wrote: list[Any] = []

    def write(_done: int, _total: int) -> None:
        if not wrote:
            wrote.append(random_tournaments.create(played, "lost_cities", "cautious", "rusher").id)
            random_tournaments.play(played, wrote[0])

    assert tables(backup.write(played, file, write)) == tables(sample.manifest)
    assert len(everything(played)) > len(sample.seen)


def test_a_backup_is_for_its_owners_eyes_only(played: Store, file: Path) -> None:
    file.write_text("older")
    file.chmod(0o644)
    backup.write(played, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.glob(".*.part")] == []


def test_progress_ends_with_all_rows(sample: Sample, tmp_path: Path, new_url: str) -> None:
    seen: list[tuple[int, int]] = []
    rows = sample.manifest.rows
    restore(new_url, sample.file, lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (2 * rows, 2 * rows)
    seen.clear()
    store = Store.open(new_url)
    backup.write(store, tmp_path / "again.zip", lambda done, total: seen.append((done, total)))
    store.close()
    assert seen[-1] == (rows, rows)


def test_the_house_of_a_new_store_makes_room(sample: Sample, own_url: str) -> None:
    fresh = Store.open(own_url)
    bots.register_house(fresh, {"lost_cities": ["someone", "else"]})
    fresh.close()
    restore(own_url, sample.file)
    restored = Store.open(own_url)
    assert everything(restored) == sample.seen
    restored.close()


def test_a_store_in_use_is_refused_and_left_alone(sample: Sample, own_url: str) -> None:
    other = Store.open(own_url)
    bots.add_dial_in(other, OPERATOR, "lost_cities", "mine")
    with pytest.raises(StoreNotEmpty, match=r"is in use, there are rows in .*bot.*nothing was changed"):
        restore(own_url, sample.file)
    assert bots.find(other, "lost_cities", "mine").source == "dial_in"
    assert tournaments.listing(other) == ()
    other.close()


# --- damage ---------------------------------------------------------------------------------------------------


def rewritten(file: Path, change: Callable[[str, bytes], bytes | None]) -> None:
    """Write a backup anew, as a zip that is whole, with files changed or left out."""
    with ZipFile(file) as archive:
        files = {name: change(name, archive.read(name)) for name in archive.namelist()}
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, data in files.items():
            if data is not None:
                archive.writestr(name, data)


def manifest_with(**changes: object) -> Callable[[str, bytes], bytes]:
    return lambda name, data: (
        json.dumps({**json.loads(data), **changes}).encode() if name == MANIFEST else data
    )


def cut(file: Path) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])


def flip(file: Path) -> None:
    with ZipFile(file) as archive:
        place = archive.getinfo("tables/record.jsonl")
    data = bytearray(file.read_bytes())
    data[place.header_offset + 300 + place.compress_size // 2] ^= 0x40
    file.write_bytes(data)


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut": (cut, "not a zip file"),
    "a bit": (flip, "record|invalid|decompressing"),
    "empty": (lambda file: file.write_bytes(b""), "not a zip file"),
    "no backup": (
        lambda file: rewritten(file, lambda n, d: None if n == MANIFEST else d),
        "no manifest.json",
    ),
    "a table": (
        lambda file: rewritten(file, lambda n, d: None if n == "tables/rating.jsonl" else d),
        "lacks table rating",
    ),
    "a row": (
        lambda file: rewritten(
            file, lambda n, d: d[: d.rindex(b"[")] if n == "tables/match_result.jsonl" else d
        ),
        "table match_result is not what was written",
    ),
    "a result": (
        lambda file: rewritten(
            file, lambda n, d: d.replace(b'"1 2"', b'"2 1"', 1) if n == "tables/match_result.jsonl" else d
        ),
        "table match_result is not what was written",
    ),
    "a list": (lambda file: rewritten(file, lambda n, d: b"[]" if n == MANIFEST else d), "no manifest.json"),
    "format": (lambda file: rewritten(file, manifest_with(format="arena-backup/9")), "arena-backup/9"),
    "schema": (lambda file: rewritten(file, manifest_with(schema="9999")), "9999 .* newer; update Bot Arena"),
    "other tables": (lambda file: rewritten(file, manifest_with(tables=[])), "not those of schema"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_backup_is_refused_whole(file: Path, own_url: str, damage: str) -> None:
    act, message = DAMAGES[damage]
    act(file)
    with pytest.raises(UsageError, match=message):
        restore(own_url, file)
    assert_empty(own_url)


def test_a_backup_that_is_not_there_is_named(tmp_path: Path, new_url: str) -> None:
    with pytest.raises(UsageError, match=r"missing\.zip: No such file"):
        restore(new_url, tmp_path / "missing.zip")


def test_a_backup_into_a_folder_that_is_not_there_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(
        BackupFailed, match=r"none/arena\.zip: No such file or directory; name a file in a folder"
    ):
        backup.write(store, tmp_path / "none" / "arena.zip")
    with pytest.raises(UsageError, match="is a folder"):
        backup.write(store, tmp_path)


def test_rows_that_the_database_refuses_leave_nothing(file: Path, own_url: str) -> None:
    def twice(name: str, data: bytes) -> bytes:
        return data + data[data.rindex(b"[") :] if name == "tables/meta.jsonl" else data

    rewritten(file, twice)
    with ZipFile(file) as archive:
        data, document = archive.read("tables/meta.jsonl"), json.loads(archive.read(MANIFEST))
    for table in document["tables"]:
        if table["name"] == "meta":
            table.update(rows=table["rows"] + 1, sha256=sha256(data).hexdigest())
    rewritten(file, manifest_with(tables=document["tables"]))
    with pytest.raises(RestoreFailed, match=r"meta.*nothing was changed"):
        restore(own_url, file)
    assert_empty(own_url)


def assert_empty(url: str) -> None:
    """Check that a store is as it was made: nothing came, and it can still be filled."""
    store = Store.open(url)
    with store.read() as session:
        for table in Base.metadata.sorted_tables:
            assert session.scalar(select(func.count()).select_from(table)) == 0, table.name
    store.close()


# --- kill -9 --------------------------------------------------------------------------------------------------


def killed(work: Callable[[Callable[[int, int], None]], object], at: float) -> None:
    """Do something in a process of its own that is killed when so much of it is done."""

    def die(done: int, total: int) -> None:
        if done > at * total:
            os.kill(os.getpid(), signal.SIGKILL)

    process = multiprocessing.get_context("fork").Process(target=work, args=(die,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("at", [0.1, 0.6, 0.99])
def test_a_restore_that_is_killed_leaves_nothing(sample: Sample, own_url: str, at: float) -> None:
    killed(lambda progress: restore(own_url, sample.file, progress), at)
    assert_empty(own_url)
    restore(own_url, sample.file)
    restored = Store.open(own_url)
    assert everything(restored) == sample.seen
    restored.close()


def test_a_restore_that_is_killed_makes_no_store(sample: Sample, new_url: str) -> None:
    killed(lambda progress: restore(new_url, sample.file, progress), 0.9)
    with pytest.raises(StoreOlder):
        Store.open(new_url)
    restore(new_url, sample.file)
    Store.open(new_url).close()


@pytest.mark.parametrize("at", [0.1, 0.99])
def test_a_backup_that_is_killed_leaves_the_one_before_it(
    played: Store, new_url: str, file: Path, at: float
) -> None:
    whole = file.read_bytes()
    killed(lambda progress: backup.write(Store.open(new_url), file, progress), at)
    assert file.read_bytes() == whole
    backup.write(played, file)
    assert list(file.parent.glob(".*.part")) == []


# --- older schemas --------------------------------------------------------------------------------------------


@pytest.fixture
def older(new_url: str, kind: str, tmp_path: Path) -> tuple[str, str]:
    """The URL of a store as it was a version ago with a bot and a tournament, and its schema's revision."""
    schema, url = "0004", new_url
    (tmp_path / "new").mkdir()
    engine = connect(parse(url))
    with engine.execution_options(**{WRITES: True}).begin() as connection:
        config = migration._config(migration_chain.SCRIPTS)
        config.attributes["connection"] = connection
        run_migrations(config, schema)
        connection.execute(
            text("INSERT INTO \"user\" (name, role, created_at) VALUES ('ada', 'admin', 0.25)")
        )
        connection.execute(
            text(
                "INSERT INTO bot (game, name, house, created_at, owner_id) "
                "VALUES ('lost_cities', 'mine', false, 0, 1)"
            )
        )
        connection.execute(
            text(
                "INSERT INTO tournament (name, format, game, variant, seats, options, base_ms, increment_ms, cap_ms, "
                "talk_ms, cycles, trusted, secret, commitment, inputs, state, matches_total, matches_done, created_at, "
                "finished_at) "
                "VALUES ('Old', 'round-robin', 'lost_cities', 'standard', 2, '{\"hands\": 1}', 1, 2, 3, 4, 5, true, "
                ":secret, :secret, :secret, 'finished', 2, 2, 7, 8)"
            ),
            {"secret": random_tournaments.SECRET},
        )
        connection.execute(
            text("INSERT INTO block (tournament_id, number, first_set, sets, done) VALUES (1, 0, 0, 1, true)")
        )
    engine.dispose()
    return url, schema


def test_a_backup_of_an_older_schema_is_restored_and_brought_up_to_date(
    older: tuple[str, str], file: Path, own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, schema = older
    engine = connect(parse(url))
    then = MetaData()
    then.reflect(engine)
    then.remove(then.tables["alembic_version"])
    with monkeypatch.context() as patch:
        # The tables and the schema as the version knew them that wrote it.
        patch.setattr(backup, "Base", SimpleNamespace(metadata=then))
        patch.setattr(backup, "head", lambda: schema)
        backup.write(Store(engine), file)
    engine.dispose()
    manifest = restore(own_url, file)
    assert manifest.schema == schema != head()
    restored = Store.open(own_url)
    with restored.read() as session:
        assert session.execute(select(Bot.name, User.name).join(User, User.id == Bot.owner_id)).all() == [
            ("mine", "ada")
        ]
        old = session.scalars(select(Tournament)).one()
        assert (old.options, old.secret, old.state) == ({"hands": 1}, random_tournaments.SECRET, "finished")
    random_tournaments.create(restored, "lost_cities", "random", "greedy")
    restored.close()
