"""Generates arena/v1, bots/typescript/src/messages.ts and the messages of the starter in Go from protos/arena/v1.

With --check it only says whether they are fresh.
"""

import filecmp
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "protos"
TARGET = ROOT / "arena" / "v1"
DOCSTRING = '"""Generated from protos/arena/v1 by `make protos`: the messages and services of the wire."""\n'
TYPESCRIPT = ROOT / "bots" / "typescript" / "src" / "messages.ts"
TYPESCRIPT_HEAD = """\
// Generated from protos/arena/v1 by `make protos`: what wire.ts knows of the messages.
//
// A line is a message: name number type, with = before an enum, [] where it is repeated, {} where it is a map from strings,
// ? where it may be absent, and @oneof where it is one of several.  An enum's line has its names and numbers.
"""
TYPESCRIPT_SCALARS = ("uint32", "sint32", "bool", "double", "string", "bytes")
NOT_FOR_BOTS = "control.proto"
GO = ROOT / "arena" / "devtools" / "starters" / "go" / "arena" / "v1"
GO_PLUGIN = "protoc-gen-go"


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
    lines = typescript_lines(describe(into / "described.binpb"))
    (into / TYPESCRIPT.name).write_text(
        TYPESCRIPT_HEAD
        + "export const MESSAGES: Record<string, string> = {\n"
        + "".join(f"  {line},\n" for line in lines)
        + "};\n"
    )


def describe(file: Path) -> FileDescriptorSet:
    """Write the descriptors of the protos that bots need to a file; return them."""
    arguments = ["protoc", f"--proto_path={HERE}", f"--descriptor_set_out={file}"]
    if protoc.main([*arguments, *sources_for_bots()]) != 0:
        sys.exit(1)
    return FileDescriptorSet.FromString(file.read_bytes())


def sources_for_bots() -> list[str]:
    """Return the paths of the protos that bots need."""
    paths = sorted((HERE / "arena" / "v1").glob("*.proto"))
    return [str(path) for path in paths if path.name != NOT_FOR_BOTS]


def generate_go(into: Path, plugin: str) -> None:
    """Write the messages in Go below `into`, with Google's plugin."""
    options = [f"--plugin={GO_PLUGIN}={plugin}", f"--go_out={into}", "--go_opt=paths=source_relative"]
    if protoc.main(["protoc", f"--proto_path={HERE}", *options, *sources_for_bots()]) != 0:
        sys.exit(1)


def update_go(described: FileDescriptorSet) -> None:
    """Generate the messages in Go again if one is stale, so that only a change of a bot's proto needs the plugin."""
    if not (stale := ", ".join(stale_go(described))):
        return
    plugin = shutil.which(GO_PLUGIN)
    if plugin is None:
        sys.exit(f"{GO_PLUGIN} is missing (Debian's package has that name): it generates {stale}")
    generate_go(GO.parents[1], plugin)
    if left := ", ".join(stale_go(described)):
        sys.exit(f"{plugin} writes {left} in a form that cannot be checked; version 1.28 is known to work")


def stale_go(described: FileDescriptorSet) -> Iterator[str]:
    """Yield the files in Go that say other things than the protos; what is compared needs no plugin.

    A file in Go has its proto's descriptor, from which all of its code follows, and its comments.
    """
    for file in described.file:
        path = GO / f"{Path(file.name).stem}.pb.go"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        proto = (HERE / file.name).read_text(encoding="utf-8")
        messages = re.sub(r"(?m)(^//.*\n)*^service (?s:.*?)^}", "", proto)
        comments = re.findall(r"^ *// (.*)$", messages, re.MULTILINE)
        if go_descriptor(text) != file or any(f"// {comment}\n" not in text for comment in comments):
            yield path.name


def go_descriptor(text: str) -> FileDescriptorProto:
    """Return the descriptor in a file in Go, an empty one if there is none."""
    raw = re.search(r"_rawDesc = \[\]byte{(.*?)}", text, re.DOTALL)
    numbers = re.findall(r"0x([0-9a-f]{2})", raw[1]) if raw else ()
    return FileDescriptorProto.FromString(bytes(int(number, 16) for number in numbers))


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
        sys.exit(f"field {field.name}: bots/typescript/src/wire.ts does not know {name} yet")
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
            if stale := [*stale_go(describe(fresh / "described.binpb"))]:
                sys.exit(f"stale in {GO.relative_to(ROOT)}: {', '.join(stale)}; run `make protos`")
            return
        TARGET.mkdir(exist_ok=True)
        for path in TARGET.iterdir():
            if path.is_file() and path.name not in names:
                path.unlink()
        for file in names:
            (TARGET / file).write_bytes((fresh / "arena" / "v1" / file).read_bytes())
        TYPESCRIPT.write_bytes((fresh / TYPESCRIPT.name).read_bytes())
        update_go(describe(fresh / "described.binpb"))


if __name__ == "__main__":
    main()
