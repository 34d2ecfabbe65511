"""The plain codec of a view: it follows from the view's fields and the message's, which have the same names.

    NamedTuple             a message with its fields
    tuple of values        a repeated field
    tuple of tuples        a repeated message that has one field, which is repeated
    … | None               a message that need not be set

A game's `codec.py` is three lines by it.  One that is asked for very many views may write them faster by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from google.protobuf.message import Message

Reader = Callable[[Any], Any]


class ViewCodec:
    """Writes views of one type as messages of one type, and reads them again."""

    def __init__(self, view: type[Any], message: type[Message]) -> None:
        """Take the types.  Raises TypeError where a field of one is not in the other, or is of a type that is not listed above."""
        self._message = message
        self._read = _reader(view, message.DESCRIPTOR)
        self.view_type = message.DESCRIPTOR.full_name
        """The full name of the message."""

    def encode(self, view: Any) -> bytes:  # noqa: ANN401 - each game has its own view
        """Write a view as the bytes of its message; equal views give equal bytes."""
        message = self._message()
        _fill(message, view)
        return message.SerializeToString(deterministic=True)

    def decode(self, data: bytes) -> Any:  # noqa: ANN401 - each game has its own view
        """Read a view from the bytes of its message."""
        return self._read(self._message.FromString(data))


def _fill(message: Message, value: Any) -> None:  # noqa: ANN401 - of any game
    """Write a tuple into a message: by its fields, or, where it has none, into the one field of the message."""
    fields = message.DESCRIPTOR.fields
    named = hasattr(value, "_fields")
    for field in fields:
        part = getattr(value, field.name) if named else value
        if field.is_repeated:
            target = getattr(message, field.name)
            if field.message_type is None:
                target.extend(part)
            else:
                for each in part:
                    _fill(target.add(), each)
        elif field.message_type is None:
            setattr(message, field.name, part)
        elif part is not None:
            target = getattr(message, field.name)
            target.SetInParent()
            _fill(target, part)


def _reader(kind: Any, message: Any) -> Reader:  # noqa: ANN401 - a type as annotations have it, a descriptor
    """Return what reads a value of a type from a message."""
    if get_origin(kind) is tuple:
        if len(message.fields) != 1 or not message.fields[0].is_repeated:
            raise TypeError(
                f"message {message.full_name}: must have one field, which is repeated, to hold a tuple"
            )
        return _field_reader(kind, message, message.fields[0].name)
    hints = get_type_hints(kind)
    if set(hints) != {field.name for field in message.fields}:
        differ = sorted(set(hints) ^ {field.name for field in message.fields})
        raise TypeError(
            f"message {message.full_name}: its fields must be those of {kind.__name__}; {', '.join(differ)} differ"
        )
    readers = [_field_reader(hint, message, name) for name, hint in hints.items()]
    return lambda found: kind(*[read(found) for read in readers])


def _field_reader(kind: Any, message: Any, name: str) -> Reader:  # noqa: ANN401 - a type as annotations have it, a descriptor
    """Return what reads one field of a message."""
    field = message.fields_by_name[name]
    if not field.is_repeated:
        if field.message_type is None:
            return lambda found: getattr(found, name)
        (inner,) = [each for each in get_args(kind) if each is not NoneType] or [kind]
        read = _reader(inner, field.message_type)
        return lambda found: read(getattr(found, name)) if found.HasField(name) else None
    if get_origin(kind) is not tuple:
        raise TypeError(
            f"field {message.full_name}.{name}: is repeated, so the view must have a tuple, not {kind}"
        )
    if field.message_type is None:
        return lambda found: tuple(getattr(found, name))
    # A tuple of any length, or with a place for each seat: all of one type.
    read_each = _reader(get_args(kind)[0], field.message_type)
    return lambda found: _all(read_each, getattr(found, name))


def _all(read: Reader, found: Iterable[Any]) -> tuple[Any, ...]:
    return tuple([read(each) for each in found])
