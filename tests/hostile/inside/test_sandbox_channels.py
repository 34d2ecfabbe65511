"""Sandboxes that try to tell each other something through what they share: inodes, the page cache, counts of the kernel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from referee.sandbox import self_test
from referee.sandbox.sandbox_launcher import SandboxLauncher
from tests.hostile.inside.pairs import listen
from tests.hostile.inside.sandboxed_attacks import SMALL

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def launcher() -> AsyncIterator[SandboxLauncher]:
    launcher = await self_test.choose("on", SMALL, allow_files=True, bundles=lambda _sha256: None)
    assert isinstance(launcher, SandboxLauncher)
    yield launcher
    launcher.close()


_READ_LOCK = "global kept; kept = os.open(SHARED, 0); fcntl.fcntl(kept, {set}, lock(fcntl.F_RDLCK, 42, 7))"
_WHO_LOCKS = "return struct.unpack('hhqqi4x', fcntl.fcntl(os.open(SHARED, 0), {get}, lock(fcntl.F_WRLCK)))"
_WAIT = """
address = mapped({flags})
value = ctypes.c_uint.from_address(address.value).value
waiting = threading.Event()
def wait():
    waiting.set()
    libc.syscall(202, address, {wait}, value, None, None, -1)
threading.Thread(target=wait, daemon=True).start()
waiting.wait()
time.sleep(0.3)
"""
_WAKE = "return libc.syscall(202, mapped({flags}), {wake}, 5, None, None, -1), ctypes.get_errno()"
_CAN_FORK = """
children = []
try:
    while True:
        child = os.fork()
        if not child:
            time.sleep({stay_s})
            os._exit(0)
        children.append(child)
except BlockingIOError:
    return len(children)
"""
_CAN_QUEUE = """
signal.pthread_sigmask(signal.SIG_BLOCK, [40])
queued = 0
while libc.sigqueue(os.getpid(), 40, None) == 0:
    queued += 1
return queued
"""


@pytest.mark.parametrize(
    ("tell", "hear"),
    [
        (
            _READ_LOCK.format(set="fcntl.F_SETLK"),
            _WHO_LOCKS.format(get="fcntl.F_GETLK"),
        ),
        (
            _READ_LOCK.format(set="37"),  # F_OFD_SETLK
            _WHO_LOCKS.format(get="36"),  # F_OFD_GETLK
        ),
        (
            "global kept; kept = os.open(SHARED, 0); fcntl.flock(kept, fcntl.LOCK_EX)",
            "return fcntl.flock(os.open(SHARED, 0), fcntl.LOCK_EX | fcntl.LOCK_NB)",
        ),
        (
            _WAIT.format(flags="mmap.MAP_SHARED", wait="0"),
            _WAKE.format(flags="mmap.MAP_SHARED", wake="1"),
        ),
        (
            _WAIT.format(flags="mmap.MAP_PRIVATE", wait="9"),  # FUTEX_WAIT_BITSET
            _WAKE.format(flags="mmap.MAP_PRIVATE", wake="10"),
        ),
        ("os.utime('/dev/null')", "return os.stat('/dev/null').st_mtime_ns"),
        ("os.utime(0)", "return os.fstat(0).st_mtime_ns"),
        (
            "for _ in range(50):\n    if not os.fork(): os._exit(0)\n    os.wait()",
            "return os.fstat(os.pidfd_open(os.getpid())).st_ino",
        ),
        (
            "for pair in (socket.socketpair() for _ in range(5000)):\n    pair[0].getsockopt(1, 57, 8)",
            "return [socket.socketpair()[0].getsockopt(1, 57, 8) for _ in range(2000)][-1]",
        ),
        (_CAN_FORK.format(stay_s=600), _CAN_FORK.format(stay_s=0.5)),
        (_CAN_QUEUE, _CAN_QUEUE),
        ("open(SHARED, 'rb').read()", "return os.stat(SHARED).st_atime_ns"),
        ("os.setpriority(os.PRIO_PROCESS, 0, 7)", "return os.getpriority(os.PRIO_USER, 0)"),
        ("open('/tmp/x', 'wb').write(bytes(1 << 20))", "return os.listdir('/tmp')"),
        (
            "global kept; kept = socket.socket(socket.AF_UNIX); kept.bind('\\0x'); kept.listen()",
            "socket.socket(socket.AF_UNIX).connect('\\0x')",
        ),
    ],
    ids=[
        "posix_locks", "locks_of_open_files", "flock", "futex_on_a_shared_mapping", "futex_on_a_library",
        "times_of_dev_null", "times_of_standard_input", "inode_numbers_of_pidfds", "socket_cookies",
        "limit_on_processes", "limit_on_pending_signals", "access_times", "priorities_of_a_user", "tmp", "abstract_sockets",
    ],
)  # fmt: skip
async def test_a_sandbox_hears_nothing_of_another(
    launcher: SandboxLauncher, folder: Path, tell: str, hear: str
) -> None:
    heard = await listen(launcher, folder, tell, hear)
    assert heard.beside == heard.alone


async def test_whether_a_page_is_cached_cannot_be_asked(launcher: SandboxLauncher, folder: Path) -> None:
    # What remains is to time a read, which also changes what is asked for.
    asks = """
    answers = []
    for ask in (
        lambda file: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT),
        lambda file: libc.syscall(451, file, 0, 0, 0),
        lambda file: libc.mincore(mapped(mmap.MAP_SHARED), 4096, ctypes.create_string_buffer(1)),
        lambda file: libc.syscall(437, -100, SHARED.encode(), struct.pack("QQQ", 0, 0, 0x20), 24),
    ):
        try:
            answers.append(ask(os.open(SHARED, 0)))
        except OSError:
            answers.append(-1)
    return answers
    """
    heard = await listen(launcher, folder, "pass", asks)
    assert heard.alone == "result: [-1, -1, -1, -1]"
