"""The messages of a view, derived from its fields; the numbers that a field once had are kept for ever.

The lock is what there is: the messages as they are now.  A new field gets the next number that its message never had; the number
and name of one that is gone are reserved.  What holds for the types is said in `arena/games/view_codec.py`.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorProto

from arena.core import foreign_text
from arena.core.errors import UsageError
from arena.games.package import GamePackage

_SCALARS = {
    bool: FieldDescriptorProto.TYPE_BOOL,
    bytes: FieldDescriptorProto.TYPE_BYTES,
    float: FieldDescriptorProto.TYPE_DOUBLE,
    int: FieldDescriptorProto.TYPE_SINT32,
    str: FieldDescriptorProto.TYPE_STRING,
}
"""Of new fields: whole numbers may be negative."""
_MODULE = '''\
"""The messages of {id}.proto: `arena game proto` writes both."""

from google.protobuf import descriptor_pool
from google.protobuf.internal import builder

DESCRIPTOR = descriptor_pool.Default().AddSerializedFile({data!r})

builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, "{module}.{id}_pb2", globals())
'''

_PROTO = """\
// What a seat sees of a match of {title} (docs/rules.md).
syntax = "proto3";

package {module};
"""
"""The beginning of a new .proto."""


def write_module(file: FileDescriptorProto, module: str, game: str) -> str:
    """Write the Python module of a game's messages."""
    return _MODULE.format(id=game, module=module, data=file.SerializeToString())


def locked_messages(package: GamePackage) -> FileDescriptorProto:
    """Return the messages of a game as they are now.  Raises ImportError where their module is missing."""
    ours = package.module.startswith("arena.games.")
    module = import_module(f"{'arena.v1' if ours else package.module}.{package.game.id}_pb2")
    locked = FileDescriptorProto()
    module.DESCRIPTOR.CopyToProto(locked)
    return locked


def derive_messages(package: GamePackage, *, anew: bool = False) -> Derivation:
    """Derive the messages of a game from its view and from what they are now, or from the view alone.

    Raises UsageError as `derive` does.
    """
    rules = package.game
    seats = next(iter(rules.variants.values()))[0]
    view = rules.view(rules.new(rules.setup(seats), bytes(32))[0], 0)
    empty = FileDescriptorProto(
        name=f"{package.module}/{rules.id}.proto", package=package.module, syntax="proto3"
    )
    return derive(type(view), empty if anew else locked_messages(package))


def write_messages(package: GamePackage, *, anew: bool = False) -> tuple[Change, ...]:
    """Bring the .proto of a game from outside, and the module of its messages, to its view; return what has changed.

    `anew` writes both from the view alone, and so do files that are both missing.  Raises UsageError where one is missing.
    """
    game = package.game.id
    proto, module = package.folder / f"{game}.proto", package.folder / f"{game}_pb2.py"
    anew = anew or not (proto.is_file() or module.is_file())
    missing = [path for path in (proto, module) if not path.is_file()]
    if missing and not anew:
        raise UsageError(
            f"game {game!r}: {missing[0]} is missing; --anew writes both files from the view alone"
        )
    made = derive_messages(package, anew=anew)
    before = (
        _PROTO.format(title=package.game.title, module=package.module) if anew else foreign_text.read(proto)
    )
    proto.write_text(edit(before, made.changes), encoding="utf-8")
    if made.changes:
        module.write_text(write_module(made.file, package.module, game), encoding="utf-8")
    return tuple(made.changes)


@dataclass(frozen=True, slots=True)
class Change:
    """Difference of a derived message from the previous one; `field` is empty for a whole new message."""

    message: str
    field: str
    text: str
    """Lines of the .proto: what is to be put in."""


@dataclass(slots=True)
class Derivation:
    """The messages of a view, as they follow from it, and what has changed."""

    file: FileDescriptorProto
    changes: list[Change] = field(default_factory=list)

    def message(self, name: str, doc: str = "") -> DescriptorProto:
        """Return a message by its name; a new one, if there is none yet."""
        for each in self.file.message_type:
            if each.name == name:
                return each
        self.changes.append(Change(name, "", f"\n// {doc}\nmessage {name} {{\n}}\n"))
        return self.file.message_type.add(name=name)


def derive(view: type[Any], locked: FileDescriptorProto) -> Derivation:
    """Derive the messages of a view from its fields and the messages as they were.

    Raises UsageError for a field that has become of another kind, and for a type that no message has.
    """
    made = Derivation(FileDescriptorProto())
    made.file.CopyFrom(locked)
    _derive_named(made, view, made.message(view.__name__, _summary(view)))
    return made


