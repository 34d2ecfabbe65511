"""The sparse equations of the fit: a graph's Laplacian, whose pattern stays while its weights change."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]

_DENSE = 300
"""Number of bots up to which dense elimination is the fastest."""

_RESIDUAL = 1e-9
_ITERATIONS = 300
_RIDGE = 1e-9
"""The Laplacian is singular along each component; a trace of its largest degree on the diagonal fixes that."""


class Laplacian:
    """The Laplacian of a graph whose edges join `low` and `high`, `low` ascending."""

    def __init__(self, low: Ints, high: Ints, size: int) -> None:
        self._low, self._high, self._size = low, high, size
        # With its edges in this order they already are the rows of the upper triangle: no sorting for each weight.
        self._columns = high.astype(np.int32)
        self._starts = np.searchsorted(low, np.arange(size + 1)).astype(np.int32)

    def solve(self, weight: Floats, right: Floats, residual: float = _RESIDUAL) -> Floats:
        """Solve Laplacian(weight) · x = right, so that what is left of `right` is no more than this part of it."""
        degree = np.bincount(self._low, weight, self._size) + np.bincount(self._high, weight, self._size)
        diagonal = np.asarray(degree + _RIDGE * degree.max(), dtype=np.float64)
        if self._size <= _DENSE:
            return self._eliminate(weight, diagonal, right)
        sparse = scipy.sparse
        upper = sparse.csr_array((weight, self._columns, self._starts), shape=(self._size, self._size))
        lower = upper.T
        matrix = sparse.linalg.LinearOperator(
            upper.shape, lambda x: diagonal * x - upper @ x - lower @ x, dtype=np.float64
        )
        jacobi = sparse.linalg.LinearOperator(upper.shape, lambda x: x / diagonal, dtype=np.float64)
        x, failed = sparse.linalg.cg(
            matrix, right, rtol=max(residual, _RESIDUAL), atol=0.0, maxiter=_ITERATIONS, M=jacobi
        )
        if failed:
            # Long chains of bots condition the matrix badly, but have few entries to fill in: elimination is cheap.
            x = sparse.linalg.splu((sparse.diags_array(diagonal) - upper - lower).tocsc()).solve(right)
        return np.asarray(x)

    def _eliminate(self, weight: Floats, diagonal: Floats, right: Floats) -> Floats:
        matrix = np.diag(diagonal)
        matrix[self._low, self._high] = -weight
        matrix[self._high, self._low] = -weight
        return np.asarray(np.linalg.solve(matrix, right))
