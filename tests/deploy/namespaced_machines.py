"""Machines as docs/many-machines.md has them: namespaces, with what the packages that it names would have put there.

systemd does not run in a namespace, so `systemctl` is done by hand: what a unit's file says is started with its settings, and waited
for until it says that it is ready.  PostgreSQL, Redis and nginx are Debian's own.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bench.chaos import network
from bench.chaos.machines import DYING_WITH_US, Machine, Service, send
from bench.chaos.network import Network
from tests.deploy.console_commands import Command
from tests.parts.postgres_server import programs
from tests.patience import wait_until

ROOT = Path(__file__).parents[2]
NAMES = ("db", "cache", "play1", "play2", "work1", "work2", "web1", "web2", "proxy", "admin")
EACH = ("play1", "play2", "work1", "work2", "web1", "web2")
_UNITS = "/etc/systemd/system"
_READY_S = 60.0
_COMMAND_S = 120
_PRIVATE = (
    "/etc/postgresql",
    "/opt",
    "/mnt",
    "/run",
    "/var/lib/bot-arena",
    "/var/lib/postgresql",
    "/var/log",
)
"""Where packages, commands and services write beside /etc: each machine has its own."""
_POSTGRES = programs()
_OTHERS = {
    "postgresql": (
        "pg_ctlcluster",
        "--foreground",
        _POSTGRES.parent.name if _POSTGRES else "",
        "main",
        "start",
    ),
    "redis-server": ("redis-server", "/etc/redis/redis.conf", "--daemonize", "no"),
    "nginx": ("nginx", "-g", "daemon off;"),
}
"""What the units of Debian's packages start."""


def missing() -> str:
    """Name what is not there of Debian's packages; empty if all is there."""
    wanted = {
        "nginx": "nginx-light",
        "redis-check-rdb": "redis-tools",
        "openssl": "openssl",
        "systemd-sysusers": "systemd",
        "ip": "iproute2",
    }
    lacks = [package for program, package in wanted.items() if shutil.which(program, path=_PATH) is None]
    return ", ".join(lacks + ([] if _POSTGRES else ["postgresql"]))


_PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"


def address_of(name: str) -> str:
    """Return the address of a machine."""
    return network.address(NAMES.index(name) + 1)


