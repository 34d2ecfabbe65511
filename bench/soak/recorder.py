"""Use of resources by each part, every few seconds: memory, descriptors, threads, processes of bots; and the sizes of the store."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from arena.storage.table_sizes import table_sizes
from bench.chaos.deployment import REFEREES, WEBS, WORKERS, Deployment, part_of
from bench.chaos.machines import MachineError, command_line, descendants

EVERY_S = 5.0
_TABLES_EVERY_S = 60.0
_BOTS = ("house:", "bundle:")


@dataclass(frozen=True, slots=True)
class Use:
    """Use of a part at a moment; `pid` distinguishes one of its processes from the next."""

    at_s: float
    pid: int
    memory_mb: float
    """Of its own and shared (Pss), its helpers' included, its bots' not."""
    own_mb: float
    """Memory of its own processes that is no file's (Anonymous): whole, though bots that were forked share pages of it."""
    resident_mb: float
    """As `ps` shows it (Rss): of its own, and all pages of files."""
    own_share_mb: float
    """The same, but pages that bots share count in parts (Pss_Anon): it moves with the number of bots."""
    descriptors: int
    """Less one for each of its bots, which come and go."""
    threads: int
    bots: int


@dataclass(frozen=True, slots=True)
class StoreSize:
    """Contents of the store at a moment."""

    at_s: float
    results: int
    database_mb: float
    redis_mb: float
    tables_mb: Mapping[str, float]


@dataclass
class Recorder:
    """Looks on until it is closed; times are seconds from its start."""

    deployment: Deployment
    uses: dict[str, list[Use]] = field(default_factory=dict)
    sizes: list[StoreSize] = field(default_factory=list)
    lasted_s: float = 0.0
    """Seconds until it was closed."""

    def __post_init__(self) -> None:
        self._began = time.monotonic()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._look_on, daemon=True)
        self._thread.start()

    @property
    def now_s(self) -> float:
        """Return how long it has been looking on."""
        return time.monotonic() - self._began

    def close(self) -> None:
        """Look for the last time; once is enough."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._thread.join()
        self._look_at_store()
        self.lasted_s = self.now_s

    def write(self, file: Path) -> None:
        """Write all of it as JSON."""
        file.write_text(
            json.dumps(
                {
                    "uses": {name: [asdict(use) for use in uses] for name, uses in self.uses.items()},
                    "sizes": [asdict(size) for size in self.sizes],
                }
            )
        )

    def _look_on(self) -> None:
        tables_at = 0.0
        while not self._closing.wait(EVERY_S):
            for name in (*REFEREES, *WORKERS, *WEBS):
                with suppress(MachineError, KeyError, OSError):  # it has just died, or is being replaced
                    use = self._look_at(name)
                    if use is not None:
                        self.uses.setdefault(name, []).append(use)
            if time.monotonic() >= tables_at:
                self._look_at_store()
                tables_at = time.monotonic() + _TABLES_EVERY_S

    def _look_at(self, name: str) -> Use | None:
        pid = self.deployment.machines[name].pid(part_of(name))
        if pid is None:
            return None
        own = [pid]
        bots = 0
        for each in descendants(pid):
            if command_line(each).startswith(_BOTS):
                bots += 1
            else:
                own.append(each)
        pss, anonymous, rss, shared = (
            round(sum(kb) / 1024, 2) for kb in zip(*map(_memory_kb, own), strict=True)
        )
        return Use(
            round(self.now_s, 1),
            pid,
            *(pss, anonymous, rss, shared),
            len(list(Path(f"/proc/{pid}/fd").iterdir())) - bots,
            len(list(Path(f"/proc/{pid}/task").iterdir())),
            bots,
        )

    def _look_at_store(self) -> None:
        with suppress(SQLAlchemyError, RedisError, OSError):  # a fault has one of them away
            tables = table_sizes(self.deployment.store)
            info = self.deployment.redis.client.info("memory")
            sizes = {each.table: (each.size_bytes or 0) / 2**20 for each in tables}
            results = next(each.rows for each in tables if each.table == "match_result")
            self.sizes.append(
                StoreSize(
                    round(self.now_s, 1),
                    results,
                    round(sum(sizes.values()), 1),
                    round(info["used_memory"] / 2**20, 1),
                    {name: round(size, 2) for name, size in sizes.items()},
                )
            )


def _memory_kb(pid: int) -> tuple[int, int, int, int]:
    """Return the memory of a process in kB: its share of all, what is anonymous, all that is resident, and its share of what is anonymous."""
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        found = {words[0]: int(words[1]) for line in lines[1:] if (words := line.split())}
        return found["Pss:"], found["Anonymous:"], found["Rss:"], found["Pss_Anon:"]
    return 0, 0, 0, 0
