"""A folder of backups for a timer: each named by its start (UTC), of which only the newest are kept.

Files with other names are neither counted nor removed.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from arena.core.errors import UsageError
from arena.operations.backup import BackupFailed

_NAME = re.compile(r"arena-\d{4}-\d\d-\d\dT\d{6}Z\.zip")
"""Sorted by name they are sorted by time."""


def name_file(folder: Path, at: float) -> Path:
    """Name the backup that begins at a time, in seconds since 1970; the folder is made if it is not there.

    Raises UsageError, BackupFailed.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageError(f"{folder}: is a file; name the folder that the backups are to be in") from None
    except OSError as error:
        raise BackupFailed(f"{folder}: {error.strerror}; name a folder that can be written") from error
    return folder / f"arena-{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H%M%SZ}.zip"


def list_files(folder: Path) -> list[Path]:
    """List the backups in a folder, oldest first."""
    return sorted(each for each in folder.iterdir() if _NAME.fullmatch(each.name) and each.is_file())


def remove_old(folder: Path, keep: int) -> list[Path]:
    """Remove all backups but the newest `keep`; return those that were removed.  Raises BackupFailed."""
    old = list_files(folder)[:-keep]
    for file in old:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise BackupFailed(
                f"{file}: cannot be removed ({error.strerror}); the new backup is written"
            ) from error
    return old
