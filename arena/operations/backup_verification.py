"""Verifying a backup: it is restored into a scratch store, and what is there is compared with what was written."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, MetaData, update

from arena.core.settings import sqlite_url
from arena.operations.backup import Manifest, Progress, summarise
from arena.operations.restore import damaged, restore
from arena.rankings import public_ratings
from arena.rankings.rating_rows import RatingRow
from arena.storage import Store
from arena.storage.schema import Pool

_TOLERANCE = 0.01
"""Tolerance in Elo.  A fit starts from the last table, so one that starts from nothing differs in the last digits."""


@dataclass(frozen=True, slots=True)
class VerifiedBackup:
    """A backup that is whole: its contents, and the number of pools whose Elo table follows from the results in it.

    `outdated` names the pools with results that came after their table: a worker would have recomputed it soon.
    """

    manifest: Manifest
    elo_tables: int
    outdated: tuple[str, ...]


def verify(file: Path, progress: Progress = lambda _done, _total: None) -> VerifiedBackup:
    """Restore a backup into a scratch store, and compare rows, checksums and Elo tables with those in the file.

    The scratch store is an SQLite file in the folder for temporary files, where it needs some three times the room of the backup.
    Raises UsageError (BackupDamaged among it), RestoreFailed, MigrationFailed.
    """
    with tempfile.TemporaryDirectory(prefix="arena-verify-") as folder:
        url = sqlite_url(Path(folder, "arena.db"))
        manifest = restore(url, file, progress, lambda connection, found: _compare(file, connection, found))
        store = Store.open(url)
        try:
            outdated = tuple(pool for pool in _pools(store) if not _follows(file, store, pool))
            return VerifiedBackup(manifest, len(_pools(store)), outdated)
        finally:
            store.close()


def _compare(file: Path, connection: Connection, manifest: Manifest) -> None:
    """Compare the tables of a store with the manifest of the backup that it was filled from.  Raises BackupDamaged."""
    made = MetaData()
    made.reflect(connection)
    for written in manifest.tables:
        found = summarise(connection, made.tables[written.name], written.columns)
        if found != written:
            raise damaged(
                file,
                f"table {written.name}: {found.rows} rows with the SHA-256 {found.sha256} were restored of "
                f"{written.rows} with {written.sha256}",
            )


def _pools(store: Store) -> tuple[str, ...]:
    """Name the pools that have an Elo table."""
    return tuple(row.key for row in public_ratings.pools(store) if row.computed_at is not None)


def _follows(file: Path, store: Store, pool_key: str) -> bool:
    """Recompute an Elo table; False if it is of other results than the one in the backup.  Raises BackupDamaged."""
    game, variant = pool_key.split("/")
    before = public_ratings.table(store, game, variant)
    with store.write() as session:
        session.execute(
            update(Pool).where(Pool.game == game, Pool.variant == variant).values(input_sha256=None)
        )
    public_ratings.refresh(store, pool_key)
    after = public_ratings.table(store, game, variant)
    if (before.algorithm, before.input_sha256) != (after.algorithm, after.input_sha256):
        return False
    for old, new in zip(before.rows, after.rows, strict=True):
        if not _is_same(old, new):
            raise damaged(
                file,
                f"the Elo table of {pool_key} does not follow from its results: "
                f"{old.bot} has {old.elo:.2f}, computed anew {new.bot} has {new.elo:.2f}",
            )
    return True


def _is_same(old: RatingRow, new: RatingRow) -> bool:
    return (
        (old.bot, old.version) == (new.bot, new.version)
        and math.isclose(old.elo, new.elo, abs_tol=_TOLERANCE)
        and math.isclose(old.error, new.error, abs_tol=_TOLERANCE)
    )
