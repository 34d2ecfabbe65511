"""Importing without the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Import in this block without the garbage collector, and exclude the new objects from later collections.

    An import makes nearly no garbage, but a great number of objects, so that the collector, which examines all of them
    again and again, takes a fifth of a start.  In a block within such a block it changes nothing.
    """
    is_outermost = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_outermost:
            gc.freeze()
            gc.enable()
