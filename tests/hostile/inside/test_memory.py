"""Bots that take more memory than they may, in all the ways there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.inside.sandboxed_attacks import hostile, play
from tests.referee.running_referee import House

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_one_process_gets_no_more_than_its_share(house: House, folder: Path) -> None:
    outcome = await play(house, hostile(folder, "return len(bytearray(200 << 20))"))
    assert outcome.fault is None
    assert outcome.said == "stopped: MemoryError \n"


async def test_flood_of_memory_is_a_crash_of_its_own(house: House, folder: Path) -> None:
    attack = """
    kept = []
    try:
        while True:
            kept.append(bytes(1 << 20))
    except MemoryError:
        kept.clear()
        raise SystemExit("no memory left")
    """
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is not None
    assert outcome.fault.message.endswith("no memory left")


async def test_processes_get_no_more_together_than_one(house: House, folder: Path) -> None:
    attack = """
    for _ in range(6):
        if not os.fork():
            kept = bytearray(30 << 20)
            kept[::4096] = bytes(len(kept[::4096])).replace(b"\\0", b"x")
            time.sleep(60)
            os._exit(0)
    time.sleep(60)
    """
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is not None
    assert "MiB of memory, 128 MiB are allowed" in outcome.fault.message


async def test_what_sockets_hold_is_counted(house: House, folder: Path) -> None:
    attack = """
    for _ in range(12):
        if not os.fork():
            kept = []
            try:
                while True:
                    kept.append(socket.socketpair())
                    kept[-1][0].setblocking(False)
                    kept[-1][0].send(bytes(100_000))
            except OSError:
                time.sleep(60)
            os._exit(0)
    time.sleep(60)
    """
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is not None
    assert "MiB of memory, 128 MiB are allowed" in outcome.fault.message


async def test_forked_children_that_only_look_are_not_counted_twice(house: House, folder: Path) -> None:
    attack = """
    kept = bytearray(b"x") * (40 << 20)
    children = []
    for _ in range(6):
        child = os.fork()
        if not child:
            time.sleep(1.5)
            os._exit(0)
        children.append(child)
    return [os.waitpid(child, 0)[1] for child in children]
    """
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is None
    assert outcome.said == "result: [0, 0, 0, 0, 0, 0]\n"


@pytest.mark.parametrize(
    ("attack", "error"),
    [
        ("mmap.mmap(-1, 4096)", "PermissionError"),
        ("os.memfd_create('x')", "PermissionError"),
        ("from multiprocessing import shared_memory; shared_memory.SharedMemory('x', True, 4096)", "Error"),
        ("mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)", "FileNotFoundError"),
        ("open('/dev/shm/x', 'w')", "FileNotFoundError"),
        ("import fcntl; fcntl.lockf(open('/tmp/x', 'w'), fcntl.LOCK_EX, 1, 7)", "PermissionError"),
        ("import fcntl; fcntl.flock(0, fcntl.LOCK_SH)", "PermissionError"),
        ("import fcntl; fcntl.fcntl(os.pipe()[1], fcntl.F_SETPIPE_SZ, 1 << 20)", "PermissionError"),
        ("mmap.mmap(-1, 2 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)", "PermissionError"),
        ("mmap.mmap(-1, 100 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)", "OSError"),
    ],
    ids=[
        "shared_mapping",
        "memory_file",
        "posix_shared_memory",
        "mapping_of_zeroes",
        "shm_folder",
        "locks",
        "locks_of_whole_files",
        "larger_pipes",
        "huge_pages",
        "page_tables",
    ],
)
async def test_memory_that_nobody_owns_is_refused(
    house: House, folder: Path, attack: str, error: str
) -> None:
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is None
    assert outcome.said.startswith("stopped: ")
    assert error in outcome.said


async def test_mappings_without_number_are_a_crash_of_its_own(house: House, folder: Path) -> None:
    attack = """
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    for _ in range(4):
        if not os.fork():
            start = libc.mmap(None, ctypes.c_size_t(300 << 20), 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
            for page in range(0, 70_000, 2):
                libc.mprotect(ctypes.c_void_p(start + page * 4096), 4096, mmap.PROT_READ)
            time.sleep(600)
    time.sleep(600)
    """
    outcome = await play(house, hostile(folder, attack))
    assert outcome.fault is not None
    assert "more than 65536 memory mappings" in outcome.fault.message


async def test_locked_memory_is_refused(house: House, folder: Path) -> None:
    outcome = await play(house, hostile(folder, "return ctypes.CDLL(None).mlockall(3)"))
    assert outcome.said == "result: -1\n"
