"""Values: what is made once and never changed, such as a step or a position.

Most are frozen dataclasses or named tuples.  Those that are made for each decision are classes over `Value` with an
`__init__` of their own: the quickest to make in plain Python (0.14 µs in place of 0.42 for three fields), and compiled
as quick as a struct (0.03 µs).  What they are made of is named by `__init__`, each attribute like its parameter.

Values hold older values only, so they are no part of a cycle (`acyclic`), and Python need not look through them for one.
Of a position the memory is used again for the next one (`free_list_len`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from inspect import signature
from typing import Any, Self, TypeVar, cast

Kind = TypeVar("Kind")

try:
    from mypy_extensions import mypyc_attr as mypyc_attr  # noqa: PLC0414 - exported
except ImportError:  # the SDK does without: it only matters to the compiler

    def mypyc_attr(**_: object) -> Callable[[Kind], Kind]:  # type: ignore[misc]
        """Return what leaves a class as it is."""
        return lambda kind: kind


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Value:
    """Compares, hashes and prints by its fields, as a frozen dataclass does.

    Only mypy (`Final`) and convention keep one from being changed: a position may be changed where it
    was copied, until it is handed on.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        kind = type(self)
        fields = zip(_names(cast("Hashable", kind)), _values(self), strict=True)
        return f"{kind.__name__}({', '.join([f'{name}={value!r}' for name, value in fields])})"

    def replace(self, **changes: Any) -> Self:  # noqa: ANN401 - each field has its own type
        """Return a copy with other values in the named fields; slower than a `copy` of the class itself."""
        kind = cast("Any", type(self))
        made: Self = kind(**(dict(zip(_names(kind), _values(self), strict=True)) | changes))
        return made


@cache
def _names(kind: Hashable) -> tuple[str, ...]:
    return tuple(signature(cast("Any", kind)).parameters)


def _values(value: Any) -> tuple[Any, ...]:  # noqa: ANN401 - of any class
    return tuple([getattr(value, name) for name in _names(cast("Hashable", type(value)))])
