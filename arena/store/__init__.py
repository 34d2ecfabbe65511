"""The store: tables, connections, migrations.  The database alone is the truth."""

from arena.store.errors import MigrationFailed, StoreNewer, StoreOlder, StoreUnreachable
from arena.store.migration import upgrade
from arena.store.store import SEEN, Store

__all__ = ["SEEN", "MigrationFailed", "Store", "StoreNewer", "StoreOlder", "StoreUnreachable", "upgrade"]
