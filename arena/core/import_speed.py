"""Importing without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Import in this block without the garbage collector, and leave what was made out of its way for good.

    Nearly nothing that an import makes is garbage, but there is so much of it that the collector, which looks at all of it
    time and again, takes a fifth of a start.  In a block within such a block it changes nothing.
    """
    is_outermost = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_outermost:
            gc.freeze()
            gc.enable()
