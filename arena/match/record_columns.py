"""A record as columns, which compress well: each field of the steps by itself, the values of all steps one after the other.

    text ──encode──▶ form ‖ a line of JSON ‖ hashes ‖ numbers ──decode──▶ the same text, byte for byte

The line of JSON is the record without its steps, and a table of all words in them; the numbers refer to that table.  The
bytes are described in docs/record.md, *At rest*.  Nothing here knows a game, its rules, or the fields of a record, so any
version of Bot Arena reads what another one wrote.  A text that columns would not give back exactly, e.g. one with white space
between its fields, is kept whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from json.encoder import encode_basestring as _string
from typing import Any, Final, final

from arena.core.errors import ArenaError

WHOLE = 0
"""The form of a text that is kept as it is."""

COLUMNS = 2
"""The form of a text in columns.  Form 1 needed the rules of the game to be read; never use that number again."""

_DIFFERENCES = "differences"
"""A column of integers: of each the difference from the one before."""
_TENTHS = "tenths"
"""A column of numbers ≥ 0 with at most one decimal: times in milliseconds."""
_TEXTS = "texts"
"""A column of strings, as places in the table of words."""
_LISTS = "lists"
"""A column of lists of strings."""
_JSON = "json"
"""A column of anything else."""

_HASH_BYTES = 32
_HASH = re.compile(rf"[0-9a-f]{{{2 * _HASH_BYTES}}}")


class RecordUnreadable(ArenaError):  # noqa: N818 - it reads as a sentence
    """Raised when a stored record cannot be read: it is damaged, or was stored by a newer version of Bot Arena."""


def encode(text: str) -> bytes:
    """Return a record's text as columns if they decode to the same text, else whole."""
    try:
        data = bytes((COLUMNS,)) + _take_apart(json.loads(text))
        if decode(data) == text:
            return data
    except Exception:  # noqa: BLE001, S110 - a text that is no record may break anything on the way
        pass
    return bytes((WHOLE,)) + text.encode()


def decode(data: bytes) -> str:
    """Return the text that was encoded.  Raises RecordUnreadable."""
    form = _form(data)
    try:
        return data[1:].decode() if form == WHOLE else _put_together(data[1:])
    except Exception as error:  # damaged bytes may break anything on the way
        raise _damaged(error) from error


def fault_of(data: bytes) -> str | None:
    """Return the message of the fault that ended an encoded record, without decoding its steps; None if none did.

    Raises RecordUnreadable.
    """
    form = _form(data)
    try:
        record = json.loads(data[1:]) if form == WHOLE else json.loads(data[1:].partition(b"\n")[0])[0]
        fault = record["result"].get("fault")
        return None if fault is None else str(fault["message"])
    except Exception as error:
        raise _damaged(error) from error


def _form(data: bytes) -> int:
    """Return the form of encoded bytes.  Raises RecordUnreadable if it is none that this version reads."""
    form = data[0] if data else None
    if form in {WHOLE, COLUMNS}:
        return form
    raise RecordUnreadable(
        f"the stored record cannot be read: its form is {form}, this version of Bot Arena reads {WHOLE} and {COLUMNS}"
    )


def _damaged(error: Exception) -> RecordUnreadable:
    return RecordUnreadable(f"the stored record cannot be read: it is damaged ({error})")


# --- a document, and its bytes --------------------------------------------------------------------------------


def _take_apart(document: dict[str, Any]) -> bytes:
    """Return a record as a line of JSON, its hashes and the numbers of its columns."""
    steps = document["steps"]
    places: dict[tuple[str, ...], int] = {}
    rows: list[list[Any]] = []
    numbers: list[int] = [len(steps)]
    for step in steps:
        shape = tuple(step)
        place = places.get(shape, -1)
        if place < 0:
            place = places[shape] = len(rows)
            rows.append([])
        rows[place].append(step)
        numbers.append(place)
    layouts: list[dict[str, str]] = []
    columns: list[_Column] = []
    others: list[Any] = []
    for shape, place in places.items():
        layout: dict[str, str] = {}
        for key in shape:
            values = [step[key] for step in rows[place]]
            column = _column(values)
            layout[key] = column.kind
            columns.append(column)
            if column.kind == _JSON:
                others += values
        layouts.append(layout)
    different: set[str] = set()
    for column in columns:
        for text in column.texts:
            different.update(text)
    words = sorted(different)
    codes = {word: code for code, word in enumerate(words)}
    for column in columns:
        numbers += column.numbers
        _write_texts(column.texts, codes, numbers)
    hashes = {key: text for key, text in document.items() if isinstance(text, str) and _HASH.fullmatch(text)}
    rest = {**document, **dict.fromkeys(hashes), "steps": layouts}
    line = _dump([rest, [*hashes], " ".join(words), others])
    return line.encode() + b"\n" + bytes.fromhex("".join(hashes.values())) + _write_numbers(numbers)


