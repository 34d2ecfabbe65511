"""The choice of the kernel when memory has run out: bots before the referee; and what its log says of it.

The log names processes with the memory that they used, which proves the cause of a death by SIGKILL.  Reading it takes root or
CAP_SYSLOG, and its process numbers are those of the machine, so in a container nothing is proved.
Source: Linux, mm/oom_kill.c (oom_badness, dump_oom_victim, __oom_kill_process), Documentation/ABI/testing/dev-kmsg;
proc_pid_oom_score_adj(5).
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_ABOVE = 500
"""A bot's processes count as if each used half of the memory that has run out, besides what it uses.

Something else that has more than half of it is still chosen first: then it is what ran wild.
"""
_MAX_SCORE = 1000
_LOG = "/dev/kmsg"
_RECORD_BYTES = 8192
_MAX_VICTIMS = 256
_MAX_RECORDS = 10_000
"""The most records read at one time; more than fit into the kernel's buffer."""
_INITIAL_PID_NAMESPACE = "pid:[4026531836]"
_CHOSEN = re.compile(r"oom-kill:constraint=(\w+),.*?oom_memcg=([^,]*),.*,pid=(\d+),uid=\d+$")
_CHOSEN_BY_ALL = re.compile(r"oom-kill:constraint=(\w+),.*?(?:,global_oom).*,pid=(\d+),uid=\d+$")
_KILLED = re.compile(
    r"(?:Out of memory|Memory cgroup out of memory): Killed process (\d+) \(.*\) total-vm:\d+kB, "
    r"anon-rss:(\d+)kB, file-rss:(\d+)kB, shmem-rss:(\d+)kB, UID:\d+ pgtables:(\d+)kB"
)


@dataclass(frozen=True, slots=True)
class Victim:
    """A process that was killed for lack of memory: the control group that ran out ("" for the machine), and how much it used."""

    group: str
    used_bytes: int


def raise_oom_score(pid: int) -> None:
    """Have the kernel choose a process, and all that it will start, before this one.  Nothing changes where /proc is read-only."""
    with suppress(OSError):
        Path(f"/proc/{pid}/oom_score_adj").write_text(str(_bot_score()))


def with_raised_oom_score(command: list[str]) -> list[str]:
    """Return a command line that runs another one, which the kernel chooses before this process from its first moment on."""
    script = 'echo "$0" 2>/dev/null >/proc/self/oom_score_adj; exec "$@"'
    return ["/bin/sh", "-c", script, str(_bot_score()), *command]


def _bot_score() -> int:
    """Return the score of a bot's processes: above this one's own, which Kubernetes sets, up to the kernel's maximum."""
    own = 0
    with suppress(OSError):
        own = int(Path("/proc/self/oom_score_adj").read_text())
    return min(own + _ABOVE, _MAX_SCORE)


class OomLog:
    """Reads the kernel's log from the moment that it is opened.  Mutable."""

    def __init__(self) -> None:
        self._groups: dict[int, str] = {}
        self._victims: dict[int, Victim] = {}
        self._file = -1
        with suppress(OSError):
            if str(Path("/proc/self/ns/pid").readlink()) == _INITIAL_PID_NAMESPACE:
                self._file = os.open(_LOG, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                os.lseek(self._file, 0, os.SEEK_END)

    def take(self, pid: int) -> Victim | None:
        """Return what the log says of a process since the last look; None if nothing."""
        for _ in range(_MAX_RECORDS):
            try:
                record = os.read(self._file, _RECORD_BYTES)
            except BrokenPipeError:  # records were overwritten before they were read
                continue
            except OSError:
                break
            self.note(record.decode(errors="replace"))
        return self._victims.pop(pid, None)

    def close(self) -> None:
        """Stop reading."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def note(self, record: str) -> None:
        """Take in a record of the log."""
        text = record.partition(";")[2].partition("\n")[0]
        if chosen := _CHOSEN.match(text):
            self._groups[int(chosen[3])] = chosen[2]
        elif chosen := _CHOSEN_BY_ALL.match(text):
            self._groups[int(chosen[2])] = ""
        elif killed := _KILLED.match(text):
            pid, *kib = map(int, killed.groups())
            group = self._groups.pop(pid, None)
            if group is not None:
                self._victims[pid] = Victim(group, sum(kib) * 1024)
        for noted in (self._groups, self._victims):
            if len(noted) > _MAX_VICTIMS:
                del noted[next(iter(noted))]


def is_shared(group: str) -> bool:
    """Return whether a control group includes this process, rather than one sandbox only."""
    if not group:
        return True
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, own = line.split(":", 2)
            if controllers in {"", "memory"} and (own == group or own.startswith(f"{group.rstrip('/')}/")):
                return True
    return False