@dataclass
class Machines:
    """All machines of the page, by name."""

    folder: Path
    machines: dict[str, Machine] = field(default_factory=dict)

    def start(self) -> None:
        """Make the machines, and put there what a command of the page would have installed."""
        self._programs = self.folder / "bin"
        self._programs.mkdir()
        # Debian's Redis is one program, which is a server by this name.
        (self._programs / "redis-server").symlink_to(str(shutil.which("redis-check-rdb", path=_PATH)))
        scp = self._programs / "scp"
        scp.write_text(
            f'#!/bin/sh\n# scp -rp FOLDER root@NAME:/etc/bot-arena\nname=${{3#root@}}\nexec cp -rp "$2" "{self.folder}/${{name%%:*}}/bot-arena"\n'
        )
        scp.chmod(0o755)
        self.network = Network(self.folder)
        for name in NAMES:
            self.machines[name] = Machine(name, self.folder)
            self.network.attach(self.machines[name], address_of(name))
            self._install(name)

    def close(self) -> None:
        """Stop and remove it."""
        for machine in self.machines.values():
            machine.close()
        self.network.close()

    def do(self, command: Command) -> None:
        """Run a command of the page on its machine, or on each."""
        for name in EACH if command.machine == "each" else (command.machine,):
            if command.text.startswith("systemctl "):
                self._systemctl(name, command.text.split()[1:])
            else:
                self.shell(name, command.text)

    def shell(self, name: str, text: str) -> str:
        """Run a command as root's shell on a machine would; its output.  Fails with what it printed."""
        machine = self.machines[name]
        done = subprocess.run(
            [
                *DYING_WITH_US,
                "nsenter",
                f"--target={machine.init}",
                "--net",
                "--mount",
                "--uts",
                "--ipc",
                "--pid",
                "--wdns=/mnt",
                "bash",
                "-euo",
                "pipefail",
                "-c",
                text,
            ],
            env={"PATH": f"{self._programs}:{_PATH}", "HOME": "/mnt", "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=_COMMAND_S,
        )
        assert done.returncode == 0, f"{name}# {text}\n{done.stdout}\n{self._last_words(name)}"
        return done.stdout

    def _install(self, name: str) -> None:
        """Give a machine files of its own, names for the others, and what its packages would bring."""
        hosts = "".join(
            f"{address_of(each)} {each} {each}.example.org{' arena.example.org' if each == 'proxy' else ''}\n"
            for each in NAMES
        )
        layers = self.folder / name / "etc"
        layers.mkdir()
        self.machines[name].run("mount", "-t", "tmpfs", "tmpfs", str(layers))
        self.machines[name].run("mkdir", f"{layers}/upper", f"{layers}/work")
        options = f"lowerdir=/etc,upperdir={layers}/upper,workdir={layers}/work"
        self.machines[name].run("mount", "-t", "overlay", "-o", options, "overlay", "/etc")
        for place in _PRIVATE:
            self.machines[name].run(
                "sh", "-c", 'mkdir -p "$0" && mount -t tmpfs -o mode=755 tmpfs "$0"', place
            )
        lines = [
            f"cat > /etc/hosts <<'END'\n127.0.0.1 localhost\n{hosts}END",
            f"ln -s {self.folder}/{name}/bot-arena /etc/bot-arena",
            f"ln -s {Path(sys.executable).parents[1]} /opt/bot-arena",
            f"ln -s {ROOT}/deploy {ROOT}/docs /mnt",
            "mkdir -p /etc/sysusers.d /etc/systemd/system",
        ]
        match name:
            case "db":
                lines += [
                    "mkdir -p -m 1777 /run/postgresql /var/log/postgresql && chown postgres /var/lib/postgresql /etc/postgresql",
                    f"pg_createcluster {_OTHERS['postgresql'][2]} main",
                ]
            case "cache":
                lines += [
                    "mkdir -p /etc/redis && touch /etc/redis/redis.conf",
                    "id redis >/dev/null 2>&1 || useradd --system redis",
                ]
            case "proxy":
                lines += ["mkdir -p /var/log/nginx"]
        self.shell(name, "\n".join(lines))
        if name == "db":
            self._systemctl(name, ["restart", "postgresql"])

    def _systemctl(self, name: str, words: list[str]) -> None:
        match words:
            case ["daemon-reload"]:
                return
            case ["enable", "--now", *units]:
                pass
            case ["restart", *units]:
                for unit in units:
                    self._stop(name, unit)
            case _:
                raise AssertionError(f"systemctl {' '.join(words)}: the tests do not know this")
        for unit in units:
            if unit in _OTHERS:
                environment = {"PATH": f"{self._programs}:{_PATH}", "LANG": "C.UTF-8"}
                self.machines[name].start(
                    Service(unit, [*self._program(_OTHERS[unit][0]), *_OTHERS[unit][1:]], environment)
                )
                wait_until(
                    partial(self._answers, name, unit),
                    f"{unit} of {name} answers",
                    within_s=_READY_S,
                )
            elif not unit.endswith(".target"):
                self._start(name, unit)

    def _program(self, program: str) -> list[str]:
        own = self._programs / program
        return [str(own if own.exists() else shutil.which(program, path=_PATH))]

    def _start(self, name: str, unit: str) -> None:
        """Start what a unit's file and its drop-ins say, and wait until it says that it is ready."""
        template, _, instance = unit.partition("@")
        file = f"{template}@.service" if instance else f"{template}.service"
        lines = (
            self.shell(
                name, f"cat {_UNITS}/{file} {_UNITS}/{file}.d/*.conf 2>/dev/null || cat {_UNITS}/{file}"
            )
            .replace("%i", instance)
            .splitlines()
        )
        environment = {"PATH": _PATH, "LANG": "C.UTF-8"}
        for line in lines:
            key, _, value = line.partition("=")
            if key == "EnvironmentFile":
                environment |= dict(
                    re.findall(r"^(\w+)=(.*)$", self.shell(name, f"cat {value}"), re.MULTILINE)
                )
        starts = [line.partition("=")[2] for line in lines if line.startswith("ExecStart=")]
        for line in lines:
            key, _, value = line.partition("=")
            if key == "Environment":
                environment |= dict([value.split("=", 1)])
            elif key == "StateDirectory":
                self.shell(name, f"mkdir -p -m 700 /var/lib/{value}")
        argv: list[str] = []
        for word in shlex.split(starts[-1]):
            argv += shlex.split(environment.get(word[1:], "")) if word.startswith("$") else [word]
        # /opt is the machine's own, so the program is named as it is called outside.
        argv[0] = str(Path(sys.executable).with_name(Path(argv[0]).name))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            address = self.folder / name / f"{unit}.ready"
            address.unlink(missing_ok=True)
            listener.bind(str(address))
            listener.settimeout(0.05)
            self.machines[name].start(Service(unit, argv, {**environment, "NOTIFY_SOCKET": str(address)}))

            def is_ready() -> bool:
                with suppress(TimeoutError):
                    return "READY=1" in listener.recv(4096).decode().splitlines()
                return False

            wait_until(is_ready, f"{unit} of {name} is ready: {self._last_words(name)}", within_s=_READY_S)

    def _stop(self, name: str, unit: str) -> None:
        machine = self.machines[name]
        with suppress(KeyError):
            pid = machine.pid(unit)
            machine.hold(unit)
            if pid is not None:
                send(pid, signal.SIGINT if unit == "postgresql" else signal.SIGTERM)
            wait_until(lambda: machine.pid(unit) is None, f"{unit} of {name} ends", within_s=_READY_S)

    def _answers(self, name: str, unit: str) -> bool:
        ports = {"postgresql": 5432, "redis-server": 6379, "nginx": 443}
        code = f"import socket; socket.create_connection(('127.0.0.1', {ports[unit]}), 1)"
        with suppress(AssertionError):
            self.shell(name, f'{sys.executable} -c "{code}"')
            return True
        return False

    def _last_words(self, name: str) -> str:
        logs = sorted((self.folder / name).glob("*.log"))
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1500:]}" for log in logs)
