"""Which processes have an SQLite database locked for writing.

Sources: proc_locks(5); https://sqlite.org/walformat.html section 2.3.1: the lock on writing is byte 120 of the file `-shm`;
https://sqlite.org/lockingv3.html: without a write-ahead log, locks are from byte 1073741824 of the database on.
"""

from __future__ import annotations

from pathlib import Path

_WRITE_BYTE = 120
_FIRST_BYTE = 0x40000000


def describe_holders(file: Path) -> str:
    """Name the processes that keep others from writing; nothing where that cannot be known."""
    return " and ".join(f"process {pid} ({_command(pid)})" for pid in sorted(find_holders(file)))


def find_holders(file: Path) -> set[int]:
    """Return the processes of this machine that have a database locked for writing."""
    inodes = {_inode(file): _FIRST_BYTE, _inode(file.with_name(f"{file.name}-shm")): _WRITE_BYTE}
    holders = set()
    for line in _locks():
        # 1: POSIX  ADVISORY  WRITE 25353 fe:00:2163153 120 120
        words = line.split()
        if len(words) != 8 or words[3] != "WRITE" or not words[4].isdecimal() or words[4] == "0":
            continue
        first_byte = inodes.get(int(words[5].rpartition(":")[2]))
        if first_byte is not None and _covers(words[6], words[7], first_byte):
            holders.add(int(words[4]))
    return holders


def _covers(start: str, end: str, first_byte: int) -> bool:
    """Return whether a lock keeps writers out: that very byte of the log's index, or any from there on of the database."""
    if first_byte == _WRITE_BYTE:
        return int(start) <= _WRITE_BYTE and (end == "EOF" or int(end) >= _WRITE_BYTE)
    return end == "EOF" or int(end) >= first_byte


def _locks() -> list[str]:
    try:
        return Path("/proc/locks").read_text().splitlines()
    except OSError:
        return []


def _inode(file: Path) -> int:
    try:
        return file.stat().st_ino
    except OSError:
        return -1


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return "of another user"
    return " ".join(words).strip()[:80] or "of the kernel"
