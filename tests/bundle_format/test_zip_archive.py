"""Archives that somebody sent: what is read of them, and what is refused."""

from __future__ import annotations

import stat
import struct
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_LZMA, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bundle_format import zip_archive
from arena.core.errors import Refusal
from tests.bundle_format.uploads import link, project, special, zipped


def refused(data: bytes) -> str:
    with pytest.raises(Refusal) as caught:
        zip_archive.read(data)
    assert caught.value.field == "upload"
    return caught.value.code


def test_the_files_of_a_zip_are_read() -> None:
    assert zip_archive.read(zipped({"a.py": "1", "deep/b.txt": "2"})) == {"a.py": b"1", "deep/b.txt": b"2"}


def test_one_folder_around_everything_is_taken_away() -> None:
    assert zip_archive.read(zipped({"mine/a.py": "1", "mine/deep/b.py": "2"})) == {
        "a.py": b"1",
        "deep/b.py": b"2",
    }


def test_a_zip_bomb_is_refused_before_it_has_unpacked() -> None:
    bomb = zipped({f"{number}.bin": bytes(zip_archive.MAX_BYTES // 4) for number in range(5)})
    assert len(bomb) < 200_000
    assert refused(bomb) == "too_large"


def test_a_zip_bomb_whose_header_says_that_it_is_small_is_refused() -> None:
    size = zip_archive.MAX_BYTES + 1
    bomb = zipped({"a.bin": bytes(size)}).replace(struct.pack("<L", size), struct.pack("<L", 10))
    assert refused(bomb) in {"too_large", "archive_invalid"}


def test_an_upload_over_the_limit_is_refused() -> None:
    assert refused(bytes(zip_archive.MAX_BYTES + 1)) == "too_large"


def test_thousands_of_files_are_refused() -> None:
    assert refused(zipped({f"{number}.py": "" for number in range(zip_archive.MAX_FILES + 1)})) == "too_large"
    assert refused(zipped({f"{number}.py": "" for number in range(5 * zip_archive.MAX_FILES)})) == "too_large"


@pytest.mark.parametrize(
    "path",
    [
        *("../a.py", "deep/../../a.py", "/etc/cron.d/a", "a//b.py", "./a.py", "..", "a\\b.py", "C:a.py"),
        *("a\nb.py", "\x1b[2J.py", "a/" * 10 + "b.py", "x" * 201),
    ],
)
def test_a_path_that_could_lead_elsewhere_is_refused(path: str) -> None:
    assert refused(zipped({"a.py": "1", path: "2"})) == "path_invalid"


@pytest.mark.parametrize("path", [b"b\0py", b"\0.py", b"b.p\0"])
def test_a_path_with_a_nul_is_refused(path: bytes) -> None:
    data = zipped({"a.py": "1", "bXpy": "2"}).replace(b"bXpy", path)
    assert refused(data) == "path_invalid"


@pytest.mark.parametrize("target", ["/etc/passwd", "../../arena.db", "mine.py"])
def test_a_symbolic_link_is_refused(target: str) -> None:
    assert refused(link("data.txt", target)) == "path_invalid"


def test_a_link_to_a_folder_with_a_file_below_it_is_refused() -> None:
    assert refused(link("up", "..")) == "path_invalid"


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_what_is_neither_file_nor_folder_is_refused(kind: int) -> None:
    assert refused(special("odd", kind)) == "path_invalid"


def test_a_path_that_stands_there_twice_is_refused() -> None:
    data = zipped({"a.py": "1", "b.py": "2"}).replace(b"b.py", b"a.py")
    assert refused(data) == "archive_invalid"


def test_a_path_that_is_a_file_and_a_folder_is_refused() -> None:
    assert refused(zipped({"a": "1", "a/b.py": "2", "c.py": "3"})) == "archive_invalid"


@pytest.mark.parametrize("method", [ZIP_BZIP2, ZIP_LZMA])
def test_other_ways_of_packing_are_refused(method: int) -> None:
    buffer = BytesIO()
    with ZipFile(buffer, "w", method) as made:
        made.writestr(ZipInfo("a.py"), "1", compress_type=method)
    assert refused(buffer.getvalue()) == "archive_invalid"


def test_an_encrypted_file_is_refused() -> None:
    data = bytearray(zipped({"a.py": "1"}))
    at = data.index(b"PK\x01\x02") + 8
    data[at] |= 1
    assert refused(bytes(data)) == "archive_invalid"


def test_nothing_and_garbage_are_refused() -> None:
    assert refused(b"") == "archive_invalid"
    assert refused(b"#!/bin/sh\nrm -rf /") == "archive_invalid"


@given(st.data())
def test_a_damaged_zip_is_read_or_refused_and_never_more(data: st.DataObject) -> None:
    damaged = bytearray(project())
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        files = zip_archive.read(bytes(damaged))
    except Refusal:
        return
    assert all(zip_archive.check_path(path) for path in files)
