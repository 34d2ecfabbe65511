"""Whether the arena can write, on real stores: full, locked, read-only."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url

from arena.operations.write_probe import Probe
from arena.storage import Store, upgrade
from tests.parts import postgres_server
from tests.patience import wait_until

FULL = """
import sys
from pathlib import Path
from arena.operations.write_probe import Probe
from arena.storage import Store, upgrade

data = Path(sys.argv[1])
url = f"sqlite:///{data / 'arena.db'}"
upgrade(url)
store = Store.open(url)
print(Probe(store).verdict(30).problem or "can write")
filling = (data / "filling").open("wb", buffering=0)
try:
    while True:
        filling.write(bytes(4096))
except OSError:
    print(Probe(store).verdict(30))
(data / "filling").unlink()
filling.close()
print(Probe(store).verdict(30).problem or "can write")
"""
LOCKS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    upgrade(url)
    store = Store.open(url)
    yield store
    store.close()


def test_a_store_that_can_be_written_has_no_problem_and_stays_as_it_was(store: Store, tmp_path: Path) -> None:
    before = store.version()
    assert Probe(store).verdict(30).writable
    assert store.version() == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix not in {".db-wal", ".db-shm"}) == [
        "arena.db",
        "arena.db.lock",
    ]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a small disk of its own")
def test_a_full_disk_is_told_with_the_remedy_until_there_is_room_again(tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o size=2m none "$1" && exec "$2" -c "$3" "$1"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(tmp_path), sys.executable, FULL],
        capture_output=True,
        text=True,
        check=True,
    )
    problem = f"no room is left on the disk of {tmp_path}: free some, and play goes on by itself"
    assert done.stdout.splitlines() == [
        "can write",
        f"Verdict(readable=True, problem='{problem}')",
        "can write",
    ]


def test_a_locked_store_is_told_with_the_process_that_has_it(store: Store, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LOCKS, str(tmp_path / "arena.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        probe = Probe(store)
        assert probe.verdict(0).writable  # it is not known yet, and nobody waits
        wait_until(lambda: not probe.verdict(1).writable, "it is noticed")
        assert f"by process {holder.pid} (" in probe.verdict(0).problem
        assert holder.stdin is not None
        holder.stdin.close()
        wait_until(lambda: probe.verdict(1).writable, "it is free again", within_s=40)


@pytest.mark.postgres
def test_a_database_that_takes_no_writes_is_told(
    server: postgres_server.Server, postgres_template: str
) -> None:
    url = server.new_database(postgres_template)
    store = Store.open(url)
    assert Probe(store).verdict(30).writable
    with store.write_fast() as connection:
        connection.exec_driver_sql(
            f"ALTER DATABASE {make_url(url).database} SET default_transaction_read_only = on"
        )
    store.close()
    store = Store.open(url)
    verdict = Probe(store).verdict(30)
    store.close()
    assert verdict.readable
    assert "cannot execute INSERT in a read-only transaction" in verdict.problem


def test_asking_often_probes_once(store: Store) -> None:
    probe = Probe(store)
    first = probe.verdict(30)
    assert all(probe.verdict(30) is first for _ in range(100))
