"""The store: tables, connections, migrations.  The database alone is the truth."""

from arena.storage.migration import contract, upgrade
from arena.storage.store import SEEN, Store
from arena.storage.store_errors import (
    MigrationFailed,
    StoreInUse,
    StoreNeedsGame,
    StoreNewer,
    StoreOlder,
    StoreUnreachable,
)

__all__ = [
    "SEEN",
    "MigrationFailed",
    "Store",
    "StoreInUse",
    "StoreNeedsGame",
    "StoreNewer",
    "StoreOlder",
    "StoreUnreachable",
    "contract",
    "upgrade",
]
