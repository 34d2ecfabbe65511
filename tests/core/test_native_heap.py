"""Large blocks come and go without a trace in the heap."""

from __future__ import annotations

import subprocess
import sys

_PROGRAM = """
import ctypes
from arena.core import native_heap
if {compact}:
    native_heap.keep_compact()
c = ctypes.CDLL(None)
c.malloc.restype = c.sbrk.restype = ctypes.c_void_p
c.free.argtypes = [ctypes.c_void_p]
c.free(c.malloc(8 << 20))
before = c.sbrk(0)
c.malloc(6 << 20)
print(c.sbrk(0) - before)
"""


def heap_bytes_of_a_large_block(*, compact: bool) -> int:
    program = _PROGRAM.format(compact=compact)
    return int(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout)


def test_a_large_block_is_not_put_into_the_heap() -> None:
    assert heap_bytes_of_a_large_block(compact=False) > 0  # what it is for: glibc does so by itself
    assert heap_bytes_of_a_large_block(compact=True) == 0
