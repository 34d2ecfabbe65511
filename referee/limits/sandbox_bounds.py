"""The limits of a hosted bot's sandbox, in one value."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bundle_format import sandbox_errors as standard

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of one sandbox.  The kernel enforces all but sums over processes, which the watchdog enforces."""

    memory_bytes: int = standard.MEMORY_MIB * MIB
    """Memory of all its processes together; each of them alone gets no more from the kernel."""

    processes: int = standard.PROCESSES
    """Processes and threads together; grpc alone starts about ten threads."""

    cpu_s: int = 21_600
    """Processor seconds of a process in its life, which lasts as long as matches follow one another."""

    cores: float = 1.5
    """Processor seconds per second that all its processes together may use: it thinks in a slot, which is one core."""

    burst_s: float = 20.0
    """Over how many seconds that is averaged."""

    tmp_bytes: int = standard.TMP_MIB * MIB
    """All that it may write to its own /tmp; also the longest file."""

    tmp_files: int = standard.TMP_FILES
    """Files and folders in its /tmp: their number costs memory too."""

    open_files: int = standard.OPEN_FILES
    """File descriptors of one process.

    Bots were measured to use 15 in Python with the SDK, 19 with three more channels of grpc, 19 in Node, and 3 with ONNX Runtime.
    What a process can watch by epoll grows with the third power of this number.
    """

    kernel_bytes: int = 256 * MIB
    """Memory that the kernel may hold for all sandboxes of a referee together, beyond what belongs to their processes."""


ADDRESSES_BYTES = 8 << 30
"""Addresses of one process besides its memory: grpc reserves 500 MB that it never uses, each thread's heap 64 MB.

Bounds what the page tables take, 8 bytes for every 4096.
"""

STACK_BYTES = 8 * MIB
