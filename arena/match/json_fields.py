"""Strict reading of JSON: every field is named, typed and bounded, and none may be left over."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable
from sys import float_info
from typing import Any, TypeVar, cast

from arena.core.errors import ArenaError
from arena.games.kernel import Json

_DEEPEST = 16
_HEX_DIGITS = frozenset("0123456789abcdef")

Value = TypeVar("Value")


class RecordError(ArenaError):
    """Raised when a text is no record: not JSON, or a field missing, unknown, of a wrong type or out of range."""


def parse(text: str) -> object:
    """Read JSON as its standard has it: no NaN, no key twice in an object, no half of a surrogate pair."""
    try:
        document: object = json.loads(text, object_pairs_hook=_build, parse_constant=_refuse)
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode()
    except RecursionError as error:
        raise RecordError("record: must be JSON; it is nested too deeply") from error
    except ValueError as error:
        why = "it has a number of too many digits" if "digits" in str(error) else error
        raise RecordError(f"record: must be JSON in UTF-8; {why}") from error
    return document


def refuse(path: str, value: object, right: str) -> RecordError:
    """Make the error for a field whose value is wrong."""
    return RecordError(f"{path}: must be {right}; it is {reprlib.repr(value)}")


class Fields:
    """The fields of one JSON object; each is taken once, `close` refuses what is left."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, dict):
            raise refuse(path or "record", value, "an object")
        self._left: dict[str, object] = dict(value)
        self._path = path

    def __contains__(self, name: str) -> bool:
        return name in self._left

    def path(self, name: str) -> str:
        """Name a field so that it can be found: `result.fault.seat`."""
        return f"{self._path}.{name}" if self._path else name

    def take(self, name: str) -> object:
        """Take a field of any type."""
        if name not in self._left:
            raise RecordError(f"{self.path(name)}: is missing")
        return self._left.pop(name)

    def text(self, name: str) -> str:
        """Take a string."""
        value = self.take(name)
        if not isinstance(value, str):
            raise refuse(self.path(name), value, "a string")
        return value

    def integer(self, name: str, *, low: int | None = None) -> int:
        """Take an integer, of at least `low`."""
        return read_integer(self.take(name), self.path(name), low=low)

    def duration(self, name: str) -> float:
        """Take a finite number, 0 or more."""
        value = self.take(name)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= cast("float", value) <= float_info.max:
            raise refuse(self.path(name), value, "a number, 0 or more and finite as a double")
        return float(cast("float", value))

    def hex32(self, name: str) -> bytes:
        """Take 32 bytes in hex."""
        value = self.take(name)
        if not isinstance(value, str) or len(value) != 64 or not _HEX_DIGITS.issuperset(value):
            raise refuse(self.path(name), value, "64 hex digits in lower case")
        return bytes.fromhex(value)

    def json(self, name: str) -> dict[str, Json]:
        """Take an object that holds anything, not nested deeper than any game's detail."""
        value = self.take(name)
        if not isinstance(value, dict):
            raise refuse(self.path(name), value, "an object")
        if _is_deeper(value, _DEEPEST):
            raise refuse(self.path(name), value, f"nested {_DEEPEST} deep at most")
        return value

    def each(self, name: str, read: Callable[[Any, str], Value]) -> tuple[Value, ...]:
        """Take a list, each entry read by `read(entry, path)`."""
        value = self.take(name)
        if not isinstance(value, list):
            raise refuse(self.path(name), value, "a list")
        path = self.path(name)
        return tuple([read(entry, f"{path}[{index}]") for index, entry in enumerate(value)])

    def integers(self, name: str) -> dict[str, int]:
        """Take an object of integers."""
        path = self.path(name)
        fields = Fields(self.take(name), path)
        return {key: read_integer(value, fields.path(key)) for key, value in fields._left.items()}

    def close(self) -> None:
        """Refuse the fields that were not taken."""
        if self._left:
            raise RecordError(f"{self.path(next(iter(self._left)))}: is no field of a record")


def read_integer(value: object, path: str, *, low: int | None = None) -> int:
    """Read an integer; true, false and 1.0 are none."""
    if not isinstance(value, int) or isinstance(value, bool) or (low is not None and value < low):
        raise refuse(path, value, "an integer" if low is None else f"an integer, {low} or more")
    return value


def read_text(value: object, path: str) -> str:
    """Read a string."""
    if not isinstance(value, str):
        raise refuse(path, value, "a string")
    return value


def _is_deeper(value: object, limit: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return limit < 0 or any(_is_deeper(each, limit - 1) for each in inner)


def _build(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordError(f"{twice}: stands twice in one object")
    return fields


def _refuse(constant: str) -> object:
    raise RecordError(f"record: must be JSON; {constant} is no number of it")
