"""The views of the games as plain values, for JSON."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:  # noqa: ANN401 - any field of any view
    """Make lists and objects of a view's tuples and named tuples."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(each) for name, each in zip(value._fields, value, strict=True)}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value
