"""Ratings: Elo as a function of the stored results.  Pure."""

from __future__ import annotations

import os

_THREADS = "OPENBLAS_NUM_THREADS"

# Linear algebra on one thread: several would wait for each other on the cores that matches are played on, and take twice the
# processor's time; and how many there are would show in the last digits.  It is read when NumPy is loaded, and is nobody's else.
_given = os.environ.get(_THREADS)
os.environ.setdefault(_THREADS, "1")
import numpy as np  # noqa: E402, F401

if _given is None:
    del os.environ[_THREADS]
