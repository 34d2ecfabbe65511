"""Ratings: Elo as a function of the stored results.  Pure."""

from __future__ import annotations

import os

# Linear algebra on one thread, set before NumPy is loaded: several would wait for each other on the cores that matches are played on,
# and take twice the processor's time; and how many there are would show in the last digits.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
