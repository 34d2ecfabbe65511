"""Kinds of programs: told by the entry's name, and what a static program is refused for."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from arena.bundle_format import bundle
from arena.bundle_format.program_kind import ProgramKind, check_static, kind_of
from arena.core.errors import Refusal
from tests.bundle_format.uploads import TOML, zipped

LOADED, INTERPRETER = 1, 3


def elf(
    *segments: int, kind: int = 2, machine: int = 62, start: int = 0x400000, bits: int = 2, order: int = 1
) -> bytes:
    """Make the headers of a program: no more of it is read."""
    ident = b"\x7fELF" + bytes([bits, order, 1]) + bytes(9)
    header = ident + struct.pack(
        "<HHIQQQIHHHHHH", kind, machine, 1, start, 64, 0, 0, 64, 56, len(segments), 0, 0, 0
    )
    return header + b"".join(struct.pack("<IIQQQQQQ", each, 5, 0, 0, 0, 64, 64, 4096) for each in segments)


STATIC = elf(LOADED)


def refused(content: bytes) -> Refusal:
    with pytest.raises(Refusal) as caught:
        check_static("mine", content)
    return caught.value


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ("src/mine.py", ProgramKind.PYTHON),
        ("mine.ts", ProgramKind.NODE),
        ("mine.mjs", ProgramKind.NODE),
        ("my.folder/mine", ProgramKind.STATIC),
        ("run.sh", None),
        ("mine.exe", None),
    ],
)
def test_an_entry_tells_its_kind_by_its_name(entry: str, kind: ProgramKind | None) -> None:
    assert kind_of(entry) is kind


@pytest.mark.parametrize("kind", [2, 3])
def test_a_static_program_is_taken_at_a_fixed_and_at_a_random_place(kind: int) -> None:
    check_static("mine", elf(LOADED, kind=kind))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"#!/bin/sh\n", "is not a program for Linux"),
        (STATIC[:40], "is cut off"),
        (STATIC[:66], "is cut off"),
        (elf(LOADED, machine=183), "another processor"),
        (elf(LOADED, bits=1), "another processor"),
        (elf(LOADED, order=2), "another processor"),
        (elf(INTERPRETER, LOADED, kind=3), "needs shared libraries"),
        (elf(LOADED, kind=3, start=0), "no whole program"),
        (elf(LOADED, kind=1), "no whole program"),
        (elf(), "no whole program"),
    ],
)
def test_what_is_no_static_program_is_refused_in_words(content: bytes, words: str) -> None:
    found = refused(content)
    assert (found.code, found.field) == ("program_invalid", "entry")
    assert words in str(found)


def test_a_program_of_this_machine_that_needs_libraries_is_refused() -> None:
    assert "link it statically" in str(refused(Path(sys.executable).resolve().read_bytes()))


def test_a_project_with_a_static_program_becomes_a_bundle() -> None:
    upload = zipped({"bot.toml": TOML.replace("mine.py", "mine"), "mine": STATIC})
    assert bundle.read_upload(upload, "mine.zip").manifest.kind is ProgramKind.STATIC


def test_a_static_program_alone_is_taken_with_its_game() -> None:
    made = bundle.read_upload(STATIC, "mine", game="lost_cities")
    assert (made.manifest.name, made.manifest.entry) == ("mine", "mine")


def test_a_project_whose_program_needs_libraries_is_refused() -> None:
    upload = zipped({"bot.toml": TOML.replace("mine.py", "mine"), "mine": elf(INTERPRETER, LOADED)})
    with pytest.raises(Refusal, match="needs shared libraries"):
        bundle.read_upload(upload, "mine.zip")


def test_only_python_can_require_packages() -> None:
    toml = TOML.replace("mine.py", "mine") + 'requires = ["numpy"]\n'
    with pytest.raises(Refusal, match="only bots in Python"):
        bundle.read_upload(zipped({"bot.toml": toml, "mine": STATIC}), "mine.zip")
