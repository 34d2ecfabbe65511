"""The network between the machines: a bridge on a machine of its own, and one link for each of the others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bench.chaos.machines import Machine, MachineError

_SUBNET = "10.77.0"
"""Used inside of our own namespaces only, so it cannot clash with anything."""
_LINK = "eth0"


class Network:
    """A bridge with machines on it."""

    def __init__(self, folder: Path) -> None:
        self._switch = Machine("switch", folder)
        self._switch.run(
            "ip", "-batch", "-", text="link add name br0 type bridge\nlink set br0 up\nlink set lo up\n"
        )

    def attach(self, machine: Machine, address: str) -> None:
        """Attach a machine by a link and an address; a machine that is gone leaves both to its successor."""
        port = machine.name
        self._switch.run(
            *("ip", "-batch", "-"),
            text=f"link add name {port} type veth peer name {_LINK} netns {machine.init}\nlink set dev {port} master br0 up\n",
        )
        machine.run(
            *("ip", "-batch", "-"),
            text=f"addr add {address}/24 dev {_LINK}\nlink set {_LINK} up\nlink set lo up\n",
        )

    def cut_off(self, machine: Machine) -> None:
        """Pull a machine's plug."""
        self._switch.run("ip", "link", "set", "dev", machine.name, "down")

    def plug_in(self, machine: Machine) -> None:
        """Undo `cut_off`."""
        self._switch.run("ip", "link", "set", "dev", machine.name, "up")

    def remove(self, machine: Machine) -> None:
        """Take away the link of a machine that is gone; the kernel does so too, but in its own time."""
        with suppress(MachineError):
            self._switch.run("ip", "link", "del", "dev", machine.name)

    def close(self) -> None:
        """Stop and remove it."""
        self._switch.close()


def address(number: int) -> str:
    """Return the address of a machine."""
    return f"{_SUBNET}.{number}"


def part(machine: Machine, other: str) -> None:
    """Drop every packet between a machine and an address, silently, in both directions."""
    for rule in _rules(other):
        machine.run("iptables", "-w", "-I", *rule)


def mend(machine: Machine, other: str) -> None:
    """Undo `part`."""
    for rule in _rules(other):
        machine.run("iptables", "-w", "-D", *rule)


@contextmanager
def parted(machine: Machine, other: str) -> Iterator[None]:
    """Keep a machine and an address apart for a while."""
    part(machine, other)
    try:
        yield
    finally:
        mend(machine, other)


def _rules(other: str) -> Iterator[tuple[str, ...]]:
    yield ("INPUT", "-s", other, "-j", "DROP")
    yield ("OUTPUT", "-d", other, "-j", "DROP")
