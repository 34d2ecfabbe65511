import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.supervisor.data_directory import LAYOUT, DirectoryInUse, DirectoryUnusable, locked

HOLD = """
import sys, time
from pathlib import Path
from arena.supervisor.data_directory import locked
with locked(Path(sys.argv[1]), Path(sys.argv[1]) / "run"):
    print("held", flush=True)
    time.sleep(60)
"""


def open_once(data: Path) -> None:
    with locked(data, data / "run"):
        pass


def test_a_new_directory_gets_the_version_of_its_layout(tmp_path: Path) -> None:
    open_once(tmp_path / "new" / "data")
    assert (tmp_path / "new" / "data" / "version").read_text() == f"{LAYOUT}\n"


def test_the_folder_of_sockets_is_private(tmp_path: Path) -> None:
    open_once(tmp_path)
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700


def test_a_directory_in_use_names_the_process_that_uses_it(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(DirectoryInUse, match=f"in use by process {holder.pid}; .*--data"):
            open_once(tmp_path)
    finally:
        holder.kill()
        holder.communicate()


def test_a_lock_ends_with_the_process_that_was_killed(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    holder.stdout.readline()
    holder.kill()
    holder.communicate()
    open_once(tmp_path)


def test_a_directory_of_a_newer_version_is_refused_with_both_versions(tmp_path: Path) -> None:
    (tmp_path / "version").write_text("99\n")
    with pytest.raises(DirectoryUnusable, match=f"of version 99, newer than this program's {LAYOUT}"):
        open_once(tmp_path)


def test_a_version_that_is_no_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "version").write_text("two\n")
    with pytest.raises(DirectoryUnusable, match="'two' is no version number"):
        open_once(tmp_path)


def test_a_path_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DirectoryUnusable, match="--data"):
        open_once(tmp_path / "file")


def test_the_lock_holds_the_pid_of_this_process(tmp_path: Path) -> None:
    with locked(tmp_path, tmp_path / "run"):
        assert int((tmp_path / "lock").read_text()) == os.getpid()
