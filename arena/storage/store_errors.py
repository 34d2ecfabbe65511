"""Errors that can be found in a store before it is used."""

from __future__ import annotations

from arena.core.errors import ArenaError


class StoreUnreachable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when the database does not answer, or refuses us."""


class StoreOlder(ArenaError):  # noqa: N818
    """Raised when the database has no schema yet, or one that is too old for this version."""


class StoreNewer(ArenaError):  # noqa: N818
    """Raised when the database was migrated by a newer version of Bot Arena, with which this one does not work."""


class StoreInUse(ArenaError):  # noqa: N818
    """Raised when a migration would break programs of an older version that have the database open."""


class StoreNeedsGame(ArenaError):  # noqa: N818
    """Raised when the database has tournaments of a game that is not installed: they could not be shown."""


class MigrationFailed(ArenaError):  # noqa: N818
    """Raised when the database would not take a migration; its schema is then as it was before."""
