"""Archives: the files of an uploaded zip, read without trusting anything that its headers say.

Nothing is written to a disk here, so a path cannot lead out of anywhere; it is refused all the same, since the files
will lie in a folder later.  What unpacks to more than the limit is not unpacked further.
"""

from __future__ import annotations

import stat
import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from arena.bundle_format.litter import environments, is_litter
from arena.core.errors import Refusal, RefusalKind
from arena.core.translatable import say

MAX_BYTES = 20 << 20
"""Of an upload, and of all its files together when they are unpacked."""
MAX_FILES = 1000
_MAX_PATH_CHARS = 200
"""Bytes of a path inside a bundle; so no part of it has more than the 255 that file systems allow."""
_DEEPEST = 10
"""Parts of a path inside a bundle."""
_ENTRY = b"PK\x01\x02"
_ENCRYPTED = 0x1
_MAX_SHOWN_CHARS = 80


def read(data: bytes, inside: str = "", marker: str = "") -> dict[str, bytes]:
    """Return the files of a zip by their paths; folders are left out, and what no author wrote (`litter`).

    Paths are relative to the folder that has the file `marker`, and other folders are left out; without one, to a single folder
    around all files.  They will lie `inside` of a folder: a path is refused that would be too long there.

    Raises Refusal: `too_large`, `archive_invalid` or `path_invalid`.
    """
    check_size(data)
    # Every entry of the directory that `ZipFile` reads begins with these bytes; it reads all before we see any.
    if data.count(_ENTRY) > 4 * MAX_FILES:
        raise _too_many()
    try:
        with ZipFile(BytesIO(data)) as archive:
            files = _below(_read(archive, marker), marker)
    except (
        BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        OSError,
        ValueError,
        RuntimeError,
    ) as error:
        reason = _other_format(data) or error
        raise _invalid(say("the archive cannot be read: {error}; it must be a zip", error=reason)) from error
    for path in files:
        check_path(path, inside)
    return files


def is_archive(data: bytes) -> bool:
    """Return whether data looks like an archive, of any format."""
    return data.startswith(b"PK") or _other_format(data) is not None


def check_size(data: bytes) -> None:
    """Check the size of an upload.  Raises Refusal."""
    if len(data) > MAX_BYTES:
        raise Refusal(
            "too_large",
            say(
                "upload: has {bytes} bytes or more, at most {most} are possible; leave out what the bot does not need",
                bytes=len(data),
                most=MAX_BYTES,
            ),
            field="upload",
            kind=RefusalKind.TOO_LARGE,
        )
    if not data:
        raise _invalid(say("upload: is empty; send a .py file or a zip"))


def check_path(path: str, inside: str = "") -> str:
    """Check the path of a file of an upload, `inside` a folder (`bot/`) if given.  Raises Refusal."""
    _check_safe(path)
    size, parts = len(path.encode()), path.count("/") + 1
    max_bytes, max_parts = _MAX_PATH_CHARS - len(inside.encode()), _DEEPEST - inside.count("/")
    if size > max_bytes or parts > max_parts:
        raise Refusal(
            "path_invalid",
            say(
                "path {path}: has {parts} parts and {bytes} bytes; at most {max_parts} parts and {max_bytes} bytes are possible",
                path=_shown(path),
                parts=parts,
                bytes=size,
                max_parts=max_parts,
                max_bytes=max_bytes,
            ),
            field="upload",
        )
    return path


def _check_safe(path: str) -> str:
    """Check that a path leads to a file below the folder that it is in.  Raises Refusal."""
    if (
        not path.isprintable()
        or not set("\\:\0").isdisjoint(path)
        or any(part in {"", ".", ".."} for part in path.split("/"))
        or any("\ud800" <= letter <= "\udfff" for letter in path)
    ):
        raise Refusal(
            "path_invalid",
            say(
                "path {path}: must lead to a file inside of the archive: no .., no / at the start, no backslash or colon",
                path=_shown(path),
            ),
            field="upload",
        )
    return path


