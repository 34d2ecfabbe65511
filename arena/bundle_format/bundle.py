"""Bundles: an upload as it is kept and started, named by the SHA-256 of its bytes.

    manifest.json       what the upload says about itself, checked
    bot/…               its author's files

A bundle is a zip of these, stored and not deflated, in the order of the paths and without times: the same files give
the same bytes, and so the same name, everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from arena.bundle_format import manifest, manifest_fields, named_weights, zip_archive
from arena.bundle_format.manifest import Manifest
from arena.bundle_format.program_kind import ELF, ProgramKind, check_static, kind_of
from arena.core import foreign_text
from arena.core.errors import Refusal, UsageError
from arena.core.foreign_text import UnreadableText
from arena.core.translatable import say

PREFIX = "bundle:"
MANIFEST = "manifest.json"
FOLDER = "bot/"
MAX_BYTES = zip_archive.MAX_BYTES + (2 << 20)
"""Of a bundle: the files, and what a zip adds to each of them."""
_PROGRAM = re.compile(r"bundle:([0-9a-f]{64})")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16


@dataclass(frozen=True, slots=True)
class Bundle:
    """An upload that was checked; `sha256` is that of `data`, in hex."""

    sha256: str
    data: bytes
    manifest: Manifest

    @property
    def program(self) -> str:
        """Name it as the program of a hosted bot."""
        return f"{PREFIX}{self.sha256}"


def read_upload(data: bytes, filename: str, *, game: str | None = None, name: str | None = None) -> Bundle:
    """Make a bundle of an upload: a zip with a `bot.toml`, or a `.py` file or static program, whose game then has to be given.

    A given name replaces that of the manifest; without one, a single file is named after its file name.
    Raises Refusal: `too_large`, `archive_invalid`, `path_invalid`, `manifest_invalid` or `program_invalid`.
    """
    zip_archive.check_size(data)
    if filename.endswith(".py") or data.startswith(ELF):
        return _single(data, PurePosixPath(filename).name, game, name)
    if not filename.endswith(".zip") and not zip_archive.is_archive(data):
        raise Refusal(
            "archive_invalid",
            say("upload {file!r}: is no program and no archive; upload a .py or a .zip", file=filename[:80]),
            field="upload",
        )
    files = zip_archive.read(data, FOLDER, manifest.FILE)
    if manifest.FILE not in files:
        raise _no_manifest(files)
    said = manifest.read_toml(files[manifest.FILE])
    if game is not None and game not in said.games:
        raise Refusal(
            "manifest_invalid",
            say(
                "game {game!r}: {file} names {games}; leave it out, or change the file",
                game=game,
                file=manifest.FILE,
                games=", ".join(said.games),
            ),
            field="game",
        )
    if name is not None:
        said = replace(said, name=manifest_fields.check_name(name))
    return pack(said, files)


def pack(said: Manifest, files: Mapping[str, bytes]) -> Bundle:
    """Make a bundle.  Raises Refusal if the manifest's entry is not among the files, or is not such a program as it says."""
    if said.entry not in files:
        raise Refusal(
            "manifest_invalid",
            say(
                "entry {entry!r}: there is no such file in the upload; it has {files}",
                entry=said.entry,
                files=_some(files),
            ),
            field="entry",
        )
    named_weights.check_apart(said.weights, files)
    if said.entry.endswith(".py"):
        _check_source(said.entry, files[said.entry])
    if said.kind is ProgramKind.STATIC:
        check_static(said.entry, files[said.entry])
    inside = {MANIFEST: said.to_json().encode()}
    inside |= {f"{FOLDER}{path}": content for path, content in files.items()}
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as bundle:
        for path in sorted(inside):
            info = ZipInfo(path, _EPOCH)
            info.external_attr = _MODE
            bundle.writestr(info, inside[path])
    data = buffer.getvalue()
    return Bundle(sha256(data).hexdigest(), data, said)


def files_of(data: bytes, name: str) -> dict[str, bytes]:
    """Return the files of a bundle by their paths, as they are unpacked.  Raises UsageError if it is not the one named."""
    found = sha256(data).hexdigest()
    if found != name:
        raise UsageError(say("bundle {name}: these are the bytes of {found}", name=name, found=found))
    with ZipFile(BytesIO(data)) as bundle:
        return {zip_archive.check_path(info.filename): bundle.read(info) for info in bundle.infolist()}


def sha256_of(program: str) -> str | None:
    """Return the SHA-256 of a program `bundle:…`, None for any other.  Raises UsageError if it is none of 64 hex digits."""
    if not program.startswith(PREFIX):
        return None
    found = _PROGRAM.fullmatch(program)
    if found is None:
        raise UsageError(say("program {program!r}: must be bundle:<64 hex digits>", program=program))
    return found[1]


def _single(data: bytes, filename: str, game: str | None, name: str | None) -> Bundle:
    if game is None:
        raise Refusal(
            "manifest_invalid",
            say("game: {file} does not name its game; choose the game as well", file=filename),
            field="game",
        )
    try:
        if filename.endswith(".py"):
            foreign_text.decode(data)
    except UnreadableText as error:
        raise Refusal(
            "archive_invalid",
            say("upload: {file} is no program: {reason}", file=filename, reason=error),
            field="upload",
        ) from error
    zip_archive.check_path(filename, FOLDER)
    said = manifest.check(
        name=filename.removesuffix(".py") if name is None else name, games=[game], entry=filename
    )
    return pack(said, {filename: data})


def _check_source(path: str, data: bytes) -> None:
    """Check that Python can read a program: it takes UTF-8, or an encoding that the text itself names (PEP 263).  Raises Refusal."""
    encoding = foreign_text.marked_encoding(data)
    if encoding not in {None, "UTF-8-SIG"}:
        raise Refusal(
            "archive_invalid",
            say(
                "upload: {file} is text in {encoding}, which Python does not run; save it as UTF-8",
                file=path,
                encoding=encoding,
            ),
            field="upload",
        )


def _no_manifest(files: Mapping[str, bytes]) -> Refusal:
    near = next((path for path in sorted(files) if path.lower().startswith(manifest.FILE)), None)
    return Refusal(
        "manifest_invalid",
        say("upload: the archive has no {file}; rename {near}", file=manifest.FILE, near=near)
        if near
        else say(
            "upload: the archive has no {file}; write one, such as docs/bots.md shows", file=manifest.FILE
        ),
        field=manifest.FILE,
    )


def _some(files: Mapping[str, bytes]) -> str:
    names = sorted(path for path in files if kind_of(path) is not None)
    return f"{', '.join(names[:5])}{' …' if len(names) > 5 else ''}" if names else "no program"
