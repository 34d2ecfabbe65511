"""Who may use and read a data directory."""

import os
import stat
from pathlib import Path

import pytest

from arena.supervisor.data_directory import (
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
    """Make a data directory that others can read."""
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)
    (data / "arena.db").touch()
    return data


def test_a_directory_that_others_can_read_is_closed_to_them_and_that_is_said_once(data: Path) -> None:
    assert "could be read by other users" in close_to_others(data)
    assert mode(data) == 0o700
    assert close_to_others(data) == ""


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