def _read(archive: ZipFile, marker: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    left = MAX_BYTES
    apart = environments({info.orig_filename for info in archive.infolist()}, marker)
    for info in archive.infolist():
        if info.orig_filename.startswith(apart) or any(map(is_litter, info.orig_filename.split("/"))):
            _check_safe(info.orig_filename.rstrip("/"))
            continue
        if _is_folder(info):
            _check_safe(info.orig_filename.rstrip("/"))
            continue
        path = _check_safe(info.orig_filename)
        if path in files:
            raise _invalid(f"path {_shown(path)}: stands in the archive twice")
        if len(files) == MAX_FILES:
            raise _too_many()
        files[path] = _content(archive, info, left)
        left -= len(files[path])
    folders = {path.rsplit("/", depth)[0] for path in files for depth in range(1, path.count("/") + 1)}
    for path in files:
        if path in folders:
            raise _invalid(f"path {_shown(path)}: is a file and a folder")
    return files


def _is_folder(info: ZipInfo) -> bool:
    """Return whether an entry is a folder.  Raises Refusal for links, devices, encrypted or unusually packed entries."""
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        what = "a symbolic link" if kind == stat.S_IFLNK else "neither a file nor a folder"
        raise Refusal(
            "path_invalid",
            say("path {filename}: is {what}; send plain files", filename=_shown(info.filename), what=what),
            field="upload",
        )
    if info.flag_bits & _ENCRYPTED:
        raise _invalid(f"path {_shown(info.filename)}: is encrypted; send it in the clear")
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise _invalid(f"path {_shown(info.filename)}: is packed oddly; store it, or deflate it as zip does")
    return info.orig_filename.endswith("/") or kind == stat.S_IFDIR


def _content(archive: ZipFile, info: ZipInfo, left: int) -> bytes:
    with archive.open(info) as file:
        content = file.read(left + 1)
    if len(content) > left:
        raise Refusal(
            "too_large",
            say(
                "upload: unpacks to more than {most} bytes; leave out what the bot does not need",
                most=MAX_BYTES,
            ),
            field="upload",
            kind=RefusalKind.TOO_LARGE,
        )
    return content


def _below(files: dict[str, bytes], marker: str) -> dict[str, bytes]:
    """Strip the folder that the marker is in, and drop files outside it.  Raises Refusal if there are several."""
    if not marker:
        return _without_top(files)
    if marker in files:
        return files
    folders = sorted(path.removesuffix(marker) for path in files if path.endswith(f"/{marker}"))
    tops = [
        each for each in folders if not any(each != other and each.startswith(other) for other in folders)
    ]
    if not tops:
        return _without_top(files)
    if len(tops) > 1:
        raise _invalid(
            say(
                "upload: has {marker} in {folders}; send an archive for each bot",
                marker=marker,
                folders=", ".join(map(_shown, tops[:5])),
            )
        )
    return {path.removeprefix(tops[0]): data for path, data in files.items() if path.startswith(tops[0])}


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    """Take away the one folder around everything, as archives of a folder have it."""
    tops = {path.partition("/")[0] for path in files}
    if len(tops) != 1 or not all("/" in path for path in files):
        return files
    return {path.partition("/")[2]: content for path, content in files.items()}


_FORMATS = (
    (0, b"\x1f\x8b", "gzip (.tar.gz)"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z"),
    (0, b"Rar!\x1a\x07", "rar"),
    (0, b"\xfd7zXZ\x00", "xz (.tar.xz)"),
    (0, b"BZh", "bzip2 (.tar.bz2)"),
    (0, b"\x28\xb5\x2f\xfd", "zstd (.tar.zst)"),
    (257, b"ustar", "tar"),
)
"""Other formats of archives: where their mark is, the mark, and the name."""


def _other_format(data: bytes) -> str | None:
    names = (name for at, mark, name in _FORMATS if data.startswith(mark, at))
    return next((f"its format is {name}" for name in names), None)


def _too_many() -> Refusal:
    return Refusal(
        "too_large",
        say(
            "upload: has more than {most} files; leave out what the bot does not need, such as a virtual environment or node_modules",
            most=MAX_FILES,
        ),
        field="upload",
        kind=RefusalKind.TOO_LARGE,
    )


def _invalid(message: str) -> Refusal:
    return Refusal("archive_invalid", message, field="upload")


def _shown(path: str) -> str:
    return repr(path[:_MAX_SHOWN_CHARS])
