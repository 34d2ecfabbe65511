"""Logging: one line per event on stderr, or in the file that ARENA_LOG_FILE names, so that stdout stays for results."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from datetime import datetime
from logging.handlers import WatchedFileHandler

from arena.core.errors import UsageError

FILE_VARIABLE = "ARENA_LOG_FILE"
"""The environment variable with the file to log to.  It may be renamed at any time, as logrotate does: a new one is begun."""

_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def configure(level: str) -> None:
    """Log from `level` (`DEBUG`, `INFO`, `WARNING`, `ERROR`) on.  Raises UsageError where the file cannot be written."""
    file = os.environ.get(FILE_VARIABLE)
    try:
        handler = _File(file) if file else logging.StreamHandler(sys.stderr)
    except OSError as error:
        raise UsageError(
            f"{FILE_VARIABLE} {file!r}: {error.strerror}; name a file that can be written"
        ) from error
    handler.setFormatter(_Formatter(_FORMAT))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for chatty in ("rq", "alembic", "httpx"):
        logging.getLogger(chatty).setLevel(max(logging.getLevelName(level), logging.WARNING))


class _Formatter(logging.Formatter):
    """Writes times as ISO 8601 does, in local time with its offset from UTC."""

    def formatTime(self, record: logging.LogRecord, _format: str | None = None) -> str:  # noqa: N802 - logging's
        """Write the time of a record."""
        return datetime.fromtimestamp(record.created).astimezone().isoformat(timespec="milliseconds")


class _File(WatchedFileHandler):
    """A file that is opened anew when it was renamed; stdout and stderr go along if they were the same file."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record.  A log that cannot be written, on a full disk, is no reason to stop."""
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)

    def reopenIfNeeded(self) -> None:  # noqa: N802 - logging's
        """Begin a new file if there is none of that name any more."""
        before = (self.dev, self.ino)
        super().reopenIfNeeded()
        if self.stream is None or before in {(-1, -1), (self.dev, self.ino)}:
            return
        for descriptor in (1, 2):
            with suppress(OSError):
                found = os.fstat(descriptor)
                if (found.st_dev, found.st_ino) == before:
                    os.dup2(self.stream.fileno(), descriptor)
