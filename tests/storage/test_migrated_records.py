"""Migration 0013: stores whose records needed the rules become stores whose records do not."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic.command import upgrade as run_migrations
from sqlalchemy import MetaData, text
from zstandard import ZstdCompressor, ZstdDecompressor

from arena.match.record_columns import RecordUnreadable
from arena.operations import backup
from arena.operations.restore import restore
from arena.storage import MigrationFailed, Store, StoreOlder, migration, migration_chain, upgrade
from arena.storage.engine import WRITES, connect, parse
from arena.storage.migration_chain import head
from arena.storage.migrations import compact_record
from arena.storage.migrations.compact_record import RowUnreadable, RulesOfRow
from arena.storage.record_compression import unpack
from tests.match.test_record_columns import GOLDEN
from tests.parts.postgres_server import Server
from tests.stores import BOTH

ROWS: Mapping[str, bytes] = {
    name: b64decode(each["row"])
    for name, each in json.loads(
        (Path(__file__).parent / "rows_of_form_1.json").read_text(encoding="utf-8")
    ).items()
}
"""Rows of form 1 as Bot Arena 0.1 stored them: matches of every game, and one that ended by a fault."""

SUMS: Mapping[str, str] = {
    name: each["sha256"]
    for name, each in json.loads(
        (Path(__file__).parent / "rows_of_form_1.json").read_text(encoding="utf-8")
    ).items()
}
"""SHA-256 of their records.  When the rules of a game change, its rows go from the file: nothing can play them any more."""


def compress(data: bytes) -> bytes:
    return ZstdCompressor(level=6).compress(data)


def change(row: bytes, old: bytes, new: bytes) -> bytes:
    data = ZstdDecompressor().decompress(row)
    assert old in data
    return compress(data.replace(old, new, 1))


def digest(record: str) -> str:
    return sha256(record.encode()).hexdigest()


SHORT = ROWS["lost_cities-standard-2-fault"]
WRONG_SUM = compress(b"\x01\0\0\0\0" + ZstdDecompressor().decompress(ROWS["lost_cities-standard-2"])[5:])
OTHER_RULES = change(ROWS["lost_cities-standard-2"], b'[1,"lost_cities"', b'[2,"lost_cities"')
NO_SUCH_GAME = change(ROWS["lost_cities-standard-2"], b'[1,"lost_cities"', b'[1,"chess"')
CUT = ROWS["lost_cities-standard-2"][:-20]
ILLEGAL = change(ROWS["lost_cities-standard-2"], b"\ndiscard Y3\n", b"\ndiscard Q9\n")


@dataclass(frozen=True)
class Before:
    """A store of schema 0012, and what it takes to give it rows of `record`."""

    url: str

    def fill(self, rows: list[bytes]) -> None:
        engine = connect(parse(self.url), foreign_keys=False)
        with engine.execution_options(**{WRITES: True}).begin() as connection:
            config = migration._config(migration_chain.SCRIPTS)
            config.attributes["connection"] = connection
            run_migrations(config, "0012")
            connection.execute(
                text(
                    "INSERT INTO tournament (name, format, game, variant, seats, options, base_ms, increment_ms, "
                    "cap_ms, talk_ms, cycles, trusted, secret, commitment, inputs, state, matches_total, "
                    "matches_done, created_at) VALUES ('Old', 'round-robin', "
                    "'lost_cities', 'standard', 2, '{}', 1, 2, 3, 4, 5, true, :secret, :secret, :secret, 'finished', "
                    "2, 2, 7)"
                ),
                {"secret": bytes(32)},
            )
            for number, data in enumerate(rows):
                connection.execute(
                    text(
                        "INSERT INTO match_result (tournament_id, set_number, match_number, attempt, match, "
                        "\"end\", places, stored_at) VALUES (1, :number, 0, 0, :match, 'completed', '1 2', 0)"
                    ),
                    {"number": number, "match": str(number)},
                )
                connection.execute(
                    text("INSERT INTO record (result_id, data) VALUES (:id, :data)"),
                    {"id": number + 1, "data": data},
                )
        engine.dispose()

    def rows(self) -> list[bytes]:
        engine = connect(parse(self.url))
        with engine.connect() as connection:
            found = connection.execute(text("SELECT data FROM record ORDER BY result_id")).scalars().all()
        engine.dispose()
        return [bytes(data) for data in found]

    def schema(self) -> str:
        engine = connect(parse(self.url))
        with engine.connect() as connection:
            found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        engine.dispose()
        return str(found)


@pytest.fixture(params=BOTH)
def before(request: pytest.FixtureRequest, tmp_path: Path) -> Before:
    if request.param == "postgres":
        server: Server = request.getfixturevalue("server")
        return Before(server.new_database())
    return Before(f"sqlite:///{tmp_path / 'arena.db'}")


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_row_of_form_1_is_read(name: str) -> None:
    row = ROWS[name]
    assert digest(compact_record.read(row)) == SUMS[name]
    assert compact_record.rules_of(row) == RulesOfRow(name.partition("-")[0], 1)


@pytest.mark.parametrize("record", ["", "é", "{}", GOLDEN[0]])
def test_a_whole_row_is_read(record: str) -> None:
    row = compress(b"\0" + record.encode())
    assert compact_record.read(row) == record
    assert compact_record.rules_of(row) is None


def test_a_row_from_before_there_were_forms_is_read() -> None:
    row = compress(GOLDEN[0].encode())
    assert compact_record.read(row) == GOLDEN[0]
    assert compact_record.rules_of(row) is None


@pytest.mark.parametrize(
    "row",
    [
        WRONG_SUM,
        CUT,
        ILLEGAL,
        NO_SUCH_GAME,
        b"",
        b"no zstd",
        compress(b""),
        compress(b"\0\xff"),
        compress(b"\x02"),
    ],
)
def test_a_row_that_is_damaged_is_refused(row: bytes) -> None:
    with pytest.raises(RowUnreadable):
        compact_record.read(row)


def test_all_records_are_written_anew(before: Before) -> None:
    rows = [*ROWS.values(), compress(b"\0" + GOLDEN[0].encode()), compress(GOLDEN[1].encode())]
    before.fill(rows * 3)
    assert upgrade(before.url) == "0012"
    after = before.rows()
    expected = [*SUMS.values(), digest(GOLDEN[0]), digest(GOLDEN[1])] * 3
    assert [digest(unpack(data)) for data in after] == expected
    assert not {*after} & {*rows}


def test_progress_counts_all_records(before: Before) -> None:
    before.fill([SHORT] * 540)
    told: list[tuple[int, int]] = []
    upgrade(before.url, lambda done, total: told.append((done, total)))
    assert told == [(500, 540), (540, 540)]


def test_a_damaged_record_is_named_and_left_as_it_is(
    before: Before, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [*ROWS.values()]
    before.fill([rows[0], WRONG_SUM, CUT, ILLEGAL, b"", rows[1]])
    with caplog.at_level(logging.WARNING):
        upgrade(before.url)
    assert [line.split(":")[0] for line in caplog.messages] == [
        f"record of tournament 1, set {number}, match 0 cannot be read" for number in range(1, 5)
    ]
    assert "its checksum differs" in caplog.messages[0]
    assert all("left as it is" in line for line in caplog.messages)
    after = before.rows()
    assert after[1:5] == [WRONG_SUM, CUT, ILLEGAL, b""]
    assert [digest(unpack(after[at])) for at in (0, 5)] == [*SUMS.values()][:2]
    for data in after[1:5]:
        with pytest.raises(RecordUnreadable, match="cannot be read"):
            unpack(data)


def test_the_command_names_a_damaged_record(tmp_path: Path) -> None:
    Before(f"sqlite:///{tmp_path / 'arena.db'}").fill([WRONG_SUM])
    command = ("-c", "from arena.cli.main import main; main()", "db", "upgrade", "--data", str(tmp_path))
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True)
    assert "before 0012" in done.stdout
    assert "record of tournament 1, set 0, match 0 cannot be read: its checksum differs" in done.stderr


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (OTHER_RULES, "version 2 of its rules, and this Bot Arena has version 1 of them"),
        (NO_SUCH_GAME, "records of chess .* and this Bot Arena has no chess"),
    ],
)
def test_records_of_other_rules_are_refused_and_nothing_is_changed(
    before: Before, row: bytes, why: str
) -> None:
    rows = [*ROWS.values(), row]
    before.fill(rows)
    with pytest.raises(
        MigrationFailed, match=rf"^store .*{why}; nothing was changed, upgrade to Bot Arena 0\.2 first"
    ):
        upgrade(before.url)
    assert before.rows() == rows
    assert before.schema() == "0012"


def _upgrade_and_die(url: str, at: int) -> None:
    def die(done: int, _total: int) -> None:
        if done >= at:
            os.kill(os.getpid(), signal.SIGKILL)

    upgrade(url, die)


def test_an_upgrade_that_was_killed_is_done_again(before: Before) -> None:
    rows = [SHORT] * 540
    before.fill(rows)
    for at in (500, len(rows)):
        process = multiprocessing.get_context("spawn").Process(target=_upgrade_and_die, args=(before.url, at))
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        assert before.schema() == "0012"
        assert before.rows() == rows
    assert upgrade(before.url) == "0012"
    assert before.schema() == head()
    assert [digest(unpack(data)) for data in before.rows()] == [SUMS["lost_cities-standard-2-fault"]] * 540


@pytest.mark.parametrize("row", [WRONG_SUM, OTHER_RULES])
def test_an_old_backup_is_restored_with_records_that_need_no_rules(
    before: Before, row: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [*ROWS.values(), row]
    before.fill(rows)
    engine = connect(parse(before.url))
    then = MetaData()
    then.reflect(engine)
    then.remove(then.tables["alembic_version"])
    with monkeypatch.context() as patch:
        # The tables and the schema as the version knew them that wrote it.
        patch.setattr(backup, "Base", SimpleNamespace(metadata=then))
        patch.setattr(backup, "head", lambda: "0012")
        backup.write(Store(engine), tmp_path / "arena.zip")
    engine.dispose()
    again = Before(f"sqlite:///{tmp_path / 'again.db'}")
    if row == OTHER_RULES:
        with pytest.raises(MigrationFailed, match="version 2 of its rules"):
            restore(again.url, tmp_path / "arena.zip")
        with pytest.raises(StoreOlder):
            Store.open(again.url)
        return
    restore(again.url, tmp_path / "arena.zip")
    after = again.rows()
    assert [digest(unpack(data)) for data in after[:-1]] == [*SUMS.values()]
    assert after[-1] == row


def test_a_store_without_records_is_migrated(before: Before) -> None:
    before.fill([])
    told: list[tuple[int, int]] = []
    assert upgrade(before.url, lambda done, total: told.append((done, total))) == "0012"
    assert told == []
    Store.open(before.url).close()
