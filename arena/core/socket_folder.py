"""Folders for Unix sockets: their paths are short, however long the path is that the system names for temporary files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAX_PATH_BYTES = 107
"""Bytes that the path of a Unix socket may have (unix(7): 108 with the closing NUL)."""
_MADE_BYTES = 40
"""Bytes left for the folder that is made, and for the names of its sockets."""


@contextmanager
def socket_folder() -> Iterator[Path]:
    """Make a folder that is removed at the end of the block; in /tmp where $TMPDIR is too long for sockets."""
    usual = tempfile.gettempdir()
    fits = len(os.fsencode(usual)) + _MADE_BYTES <= MAX_PATH_BYTES
    with tempfile.TemporaryDirectory(prefix="arena-", dir=usual if fits else "/tmp") as folder:  # noqa: S108 - it is private
        yield Path(folder)
