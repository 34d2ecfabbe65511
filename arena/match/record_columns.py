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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any

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
        return data[1:].decode() if form == WHOLE else _dump(_put_together(data[1:]))
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
    shapes: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}
    for step in document["steps"]:
        shapes.setdefault(tuple(step), []).append(tuple(step.values()))
    places = {shape: place for place, shape in enumerate(shapes)}
    columns = [(_kind(values), values) for rows in shapes.values() for values in zip(*rows, strict=True)]
    kinds = iter([kind for kind, _ in columns])
    layouts = [{key: next(kinds) for key in shape} for shape in shapes]
    words = sorted({word for kind, values in columns for word in _words(kind, values)})
    codes = {word: code for code, word in enumerate(words)}
    numbers = [len(document["steps"]), *[places[tuple(step)] for step in document["steps"]]]
    others: list[Any] = []
    for kind, values in columns:
        if kind == _JSON:
            others += values
        else:
            numbers += _write_column(kind, values, codes)
    hashes = {key: text for key, text in document.items() if isinstance(text, str) and _HASH.fullmatch(text)}
    rest = {**document, **dict.fromkeys(hashes), "steps": layouts}
    line = _dump([rest, [*hashes], " ".join(words), others])
    return line.encode() + b"\n" + bytes.fromhex("".join(hashes.values())) + _write_numbers(numbers)


def _put_together(data: bytes) -> dict[str, Any]:
    """Return the record that was taken apart."""
    line, _, tail = data.partition(b"\n")
    document: dict[str, Any]
    document, hashes, joined, listed = json.loads(line)
    for place, key in enumerate(hashes):
        document[key] = tail[place * _HASH_BYTES : (place + 1) * _HASH_BYTES].hex()
    numbers, words, others = (
        iter(_read_numbers(tail[len(hashes) * _HASH_BYTES :])),
        joined.split(" "),
        iter(listed),
    )
    order = [*islice(numbers, next(numbers))]
    layouts = document["steps"]
    rows: list[Iterator[tuple[Any, ...]]] = []
    for place, layout in enumerate(layouts):
        count = order.count(place)
        columns = [
            [*islice(others, count)] if kind == _JSON else _read_column(kind, count, numbers, words)
            for kind in layout.values()
        ]
        rows.append(zip(*columns, strict=True))
    document["steps"] = [dict(zip(layouts[place], next(rows[place]), strict=True)) for place in order]
    return document


def _dump(value: object) -> str:
    """Return JSON as `arena.match.record.to_json` writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


# --- a column, and its numbers --------------------------------------------------------------------------------


def _kind(values: Sequence[Any]) -> str:
    """Return how a column is written: as numbers or words of some kind, or as the JSON it is."""
    types = {*map(type, values)}
    if types == {int}:
        return _DIFFERENCES
    if types <= {int, float} and all(value == abs(round(value * 10)) / 10 for value in values):
        return _TENTHS
    if types == {str}:
        return _TEXTS
    if types == {list} and all(type(text) is str for texts in values for text in texts):
        return _LISTS
    return _JSON


def _words(kind: str, values: Sequence[Any]) -> Iterator[str]:
    """Return the words of a column of strings or of lists of strings; of any other none."""
    if kind == _TEXTS:
        for text in values:
            yield from text.split(" ")
    elif kind == _LISTS:
        for texts in values:
            yield from _words(_TEXTS, texts)


def _write_column(kind: str, values: Sequence[Any], codes: Mapping[str, int]) -> list[int]:
    """Return a column as numbers ≥ 0; words by their codes."""
    if kind == _DIFFERENCES:
        more = [value - before for before, value in zip((0, *values), values, strict=False)]
        return [2 * each if each >= 0 else -2 * each - 1 for each in more]
    if kind == _TENTHS:
        return [round(value * 10) for value in values]
    if kind == _LISTS:
        return [
            *map(len, values),
            *_write_column(_TEXTS, [text for texts in values for text in texts], codes),
        ]
    texts = [[codes[word] for word in text.split(" ")] for text in values]
    longest = max(map(len, texts), default=0)
    return [*map(len, texts), *[text[at] for at in range(longest) for text in texts if at < len(text)]]


def _read_column(kind: str, count: int, numbers: Iterator[int], words: Sequence[str]) -> list[Any]:
    """Return a column of `count` values, taking its numbers from the front."""
    if kind == _LISTS:
        lengths = [*islice(numbers, count)]
        inner = iter(_read_column(_TEXTS, sum(lengths), numbers, words))
        return [[*islice(inner, length)] for length in lengths]
    found = [*islice(numbers, count)]
    if kind == _DIFFERENCES:
        return [*accumulate(-(each + 1 >> 1) if each & 1 else each >> 1 for each in found)]
    if kind == _TENTHS:
        return [each / 10 if each % 10 else each // 10 for each in found]
    texts: list[list[str]] = [[] for _ in found]
    for at in range(max(found, default=0)):
        for text, length in zip(texts, found, strict=True):
            if at < length:
                text.append(words[next(numbers)])
    return [" ".join(text) for text in texts]


def _write_numbers(numbers: Iterable[int]) -> bytes:
    """Return numbers of 0 and more as digits to base 128, the lowest first, with 128 added to all but a number's last."""
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
    numbers = []
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    return numbers
