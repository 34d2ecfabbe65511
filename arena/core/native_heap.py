"""How the C library's allocator keeps its memory, in processes that live for weeks."""

from __future__ import annotations

import ctypes
from contextlib import suppress

# From malloc.h of glibc; see mallopt(3).
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8

_OWN_MAPPING_BYTES = 256 << 10
_KEPT_FREE_BYTES = 4 << 20
_MAX_HEAPS = 2


def keep_compact() -> None:
    """Keep large blocks out of the heap, and threads on few heaps; does nothing where the C library is not glibc.

    By itself glibc puts blocks of up to 32 MB into the heap once such a one has been freed: small blocks that stay between them keep
    the heap from shrinking, and it grows for hours though no more of it is in use.
    """
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_MMAP_THRESHOLD, _OWN_MAPPING_BYTES)
        mallopt(_M_TRIM_THRESHOLD, _KEPT_FREE_BYTES)
        mallopt(_M_ARENA_MAX, _MAX_HEAPS)
