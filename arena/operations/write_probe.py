"""Probe for writing: finds a full disk, a locked or a read-only store by writing to it.

    Probe(store).verdict() ──▶ a thread writes a row and rolls it back, and a file in the folder of an SQLite store ──▶ Verdict

A store whose disk is full still reads, and takes small writes for a while: an SQLite store since its write-ahead log has
room from before, so the file is written too; PostgreSQL since a page has, and its disk is out of our sight, so there
workers say what they could not store.  Neither leaves anything behind.
"""

from __future__ import annotations

import errno
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError

from arena.core.translatable import say
from arena.storage import Store
from arena.storage.diagnosis import cause, explain, is_full
from arena.storage.engine import sqlite_file
from arena.storage.lock_holders import describe_holders
from arena.storage.schema import Meta

_KEPT_S = 5.0
"""Seconds that a verdict is reused, so that frequent questions cost nothing."""
_LATE_S = 3.0
"""A store that takes longer to write one row is slow to be used, or stuck."""
_FILE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a probe: `problem` is empty if the arena can write, else it says what is wrong and what to do."""

    readable: bool = True
    problem: str = ""

    @property
    def writable(self) -> bool:
        """Whether the arena can write."""
        return not self.problem


class Probe:
    """Probes one store, at most once in some seconds however many ask.  Threads may share it."""

    def __init__(self, store: Store, folder: Path | None = None) -> None:
        """Probe a store and, if one is given, a folder; of an SQLite store its own folder is always among them."""
        self._store = store
        self._folders = {place for place in (folder, store.folder) if place is not None}
        self._lock = threading.Lock()
        self._verdict = Verdict()
        self._found_at: float | None = None
        self._began_at = 0.0
        self._done: threading.Event | None = None

    def verdict(self, wait_s: float = _LATE_S) -> Verdict:
        """Return the verdict of the last seconds, else probe and wait for it up to `wait_s`.

        With `wait_s=0` it never waits: then a new verdict is seen at a later call.
        """
        with self._lock:
            if self._found_at is not None and time.monotonic() - self._found_at < _KEPT_S:
                return self._verdict
            if self._done is None:
                self._done = threading.Event()
                self._began_at = time.monotonic()
                threading.Thread(target=self._probe, args=(self._done,), name="probe", daemon=True).start()
            done = self._done
        done.wait(wait_s)
        with self._lock:
            late_s = time.monotonic() - self._began_at
            if done.is_set() or late_s < _LATE_S:
                return self._verdict
            readable = self._verdict.readable
        return Verdict(readable=readable, problem=self._describe_delay(late_s))

    def _probe(self, done: threading.Event) -> None:
        verdict = self._find()
        with self._lock:
            self._verdict, self._found_at, self._done = verdict, time.monotonic(), None
        done.set()

    def _find(self) -> Verdict:
        try:
            with self._store.write_and_undo() as connection:
                connection.execute(insert(Meta).values(key=f"probe/{uuid4().hex}", value=""))
            for folder in self._folders:
                _write_file(folder)
        except DBAPIError as error:
            return Verdict(readable=self._reads(), problem=self._describe(error))
        except OSError as error:
            return Verdict(readable=self._reads(), problem=_describe_file(error))
        return Verdict()

    def _reads(self) -> bool:
        try:
            with self._store.read() as session:
                session.get(Meta, "")
        except DBAPIError:
            return False
        return True

    def _describe(self, error: DBAPIError) -> str:
        if is_full(cause(error)):
            return _no_room(self._store.folder or say("the database's machine"))
        return say("the store cannot be written: {why}", why=explain(self._store.url, error))

    def _describe_delay(self, late_s: float) -> str:
        file = sqlite_file(self._store.url)
        holders = "" if file is None else describe_holders(file)
        if holders:
            return say(
                "the store has been locked for {seconds} s by {holders}",
                seconds=round(late_s),
                holders=holders,
            )
        return say("the store has not answered for {seconds} s", seconds=round(late_s))


def find_no_room() -> Verdict:
    """Return what is found where workers say that a database on another machine has no room for their results."""
    return Verdict(problem=_no_room(say("the database's machine")))


def _write_file(folder: Path) -> None:
    """Write a file that has no name, so that nothing of it can stay.  Raises OSError naming the folder."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_FILE_BYTES))
            file.flush()
    except OSError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0), str(folder)) from error


def _describe_file(error: OSError) -> str:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return _no_room(error.filename)
    return say("{folder} cannot be written: {why}", folder=error.filename, why=error.strerror)


def _no_room(place: object) -> str:
    return say("no room is left on the disk of {place}: free some, and play goes on by itself", place=place)
