"""The memory of the C library's allocator, in processes that live for weeks."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from time import sleep

# From malloc.h of glibc; see mallopt(3).
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_M_ARENA_MAX = -8

_OWN_MAPPING_BYTES = 256 << 10
_KEPT_FREE_BYTES = 4 << 20
_MAX_HEAPS = 2
_TRIM_EVERY_S = 60.0


def keep_compact() -> None:
    """Keep large blocks out of the heap, threads on few heaps, and give free pages back now and then; only glibc can do so.

    By itself glibc puts blocks of up to 32 MB into the heap once such a one has been freed: small blocks that stay between them keep
    the heap from shrinking, and it grows for hours though no more of it is in use.  Pages between such blocks it gives back only when
    asked to.
    """
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _OWN_MAPPING_BYTES)
        library.mallopt(_M_TRIM_THRESHOLD, _KEPT_FREE_BYTES)
        library.mallopt(_M_ARENA_MAX, _MAX_HEAPS)
        # A thread: the call takes some milliseconds, for which an event loop would block.
        threading.Thread(target=_trim, args=(library.malloc_trim,), name="heap", daemon=True).start()


def _trim(malloc_trim: Callable[[int], int]) -> None:
    while True:
        sleep(_TRIM_EVERY_S)
        malloc_trim(0)
