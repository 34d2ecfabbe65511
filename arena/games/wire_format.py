"""The part of protobuf's wire format that the hot path writes by itself (protobuf.dev, *Encoding*): tags and numbers.

Messages are put together from the bytes of their fields: concatenated, they are one message.
"""

from __future__ import annotations

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_NUMBERS = {
    FieldDescriptor.CPPTYPE_BOOL,
    FieldDescriptor.CPPTYPE_ENUM,
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
}
_SMALL = tuple([bytes([number]) for number in range(128)])


def tag(message: type[Message], name: str) -> bytes:
    """Return the bytes before a field of a message: its number, and whether a length or a number follows."""
    field = message.DESCRIPTOR.fields_by_name[name]
    is_number = not field.is_repeated and field.cpp_type in _NUMBERS
    return varint(field.number << 3 | (0 if is_number else 2))


def with_length(data: bytes) -> bytes:
    """Return bytes with their length before them: a text, an inner message, or numbers in a row."""
    return varint(len(data)) + data


def varint(number: int) -> bytes:
    """Return a number from 0 on as the wire has it: seven bits a byte, the lowest first."""
    if number < 128:
        return _SMALL[number]
    if number < 1 << 14:
        return bytes((number & 127 | 128, number >> 7))
    if number < 1 << 21:
        return bytes((number & 127 | 128, number >> 7 & 127 | 128, number >> 14))
    low = bytes((number & 127 | 128,))
    return low + varint(number >> 7)
