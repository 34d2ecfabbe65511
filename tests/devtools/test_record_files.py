"""Records as files: what cannot be written is said with its folder."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from arena.core.errors import UsageError
from arena.devtools import record_files


def test_folder_that_has_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=f"records '{tmp_path}/gone': No such file or directory; give a folder"
    ):
        record_files.write_record(tmp_path / "gone", "0123456789abcdef", "{}")


def test_disk_that_is_full_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(UsageError, match="No space left on device; make room there, or give another folder"):
        record_files.write_record(tmp_path, "0123456789abcdef", "{}")
    assert list(tmp_path.iterdir()) == []
