"""Verifying backups: what is whole passes, and what would not give the same store is named."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from arena.operations import backup
from arena.operations.backup import MANIFEST
from arena.operations.backup_verification import verify
from arena.operations.restore import BackupDamaged
from arena.rankings import public_ratings
from arena.storage import Store
from tests import random_tournaments

POOL = "lost_cities/standard"


@pytest.fixture
def played(store: Store) -> Store:
    tournament = random_tournaments.create(store, "lost_cities", "random", "greedy", "cautious")
    random_tournaments.play(store, tournament.id)
    public_ratings.refresh(store, POOL)
    return store


@pytest.fixture
def file(played: Store, tmp_path: Path) -> Path:
    backup.write(played, tmp_path / "arena.zip")
    return tmp_path / "arena.zip"


def rewrite(file: Path, table: str, change: tuple[bytes, bytes]) -> None:
    """Change a table of a backup, and its checksum with it: only what it means can show it."""
    with ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = f"tables/{table}.jsonl"
    old, new = change
    assert old in files[name]
    files[name] = files[name].replace(old, new, 1)
    manifest = json.loads(files[MANIFEST])
    for each in manifest["tables"]:
        if each["name"] == table:
            each["sha256"] = sha256(files[name]).hexdigest()
    files[MANIFEST] = json.dumps(manifest).encode()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for each_name, data in files.items():
            archive.writestr(each_name, data)


def test_a_backup_of_a_store_is_whole_and_its_elo_tables_follow_from_its_results(
    played: Store, file: Path, tmp_path: Path
) -> None:
    verified = verify(file)
    assert (verified.elo_tables, verified.outdated) == (1, ())
    assert verified.manifest.rows > 10


def test_results_that_came_after_the_elo_table_are_named(played: Store, tmp_path: Path) -> None:
    random_tournaments.play(played, random_tournaments.create(played, "lost_cities", "random", "greedy").id)
    backup.write(played, tmp_path / "later.zip")
    assert verify(tmp_path / "later.zip").outdated == (POOL,)


def test_an_elo_table_that_does_not_follow_from_the_results_is_damage(file: Path) -> None:
    with ZipFile(file) as archive:
        elo = json.loads(archive.read("tables/rating.jsonl").splitlines()[0])
    changed = [value + 7.0 if isinstance(value, float) and abs(value) > 500 else value for value in elo]
    assert changed != elo
    lines = [json.dumps(each, separators=(",", ":")).encode() for each in (elo, changed)]
    rewrite(file, "rating", (lines[0], lines[1]))
    with pytest.raises(BackupDamaged, match=rf"the Elo table of {POOL} does not follow from its results"):
        verify(file)


def test_rows_that_do_not_come_back_as_they_were_written_are_damage(file: Path) -> None:
    rewrite(file, "entry", (b"[", b"[ "))
    with pytest.raises(BackupDamaged, match=r"table entry: \d+ rows with the SHA-256"):
        verify(file)


def test_a_file_that_was_cut_is_damage(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(BackupDamaged):
        verify(file)
