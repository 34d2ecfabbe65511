"""Log files of the parts: bounded while the parts run.

    worker-1.log ──▶ worker-1.log.1 ──▶ worker-1.log.2 ──▶ worker-1.log.3 ──▶ dropped

A part writes its file itself, so nothing is lost when the part, or this process, is killed.  A file that has become too
long is renamed under it; with its next line the part begins a new one (arena/core/logging_setup.py; Redis opens its file for each line).
"""

from __future__ import annotations

import os
from pathlib import Path

MAX_BYTES = 4 * 1024 * 1024
KEPT = 3


def rotate(log: Path) -> None:
    """Rename a log that is too long, and the older ones with it."""
    try:
        if log.stat().st_size <= MAX_BYTES:
            return
    except FileNotFoundError:
        return
    for number in range(KEPT, 0, -1):
        older = _numbered(log, number - 1)
        if older.exists():
            older.replace(_numbered(log, number))


def open_log(log: Path) -> int:
    """Open a log for appending, as a file descriptor; make it if it is not there."""
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def last_line(log: Path, *, within_bytes: int = 16 * 1024) -> str:
    """Read the last line of a log that is not empty."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - within_bytes))
            lines = [line for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    except FileNotFoundError:
        return ""
    return lines[-1].strip() if lines else ""


def _numbered(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}") if number else log