def edit(proto: str, changes: Sequence[Change]) -> str:
    """Make the changes in the text of a .proto; what else it says stays.  Raises UsageError where it has not the messages."""
    for change in changes:
        if not change.field:
            proto += change.text
            continue
        found = re.search(rf"^message {change.message} {{\n(.*?)^}}", proto, re.MULTILINE | re.DOTALL)
        if found is None:
            raise UsageError(f"message {change.message}: must be in the .proto, at the beginning of a line")
        before = re.compile(rf"(?:^  //.*\n)*^  [\w. ]+ {change.field} = \d+;\n", re.MULTILINE)
        block = found[1]
        fresh = before.sub(change.text, block) if before.search(block) else block + change.text
        proto = f"{proto[: found.start(1)]}{fresh}{proto[found.end(1) :]}"
    return proto


def _derive_named(made: Derivation, kind: type[Any], message: DescriptorProto) -> None:
    """Bring a message to the fields of a named tuple, and the messages in it to theirs."""
    hints, docs = get_type_hints(kind), dict(_field_docs(kind))
    for gone in [each for each in message.field if each.name not in hints]:
        message.reserved_range.add(start=gone.number, end=gone.number + 1)
        message.reserved_name.append(gone.name)
        text = f'  reserved {gone.number};\n  reserved "{gone.name}";\n'
        made.changes.append(Change(message.name, gone.name, text))
        message.field.remove(gone)
    for name, hint in hints.items():
        _derive_field(made, message, name, hint, docs.get(name, f"The field {name} of the view."))


def _derive_field(made: Derivation, message: DescriptorProto, name: str, hint: Any, doc: str) -> None:  # noqa: ANN401 - a type, as annotations have it
    repeated = get_origin(hint) is tuple
    inner = get_args(hint)[0] if repeated else _unwrapped(hint)
    found = next((each for each in message.field if each.name == name), None)
    is_new = found is None
    if found is None:
        found = message.field.add(name=name, number=_next_number(message))
        found.label = FieldDescriptorProto.LABEL_REPEATED if repeated else FieldDescriptorProto.LABEL_OPTIONAL
        if inner in _SCALARS:
            found.type = _SCALARS[inner]
        else:
            found.type = FieldDescriptorProto.TYPE_MESSAGE
            found.type_name = f".{made.file.package}.{_message_name(message, name, inner)}"
    holds_message = found.type == FieldDescriptorProto.TYPE_MESSAGE
    if (found.label == FieldDescriptorProto.LABEL_REPEATED) != repeated or holds_message != (
        inner not in _SCALARS
    ):
        raise UsageError(
            f"field {message.name}.{name}: is of another kind than before, {hint}; give it a new name"
        )
    if is_new:
        written = found.type_name.rpartition(".")[2] or _scalar_name(found.type)
        line = f"{'repeated ' if repeated else ''}{written} {name} = {found.number};"
        made.changes.append(Change(message.name, name, f"  // {doc}\n  {line}\n"))
    if not holds_message:
        return
    part = made.message(
        found.type_name.rpartition(".")[2], doc if get_origin(inner) is tuple else _summary(inner)
    )
    if get_origin(inner) is tuple:
        _derive_field(made, part, part.field[0].name if part.field else "items", inner, "In order.")
    else:
        _derive_named(made, inner, part)


def _unwrapped(hint: Any) -> Any:  # noqa: ANN401 - a type, as annotations have it
    """Return the type of what may be None."""
    kinds = [each for each in get_args(hint) if each is not NoneType]
    return kinds[0] if len(kinds) == 1 else hint


def _message_name(message: DescriptorProto, name: str, inner: Any) -> str:  # noqa: ANN401 - a type, as annotations have it
    if get_origin(inner) is tuple:
        return message.name.removesuffix("View") + "".join(word.capitalize() for word in name.split("_"))
    if not hasattr(inner, "_fields"):
        raise UsageError(
            f"field {message.name}.{name}: must be of bool, bytes, float, int, str, named tuples and tuples, not {inner}"
        )
    return str(inner.__name__)


def _next_number(message: DescriptorProto) -> int:
    numbers = [each.number for each in message.field]
    return max([0, *numbers, *[each.end - 1 for each in message.reserved_range]]) + 1


def _scalar_name(kind: int) -> str:
    return FieldDescriptorProto.Type.Name(kind).removeprefix("TYPE_").lower()  # type: ignore[arg-type]


def _summary(kind: type[Any]) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _field_docs(kind: type[Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class with the first paragraph of the docstring below each in the source."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - it is the source of a class
    for pair in pairwise(body.body):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())
