"""What a process tells its supervisor, over a real socket."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

TELLS_FROM_MANY_THREADS = """
import sys, threading
from arena.core import sd_notify
sys.setswitchinterval(1e-6)
together = threading.Barrier(8)
def tell():
    together.wait()
    sd_notify.tell(sd_notify.ALIVE)
threads = [threading.Thread(target=tell) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sd_notify.tell(sd_notify.READY)
"""


def test_nothing_is_lost_that_threads_tell_at_the_same_moment(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.settimeout(5)
        environment = {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        for _ in range(3):
            subprocess.run([sys.executable, "-c", TELLS_FROM_MANY_THREADS], env=environment, check=True)
            heard = [listener.recv(100).decode() for _ in range(9)]
            assert heard == ["WATCHDOG=1"] * 8 + ["READY=1"]
