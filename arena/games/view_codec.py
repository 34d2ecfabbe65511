"""The codec of a view: it follows from the view's fields and the message's, which have the same names.

    NamedTuple             a message with its fields
    tuple of values        a repeated field
    tuple of tuples        a repeated message that has one field, which is repeated
    … | None               a message that need not be set

A game's `codec.py` is three lines by it.  A view is written for each decision, so it is put together from bytes: those of
values and of inner messages are kept, since from one view to the next most are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import NoneType
from typing import Any, final, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from arena.games import wire_format
from arena.games.kept import Kept
from arena.games.wire_format import with_length

Reader = Callable[[Any], Any]

_WITH_LENGTH = {FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES}
"""Types whose repeated values each have a tag; repeated numbers are packed behind one."""

_make = tuple.__new__


class ViewCodec:
    """Writes views of one type as messages of one type, and reads them again."""

    def __init__(self, view: type[Any], message: type[Message]) -> None:
        """Take the types.  Raises TypeError where a field of one is not in the other, or is of a type that is not listed above."""
        self._message = message
        self._read = _reader(view, message.DESCRIPTOR)
        self.encode = _writer(view, message.DESCRIPTOR).write
        """Writes a view as the bytes of its message, as protobuf writes them."""
        self.view_type = message.DESCRIPTOR.full_name
        """The full name of the message."""

    def decode(self, data: bytes) -> Any:  # noqa: ANN401 - each game has its own view
        """Read a view from the bytes of its message."""
        return self._read(self._message.FromString(data))


class Writer:
    """Writes a value as bytes of a message."""

    def write(self, value: Any) -> bytes:  # noqa: ANN401 - each field has its own type
        """Write a value."""
        raise NotImplementedError


@final
class _Fields(Writer):
    """Writes a value field by field: each is found by its place."""

    def __init__(self, fields: list[tuple[int, Writer]]) -> None:
        self._fields = fields

    def write(self, value: tuple[Any, ...]) -> bytes:
        """Write the fields one after the other."""
        return b"".join([writer.write(value[place]) for place, writer in self._fields])


@final
class _One(Writer):
    """Writes a value of which the bytes are kept: a number, a text, an inner message; nothing where there is none."""

    def __init__(self, kept: Kept[Any, bytes]) -> None:
        self._kept = kept

    def write(self, value: Any) -> bytes:  # noqa: ANN401 - as above
        """Write the value, or nothing."""
        return b"" if value is None else self._kept[value]


@final
class _Each(Writer):
    """Writes the values of a repeated field, each with a tag of its own."""

    def __init__(self, kept: Kept[Any, bytes]) -> None:
        self._kept = kept

    def write(self, value: tuple[Any, ...]) -> bytes:
        """Write the values one after the other."""
        kept = self._kept
        return b"".join([kept[each] for each in value])


@final
class _Row(Writer):
    """Writes the numbers of a repeated field in a row behind one tag."""

    def __init__(self, tag: bytes, kept: Kept[Any, bytes]) -> None:
        self._tag = tag
        self._kept = kept

    def write(self, value: tuple[Any, ...]) -> bytes:
        """Write the numbers, or nothing where there are none."""
        kept = self._kept
        return self._tag + with_length(b"".join([kept[each] for each in value])) if value else b""


def _writer(kind: Any, message: Any) -> Writer:  # noqa: ANN401 - a type as annotations have it, a descriptor
    """Return what writes a value as the fields of a message."""
    if get_origin(kind) is tuple:
        return _field_writer(kind, message.fields[0])
    hints = get_type_hints(kind)
    places = {name: place for place, name in enumerate(hints)}
    # In the order of the numbers, as protobuf itself writes them.
    fields = sorted(message.fields, key=attrgetter("number"))
    return _Fields([(places[field.name], _field_writer(hints[field.name], field)) for field in fields])


def _field_writer(kind: Any, field: Any) -> Writer:  # noqa: ANN401 - a type as annotations have it, a descriptor
    """Return what writes a value as a field, its tag before it."""
    message = GetMessageClass(field.containing_type)
    tag = wire_format.tag(message, field.name)
    if field.message_type is not None:
        inner = _writer(get_args(kind)[0] if field.is_repeated else _inner(kind), field.message_type)
        kept: Kept[Any, bytes] = Kept(lambda value: tag + with_length(inner.write(value)))
        return _Each(kept) if field.is_repeated else _One(kept)
    if not field.is_repeated:
        return _One(Kept(lambda value: message(**{field.name: value}).SerializeToString()))
    one: Kept[Any, bytes] = Kept(lambda value: message(**{field.name: [value]}).SerializeToString())
    if field.type in _WITH_LENGTH:
        return _Each(one)
    return _Row(tag, Kept(lambda value: one[value][len(tag) + 1 :]))


def _reader(kind: Any, message: Any) -> Reader:  # noqa: ANN401 - a type as annotations have it, a descriptor
    """Return what reads a value of a type from a message."""
    if get_origin(kind) is tuple:
        if len(message.fields) != 1 or not message.fields[0].is_repeated:
            raise TypeError(
                f"message {message.full_name}: must have one field, which is repeated, to hold a tuple"
            )
        read, get = _field_reader(kind, message.fields[0]), attrgetter(message.fields[0].name)
        return lambda found: read(get(found))
    hints = get_type_hints(kind)
    if set(hints) != {field.name for field in message.fields}:
        differ = sorted(set(hints) ^ {field.name for field in message.fields})
        raise TypeError(
            f"message {message.full_name}: its fields must be those of {kind.__name__}; {', '.join(differ)} differ"
        )
    by_name = message.fields_by_name
    optional = [
        name for name in hints if not by_name[name].is_repeated and by_name[name].message_type is not None
    ]
    places = [list(hints).index(name) for name in optional]
    readers = [
        (place, read)
        for place, name in enumerate(hints)
        if (read := _field_reader(hints[name], by_name[name])) is not _as_it_is
    ]
    get = attrgetter(*hints)

    def read_all(found: Any) -> Any:  # noqa: ANN401 - each game has its own view
        values = list(get(found))
        for place, read in readers:
            values[place] = read(values[place])
        for place, name in zip(places, optional, strict=True):
            if not found.HasField(name):
                values[place] = None
        return _make(kind, values)

    return read_all


def _field_reader(kind: Any, field: Any) -> Reader:  # noqa: ANN401 - a type as annotations have it, a descriptor
    """Return what makes the value of a field from what the message has there."""
    if not field.is_repeated:
        if field.message_type is None:
            return _as_it_is
        return _reader(_inner(kind), field.message_type)
    if get_origin(kind) is not tuple:
        raise TypeError(f"field {field.full_name}: is repeated, so the view must have a tuple, not {kind}")
    if field.message_type is None:
        return tuple
    # A tuple of any length, or with a place for each seat: all of one type.
    message, read = GetMessageClass(field.message_type), _reader(get_args(kind)[0], field.message_type)
    values: Kept[bytes, Any] = Kept(lambda data: read(message.FromString(data)))
    return lambda found: tuple([values[each.SerializeToString()] for each in found])


def _inner(kind: Any) -> Any:  # noqa: ANN401 - types as annotations have them
    """Return what a value is if it is not None."""
    (inner,) = [each for each in get_args(kind) if each is not NoneType] or [kind]
    return inner


def _as_it_is(value: Any) -> Any:  # noqa: ANN401 - of any field
    return value
