"""The first process of a machine: starts services, and starts them again one second after they died, as systemd would.

Run as `python -I -S init.py HOSTNAME SOCKET` inside of new namespaces.  It listens on a Unix socket, and answers each
line (JSON) with a line:

    {"do": "start", "service": "web", "argv": […], "environment": {…}, "log": "/path"}
    {"do": "hold", "service": "web"}        do not start it again when it dies
    {"do": "release", "service": "web"}     start it again, now if it is dead
    {"do": "look"}                          → {"web": 17, "redis": null}: process numbers on this machine

It is process 1 of its PID namespace: when it is killed, the kernel kills everything on this machine.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import time

_RESTART_S = 1.0
_TICK_S = 0.05


class Service:
    """A program that is to run."""

    def __init__(self, argv: list[str], environment: dict[str, str], log: str) -> None:
        self.argv, self.environment, self.log = argv, environment, log
        self.held = False
        self.pid: int | None = None
        self.died_at = 0.0

    def start(self) -> None:
        """Start it."""
        log = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self.pid = os.posix_spawn(
            self.argv[0],
            self.argv,
            self.environment,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, self.log, log, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setsid=True,
        )


def main() -> None:
    """Serve until killed."""
    hostname, path = sys.argv[1:]
    socket.sethostname(hostname)
    # Shared memory of this machine's own: what a killed PostgreSQL leaves there goes with the machine.
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/dev/shm"], check=True)  # noqa: S108
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    connection, _ = listener.accept()
    services: dict[str, Service] = {}
    pending = b""
    while True:
        readable, _, _ = select.select([connection], [], [], _TICK_S)
        if readable:
            read = connection.recv(65536)
            if not read:
                return
            *lines, pending = (pending + read).split(b"\n")
            for line in lines:
                answer = _obey(services, json.loads(line))
                connection.sendall(json.dumps(answer).encode() + b"\n")
        _reap(services)
        for service in services.values():
            due = time.monotonic() >= service.died_at + _RESTART_S
            if service.pid is None and not service.held and due:
                service.start()


def _obey(services: dict[str, Service], command: dict[str, object]) -> dict[str, int | None]:
    name = str(command.get("service", ""))
    match command["do"]:
        case "start":
            service = Service(command["argv"], command["environment"], str(command["log"]))  # type: ignore[arg-type]
            services[name] = service
            service.start()
        case "hold":
            services[name].held = True
        case "release":
            services[name].held = False
            services[name].died_at = 0.0
        case "look":
            _reap(services)
    return {name: service.pid for name, service in services.items()}


def _reap(services: dict[str, Service]) -> None:
    """Take note of the dead; process 1 inherits all orphans, too."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        for service in services.values():
            if service.pid == pid:
                service.pid, service.died_at = None, time.monotonic()


if __name__ == "__main__":
    main()
