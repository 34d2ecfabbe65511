"""Generates arena/v1 and bots/typescript/messages.ts from protos/arena/v1; with --check it only says whether they are fresh."""

import filecmp
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
)
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "protos"
TARGET = ROOT / "arena" / "v1"
DOCSTRING = '"""Generated from protos/arena/v1 by `make protos`: the messages and services of the wire."""\n'
TYPESCRIPT = ROOT / "bots" / "typescript" / "messages.ts"
TYPESCRIPT_HEAD = """\
// Generated from protos/arena/v1 by `make protos`: what wire.ts knows of the messages.
//
// A line is a message: name number type, with = before an enum, [] where it is repeated, {} where it is a map from strings,
// ? where it may be absent, and @oneof where it is one of several.  An enum's line has its names and numbers.
"""
TYPESCRIPT_SCALARS = ("uint32", "sint32", "bool", "double", "string", "bytes")
NOT_FOR_BOTS = "control.proto"


def generate(into: Path) -> None:
    """Write the generated package below `into`."""
    sources = sorted(str(path) for path in (HERE / "arena" / "v1").glob("*.proto"))
    arguments = ["protoc", f"--proto_path={HERE}", f"--python_out={into}", f"--pyi_out={into}"]
    if protoc.main([*arguments, *sources]) != 0:
        sys.exit(1)
    served = [source for source in sources if "service " in Path(source).read_text()]
    if protoc.main(["protoc", f"--proto_path={HERE}", f"--grpc_python_out={into}", *served]) != 0:
        sys.exit(1)
    (into / "arena" / "v1" / "__init__.py").write_text(DOCSTRING)
    described = into / "described.binpb"
    told = [source for source in sources if not source.endswith(NOT_FOR_BOTS)]
    if protoc.main(["protoc", f"--proto_path={HERE}", f"--descriptor_set_out={described}", *told]) != 0:
        sys.exit(1)
    lines = typescript_lines(FileDescriptorSet.FromString(described.read_bytes()))
    (into / TYPESCRIPT.name).write_text(
        TYPESCRIPT_HEAD
        + "export const MESSAGES: Record<string, string> = {\n"
        + "".join(f"  {line},\n" for line in lines)
        + "};\n"
    )


def typescript_lines(described: FileDescriptorSet) -> Iterator[str]:
    """Yield a line for each message and enum."""
    for file in described.file:
        for enum in file.enum_type:
            yield f'"{file.package}.{enum.name}": "{_names(enum)}"'
        for message in file.message_type:
            yield f'"{file.package}.{message.name}": "{"; ".join(_fields(message))}"'


def _names(enum: EnumDescriptorProto) -> str:
    return "; ".join(f"{value.name} {value.number}" for value in enum.value)


def _fields(message: DescriptorProto) -> Iterator[str]:
    maps = {each.name: each for each in message.nested_type if each.options.map_entry}
    for field in message.field:
        entry = maps.get(field.type_name.rpartition(".")[2])
        kind = _type(field)
        if entry is not None:
            kind = _type(entry.field[1]) + "{}"
        elif field.label == FieldDescriptorProto.LABEL_REPEATED:
            kind += "[]"
        elif field.proto3_optional:
            kind += "?"
        elif field.HasField("oneof_index"):
            kind += f"@{_camel(message.oneof_decl[field.oneof_index].name)}"
        yield f"{_camel(field.name)} {field.number} {kind}"


def _type(field: FieldDescriptorProto) -> str:
    if field.type_name:
        sign = "=" if field.type == FieldDescriptorProto.TYPE_ENUM else ""
        return sign + field.type_name.removeprefix(".")
    name = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    if name not in TYPESCRIPT_SCALARS:
        sys.exit(f"field {field.name}: bots/typescript/wire.ts does not know {name} yet")
    return name


def _camel(name: str) -> str:
    return re.sub("_([a-z])", lambda found: found[1].upper(), name)


def main() -> None:
    """Generate, or check and exit with 1 where a file is stale."""
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        generate(fresh)
        names = {path.name for path in (fresh / "arena" / "v1").iterdir()}
        if "--check" in sys.argv:
            there = {path.name for path in TARGET.iterdir() if path.is_file()}
            _, differ, missing = filecmp.cmpfiles(fresh / "arena" / "v1", TARGET, names, shallow=False)
            stale = sorted({*differ, *missing, *(there - names)})
            if stale:
                sys.exit(f"stale in arena/v1: {', '.join(stale)}; run `make protos`")
            if not TYPESCRIPT.is_file() or TYPESCRIPT.read_bytes() != (fresh / TYPESCRIPT.name).read_bytes():
                sys.exit(f"stale: {TYPESCRIPT.relative_to(ROOT)}; run `make protos`")
            return
        TARGET.mkdir(exist_ok=True)
        for path in TARGET.iterdir():
            if path.is_file() and path.name not in names:
                path.unlink()
        for file in names:
            (TARGET / file).write_bytes((fresh / "arena" / "v1" / file).read_bytes())
        TYPESCRIPT.write_bytes((fresh / TYPESCRIPT.name).read_bytes())


if __name__ == "__main__":
    main()
