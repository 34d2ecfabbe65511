"""Logging: one line per event on stderr, or in the file that ARENA_LOG_FILE names, so that stdout stays for results.

The standard library's loggers are used everywhere; structlog writes their records, as text or JSON, with the fields of
the work that they belong to (docs/logging.md).  So the logs of uvicorn, grpc and RQ look the same.
"""

from __future__ import annotations

import linecache
import logging
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from typing import Literal

from arena.core import request_origin
from arena.core.errors import UsageError

# structlog's console output is not used, and would load rich where that is installed: 10 MB in each part.
_loaded = sys.modules.setdefault("rich", None)  # type: ignore[arg-type]  # as importlib's documentation says
try:
    from structlog.contextvars import merge_contextvars
    from structlog.processors import JSONRenderer, LogfmtRenderer, format_exc_info
    from structlog.stdlib import ExtraAdder, ProcessorFormatter
    from structlog.typing import EventDict, WrappedLogger
finally:
    if _loaded is None:
        del sys.modules["rich"]

LogFormat = Literal["text", "json"]

FILE_VARIABLE = "ARENA_LOG_FILE"
"""The environment variable with the file to log to.  It may be renamed at any time, as logrotate does: a new one is begun."""

FIELDS = ("request_id", "tournament", "block", "match", "bot")
"""The fields that a record may have, from its `extra` or from the context that it is logged in."""


def configure(level: str, part: str = "", log_format: LogFormat = "text") -> None:
    """Log from `level` (`DEBUG`, `INFO`, `WARNING`, `ERROR`) on; `part` is which part of the arena this process is.

    Raises UsageError where the file cannot be written.
    """
    file = os.environ.get(FILE_VARIABLE)
    try:
        handler = _File(file) if file else logging.StreamHandler(sys.stderr)
    except OSError as error:
        raise UsageError(
            f"{FILE_VARIABLE} {file!r}: {error.strerror}; name a file that can be written"
        ) from error
    handler.setFormatter(_formatter(part, log_format))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.captureWarnings(True)  # noqa: FBT003 - logging's
    for chatty in ("rq", "alembic", "httpx"):
        logging.getLogger(chatty).setLevel(max(logging.getLevelName(level), logging.WARNING))


def _formatter(part: str, log_format: LogFormat) -> logging.Formatter:
    def describe(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Put first what each record has."""
        record: logging.LogRecord = event.pop("_record")
        del event["_from_structlog"]
        return {
            "time": _utc(record.created),
            "level": record.levelname,
            "part": part,
            "logger": record.name,
            "message": event.pop("event"),
            **{field: event.pop(field) for field in FIELDS if field in event},
            **event,
        }

    return ProcessorFormatter(
        foreign_pre_chain=[_add_request_id, merge_contextvars, ExtraAdder(FIELDS), _format_exception],
        processors=[describe, _write_text if log_format == "text" else JSONRenderer(ensure_ascii=False)],
    )


def _add_request_id(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    if (request_id := request_origin.current()) is not None:
        event["request_id"] = request_id
    return event


def _format_exception(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Write out the traceback of a record, and forget the source that was read for its lines.

    Python keeps every file that a traceback went through as a list of its lines: megabytes, in a part that has met a few errors.
    """
    event = format_exc_info(logger, method, event)
    if "exception" in event:
        linecache.clearcache()
    return event


def _utc(at_s: float) -> str:
    """Write a time as ISO 8601 does, in UTC."""
    return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_write_fields = LogfmtRenderer()


def _write_text(logger: WrappedLogger, method: str, event: EventDict) -> str:
    """Write a record as a line, with a traceback below it; the part is left out, since each has a file or journal of its own.

    A message takes one line even if it contains line ends, such as the path of a request.
    """
    del event["part"]
    time, level, name = event.pop("time"), event.pop("level"), event.pop("logger")
    line = f"{time} {level:<7} {name}: {_on_one_line(str(event.pop('message')))}"
    below = [event.pop(key) for key in ("exception", "stack_info") if key in event]
    if event:
        line += f" {_write_fields(logger, method, event)}"
    return "\n".join((line, *below))


def _on_one_line(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class _File(WatchedFileHandler):
    """A file that is opened again when it was renamed; stdout and stderr go along if they were the same file."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record.  A log that cannot be written, on a full disk, is no reason to stop."""
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)

    def reopenIfNeeded(self) -> None:  # noqa: N802 - logging's
        """Begin a new file if the current one was renamed or deleted."""
        before = (self.dev, self.ino)
        super().reopenIfNeeded()
        if self.stream is None or before in {(-1, -1), (self.dev, self.ino)}:
            return
        for descriptor in (1, 2):
            with suppress(OSError):
                found = os.fstat(descriptor)
                if (found.st_dev, found.st_ino) == before:
                    os.dup2(self.stream.fileno(), descriptor)
