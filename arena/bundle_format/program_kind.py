"""Kinds of programs that the arena runs in its sandbox, known by the name of an upload's entry; static programs are checked.

mine.py             Python
mine.ts, mine.js    TypeScript or JavaScript, run by Node (also .mts and .mjs)
mine                a program for Linux on x86-64 that needs no shared libraries: no dot in its name
"""

from __future__ import annotations

import struct
from enum import StrEnum
from pathlib import PurePosixPath

from arena.core.errors import Refusal
from arena.core.translatable import say

ELF = b"\x7fELF"
"""First bytes of a program for Linux."""

_NODE = frozenset({".ts", ".mts", ".js", ".mjs"})
_64_BITS, _LITTLE_ENDIAN = 2, 1
_EXECUTABLE, _SHARED = 2, 3
"""Types of ELF files (elf(5)); a static program whose place in memory is random (`-static-pie`) is of the second."""
_X86_64 = 62
_LOADED, _INTERPRETER = 1, 3
"""Kinds of segments."""
_HEADER = struct.Struct("<16sHHIQQQIHHH")
"""e_ident, e_type, e_machine, e_version, e_entry, e_phoff, e_shoff, e_flags, e_ehsize, e_phentsize, e_phnum."""
_SEGMENT_BYTES = 56


class ProgramKind(StrEnum):
    """Runner of a bot's program."""

    PYTHON = "python"
    NODE = "node"
    STATIC = "static"


def kind_of(entry: str) -> ProgramKind | None:
    """Return the kind of program of an entry; None if the arena runs no such files."""
    suffix = PurePosixPath(entry).suffix
    if suffix == ".py":
        return ProgramKind.PYTHON
    if suffix in _NODE:
        return ProgramKind.NODE
    return None if "." in PurePosixPath(entry).name else ProgramKind.STATIC


def check_static(entry: str, content: bytes) -> None:
    """Check that a file is a program for Linux on x86-64 that needs no shared libraries, by its headers.  Raises Refusal."""
    if not content.startswith(ELF):
        raise _wrong(
            say(
                "entry {entry!r}: is not a program for Linux (ELF); a file without an ending must be one, other bots are .py or .ts files",
                entry=entry,
            )
        )
    try:
        ident, type_, machine, _, start, offset, *_, size, count = _HEADER.unpack_from(content)
        segments = [struct.unpack_from("<I", content, offset + size * number)[0] for number in range(count)]
    except struct.error as error:
        raise _wrong(say("entry {entry!r}: the program is cut off; upload it again", entry=entry)) from error
    if (ident[4], ident[5], machine) != (_64_BITS, _LITTLE_ENDIAN, _X86_64):
        raise _wrong(
            say(
                "entry {entry!r}: is a program for another processor; compile it for x86-64 (64 bits)",
                entry=entry,
            )
        )
    if _INTERPRETER in segments:
        raise _wrong(
            say(
                "entry {entry!r}: needs shared libraries, which the sandbox does not have; link it statically "
                "(C: -static; Go: CGO_ENABLED=0; Rust: --target x86_64-unknown-linux-musl)",
                entry=entry,
            )
        )
    if type_ not in {_EXECUTABLE, _SHARED} or not start or _LOADED not in segments or size < _SEGMENT_BYTES:
        raise _wrong(
            say(
                "entry {entry!r}: is no whole program but a library or an object file; link it to a program",
                entry=entry,
            )
        )


def _wrong(message: str) -> Refusal:
    return Refusal("program_invalid", message, field="entry")
