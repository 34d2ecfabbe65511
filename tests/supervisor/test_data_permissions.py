"""Who may use and read a data directory."""

import os
import stat
from pathlib import Path

import pytest

from arena.supervisor.data_permissions import (
    DirectoryUnusable,
    check_directory,
    close_to_others,
    make_private,
)

OTHER = 65534
root = pytest.mark.skipif(os.getuid() != 0, reason="only root can give files to another user")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory as older versions made it."""
    data = tmp_path / "data"
    for folder in (data, data / "logs", data / "redis", data / "redis" / "appendonlydir", data / "bundles"):
        folder.mkdir()
        folder.chmod(0o755)
    files = (
        "arena.db",
        "arena.db-wal",
        "arena.db.0006",
        "version",
        "logs/web.log",
        "redis/appendonlydir/a.aof",
    )
    for name in files:
        (data / name).touch()
        (data / name).chmod(0o644)
    bundle = data / "bundles" / "abc"
    bundle.mkdir()
    (bundle / "manifest.json").touch()
    (bundle / "manifest.json").chmod(0o644)
    bundle.chmod(0o755)
    return data


def test_a_directory_of_an_older_version_is_closed_to_others(data: Path) -> None:
    close_to_others(data)
    open_to_others = [path for path in (data, *data.rglob("*")) if mode(path) & 0o077]
    assert sorted(path.relative_to(data).as_posix() for path in open_to_others) == [
        "bundles/abc",  # shown to sandboxes, whose user is another one; the folder above is closed
        "bundles/abc/manifest.json",
    ]


def test_what_was_closed_is_said_once(data: Path) -> None:
    assert "11 files and folders could be read by other users" in close_to_others(data)
    assert close_to_others(data) == ""


def test_links_are_not_followed(data: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (outside / "file").touch(mode=0o644)
    (data / "to-folder").symlink_to(outside)
    (data / "to-file").symlink_to(outside / "file")
    close_to_others(data)
    assert (mode(outside), mode(outside / "file")) == (0o755, 0o644)


def test_a_file_with_another_name_elsewhere_is_left_alone_and_told(data: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.touch(mode=0o644)
    (data / "second-name").hardlink_to(outside)
    assert f"left as they are, since they are not only the arena's: {data}/second-name" in close_to_others(
        data
    )
    assert mode(outside) == 0o644


@root
def test_a_directory_of_another_user_is_refused(data: Path) -> None:
    os.chown(data, OTHER, OTHER)
    with pytest.raises(
        DirectoryUnusable, match=r"belongs to user .*65534.*, and this process is user .*--data"
    ):
        check_directory(data)


@pytest.mark.parametrize("bits", [0o777, 0o1777])
def test_a_directory_that_everybody_can_write_to_is_refused_with_the_remedy(data: Path, bits: int) -> None:
    data.chmod(bits)
    with pytest.raises(DirectoryUnusable, match=f"chmod 700 {data}"):
        check_directory(data)


def test_a_folder_of_something_else_is_not_closed_but_refused(tmp_path: Path) -> None:
    folder = tmp_path / "srv"
    folder.mkdir()
    (folder / "website").touch()
    folder.chmod(0o755)
    with pytest.raises(DirectoryUnusable, match="has other things in it"):
        check_directory(folder)


@pytest.mark.parametrize("bits", [0o700, 0o755, 0o775, 0o777])
def test_an_empty_directory_may_become_a_data_directory(tmp_path: Path, bits: int) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    folder.chmod(bits)
    check_directory(folder)
    close_to_others(folder)
    assert mode(folder) == 0o700


def test_a_file_in_the_place_of_a_folder_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "redis").touch()
    with pytest.raises(DirectoryUnusable, match=f"{tmp_path}/redis: must be a directory .*remove it"):
        make_private(tmp_path / "redis")
