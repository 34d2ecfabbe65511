"""The messages of the bot in TypeScript, beside those of Python's protobuf."""

from __future__ import annotations

import base64
import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from arena.referee_client.programs import node
from arena.v1 import bot_pb2 as pb
from arena.v1 import (
    bottle_imp_pb2,
    land_unter_pb2,
    lifeboats_pb2,
    lost_cities_pb2,
    match_pb2,
    teotlatolli_pb2,
)

EXAMPLE = Path(__file__).parents[2] / "bots" / "typescript"
FILES = (
    *(pb, bottle_imp_pb2, land_unter_pb2, lifeboats_pb2),
    *(lost_cities_pb2, match_pb2, teotlatolli_pb2),
)
MESSAGES = [each for file in FILES for each in file.DESCRIPTOR.message_types_by_name.values()]
ROUND_TRIP = f"""
import {{ createInterface }} from "node:readline";
import {{ decode, encode }} from "{EXAMPLE}/src/wire.ts";

for await (const line of createInterface({{ input: process.stdin }})) {{
  const [type, bytes] = line.split(" ");
  try {{
    const object = decode(type, Buffer.from(bytes, "base64"));
    console.log(JSON.stringify({{ object, bytes: encode(type, object).toString("base64") }}));
  }} catch (error) {{
    console.log(JSON.stringify({{ error: error.message }}));
  }}
}}
"""
SCALARS: dict[int, Callable[[random.Random], Any]] = {
    FieldDescriptor.TYPE_UINT32: lambda chance: chance.choice([0, 1, 127, 128, 70_000, 2**32 - 1]),
    FieldDescriptor.TYPE_SINT32: lambda chance: chance.choice([0, -1, 63, -64, -(2**31), 2**31 - 1]),
    FieldDescriptor.TYPE_BOOL: lambda chance: chance.random() < 0.5,
    FieldDescriptor.TYPE_DOUBLE: lambda chance: chance.choice([0.0, -0.5, 1e300, float("inf")]),
    FieldDescriptor.TYPE_STRING: lambda chance: chance.choice(["", "R2", "ñandú", "😀", "__proto__"]),
    FieldDescriptor.TYPE_BYTES: lambda chance: chance.randbytes(chance.choice([0, 3, 300])),
    FieldDescriptor.TYPE_ENUM: lambda chance: chance.randrange(6),  # the last is of a newer arena
}


def filled(descriptor: Descriptor, chance: random.Random) -> Message:
    """Make a message with some of its fields set."""
    message = message_factory.GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if chance.random() < 0.3:
            continue
        value = getattr(message, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            number = SCALARS[field.message_type.fields_by_name["value"].type]
            value.update({name: number(chance) for name in chance.sample(["a", "ß", "__proto__"], 2)})
        elif field.message_type is not None and field.is_repeated:
            value.extend(filled(field.message_type, chance) for _ in range(chance.randrange(3)))
        elif field.message_type is not None:
            value.CopyFrom(filled(field.message_type, chance))
            value.SetInParent()
        elif field.is_repeated:
            value.extend(SCALARS[field.type](chance) for _ in range(chance.randrange(4)))
        else:
            setattr(message, field.name, SCALARS[field.type](chance))
    return message


def read_again(messages: list[tuple[str, bytes]]) -> Iterator[Any]:
    lines = "".join(f"{type_} {base64.b64encode(data).decode()}\n" for type_, data in messages)
    arguments = [node(), "--input-type=module-typescript", "-e", ROUND_TRIP]
    done = subprocess.run(arguments, input=lines, capture_output=True, text=True, check=True)
    yield from map(json.loads, done.stdout.splitlines())


def test_every_message_is_the_same_after_it_was_read_and_written() -> None:
    chance = random.Random("messages")
    messages = [filled(each, chance) for each in MESSAGES for _ in range(40)]
    assert {each.name for each in MESSAGES} >= {"Start", "Ask", "LostCitiesView", "TeotlatolliView"}
    sent = [(each.DESCRIPTOR.full_name, each.SerializeToString()) for each in messages]
    for message, answer in zip(messages, read_again(sent), strict=True):
        assert type(message).FromString(base64.b64decode(answer["bytes"])) == message


def test_what_was_not_sent_has_a_value_unless_it_is_one_of_several_or_optional() -> None:
    step = match_pb2.Step(played=match_pb2.Played(seat=0, action="play R2"))
    ask = pb.Ask(table=3, seen=[step, match_pb2.Step()])
    fault = pb.Fault(kind=match_pb2.FAULT_KIND_TIMEOUT)
    sent: list[Message] = [ask, fault, pb.Start(), pb.Say()]
    asked, told, started, said = (
        each["object"]
        for each in read_again([(each.DESCRIPTOR.full_name, each.SerializeToString()) for each in sent])
    )
    nothing = {"type": "Buffer", "data": []}
    assert asked == {
        "table": 3,
        "decision": 0,
        "actions": [],
        "bankMs": 0,
        "limitMs": 0,
        "view": nothing,
        "seen": [{"step": "played", "played": {"seat": 0, "action": "play R2"}}, {}],
    }
    assert told == {"table": 0, "kind": "FAULT_KIND_TIMEOUT", "message": ""}
    assert (started["options"], started["time"], started["history"]) == ({}, None, [])
    assert said == {"table": 0, "decision": 0, "line": None}


def test_fields_of_a_newer_arena_are_left_out() -> None:
    newer = (
        b"\x08\x07" + b"\xf8\x7f\x01" + b"\xfa\x7f\x02hi" + b"\xf9\x7f" + bytes(8) + b"\xfd\x7f" + bytes(4)
    )
    (answer,) = read_again([("arena.v1.Goodbye", b"\x0a\x03bye" + newer[2:])])
    assert answer["object"] == {"reason": "bye", "comeBack": False}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x0a\x05by", "it ends within a field"),
        (b"\x0a", "it ends within a field"),
        (b"\x10" + b"\xff" * 11, "more than ten bytes"),
        (b"\x0b", "there is no wire type 3"),
    ],
)
def test_broken_messages_are_told_in_words(data: bytes, words: str) -> None:
    (answer,) = read_again([("arena.v1.Goodbye", data)])
    assert words in answer["error"]


def test_a_view_that_is_not_known_is_told_in_words() -> None:
    (answer,) = read_again([("elsewhere.View", b"")])
    assert answer["error"].startswith("message elsewhere.View: this project does not know it")