def _put_together(data: bytes) -> str:
    """Return the text of the record that was taken apart."""
    line, _, tail = data.partition(b"\n")
    document: dict[str, Any]
    document, hashes, joined, others = json.loads(line)
    for place, key in enumerate(hashes):
        document[key] = tail[place * _HASH_BYTES : (place + 1) * _HASH_BYTES].hex()
    numbers = _Numbers(_read_numbers(tail[len(hashes) * _HASH_BYTES :]))
    words: list[str] = joined.split(" ")
    (count,) = numbers.take(1)
    order = numbers.take(count)
    rows: list[Iterator[str]] = []
    taken = 0
    for place, layout in enumerate(document["steps"]):
        count = order.count(place)
        columns: list[list[str]] = []
        for kind in layout.values():
            if kind == _JSON:
                columns.append([_dump(value) for value in others[taken : taken + count]])
                taken += count
            else:
                columns.append(_read_column(kind, count, numbers, words))
        fields = ",".join([_string(key).replace("%", "%%") + ":%s" for key in layout])
        row = "{" + fields + "}"
        found = [row % values for values in zip(*columns, strict=True)] if columns else [row] * count
        if len(found) < count:
            raise ValueError("values are missing")
        rows.append(iter(found))
    steps = ",".join([*map(next, [rows[place] for place in order])])
    parts = [
        f"{_string(key)}:[{steps}]" if key == "steps" else f"{_string(key)}:{_dump(value)}"
        for key, value in document.items()
    ]
    return "{" + ",".join(parts) + "}"


_encoder: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _dump(value: object) -> str:
    """Return JSON as `arena.match.record.to_json` writes it."""
    return _encoder.encode(value)


# --- a column, and its numbers --------------------------------------------------------------------------------


@final
class _Column:
    """A column as it is written: numbers first, then texts as lists of their words."""

    __slots__ = ("kind", "numbers", "texts")

    def __init__(self, kind: str, numbers: list[int], texts: list[list[str]]) -> None:
        self.kind: Final = kind
        self.numbers: Final = numbers
        self.texts: Final = texts


def _column(values: list[Any]) -> _Column:
    """Return a column as numbers or words of some kind, or as the JSON it is."""
    types = {*map(type, values)}
    if types == {str}:
        split = {text: text.split(" ") for text in {*values}}  # many of them come again
        return _Column(_TEXTS, [], [split[text] for text in values])
    if types == {int}:
        return _Column(_DIFFERENCES, _differences(values), [])
    if types <= {int, float} and (tenths := _tenths(values)) is not None:
        return _Column(_TENTHS, tenths, [])
    if types == {list} and all(type(text) is str for texts in values for text in texts):
        return _Column(_LISTS, [*map(len, values)], [text.split(" ") for texts in values for text in texts])
    return _Column(_JSON, [], [])


def _differences(values: list[Any]) -> list[int]:
    """Return integers as their differences from the one before, folded to numbers of 0 and more."""
    before = 0
    numbers: list[int] = []
    for each in values:
        value: int = each
        more = value - before
        numbers.append(2 * more if more >= 0 else -2 * more - 1)
        before = value
    return numbers


def _tenths(values: list[Any]) -> list[int] | None:
    """Return numbers ≥ 0 times ten; None if one of them has further decimals."""
    numbers: list[int] = []
    for each in values:
        value = float(each)
        tenths = int(value * 10 + 0.5)
        if tenths / 10 != value:
            return None
        numbers.append(tenths)
    return numbers


def _write_texts(texts: list[list[str]], codes: dict[str, int], numbers: list[int]) -> None:
    """Append how many words each text has, then the codes of all first words, of all second ones, and so on."""
    lengths = [len(text) for text in texts]
    numbers += lengths
    left = texts
    for at in range(max(lengths, default=0)):
        left = [text for text in left if len(text) > at]
        numbers += [codes[text[at]] for text in left]


@final
class _Numbers:
    """Numbers that are taken from the front."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = numbers
        self._at = 0

    def take(self, count: int) -> list[int]:
        """Take some.  Raises ValueError if there are fewer."""
        end = self._at + count
        if end > len(self._numbers):
            raise ValueError("numbers are missing")
        found = self._numbers[self._at : end]
        self._at = end
        return found


def _read_column(kind: str, count: int, numbers: _Numbers, words: list[str]) -> list[str]:
    """Return a column of `count` values, each as JSON, taking its numbers from the front."""
    if kind == _TEXTS:
        return _read_texts(count, numbers, words)
    found = numbers.take(count)
    if kind == _LISTS:
        inner = _read_texts(sum(found), numbers, words)
        ends = [*accumulate(found)]
        return [
            "[" + ",".join(inner[end - length : end]) + "]" for end, length in zip(ends, found, strict=True)
        ]
    if kind == _DIFFERENCES:
        return [
            str(each) for each in accumulate([-(each + 1 >> 1) if each & 1 else each >> 1 for each in found])
        ]
    return [repr(each / 10) if each % 10 else str(each // 10) for each in found]


def _read_texts(count: int, numbers: _Numbers, words: list[str]) -> list[str]:
    """Return strings, each as JSON."""
    lengths = numbers.take(count)
    texts: list[list[str]] = [[] for _ in lengths]
    left = [*range(count)]
    for at in range(max(lengths, default=0)):
        left = [text for text in left if lengths[text] > at]
        codes = numbers.take(len(left))
        for place, text in enumerate(left):
            texts[text].append(words[codes[place]])
    return [_string(" ".join(text)) for text in texts]


def _write_numbers(numbers: list[int]) -> bytes:
    """Return numbers of 0 and more as digits to base 128, the lowest first, with 128 added to all but a number's last."""
    if max(numbers) < 128:
        return bytes(numbers)
    data = bytearray()
    for number in numbers:
        rest = number
        while rest > 127:
            data.append(rest & 127 | 128)
            rest >>= 7
        data.append(rest)
    return bytes(data)


def _read_numbers(data: bytes) -> list[int]:
    """Return the numbers that were written."""
    if data.isascii():
        return [*data]
    numbers: list[int] = []
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    return numbers
